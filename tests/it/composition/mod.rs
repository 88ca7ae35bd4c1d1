//! A server inside other programs: as a `tower` service, in an `axum` router, under `lambda_http`, as
//! a local HTTP server, and made of several builders.
//!
//! Submodules: `service` sends bodies of any kind, `axum` runs the case table in a router,
//! `lambda_http` sends events, `programs` starts the examples that serve HTTP, `merge` builds.

mod axum;
mod lambda_http;
mod merge;
mod programs;
mod service;
