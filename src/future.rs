//! [`BoxFuture`]: the one type of the futures that the traits of this crate return.

use std::pin::Pin;

/// A boxed future that may move between threads: what [`Verifier`](crate::auth::Verifier),
/// [`Limiter`](crate::limit::Limiter) and the other traits of this crate return.
///
/// It is the type of the same name in the crate `futures`; `Box::pin(async move { .. })` makes one.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
