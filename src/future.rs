//! [`BoxFuture`]: the type of the futures that the traits of this crate return.

use std::pin::Pin;

/// A boxed future that is `Send`.
///
/// [`Verifier`](crate::auth::Verifier), [`Limiter`](crate::limit::Limiter) and the other traits of
/// this crate return it. It is the same type as `futures::future::BoxFuture`.
///
/// # Examples
///
/// ```
/// use lambda_mcp::BoxFuture;
///
/// fn answer<'a>(name: &'a str) -> BoxFuture<'a, String> {
///     Box::pin(async move { format!("Hello, {name}.") })
/// }
/// ```
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
