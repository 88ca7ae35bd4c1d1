//! Futures of the traits that users implement: their type, and how they are run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt as _;

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

/// Why a future did not complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// It panicked.
    Panicked,
    /// It did not complete in time.
    TimedOut,
}

/// Runs code that a user wrote: a panic and a timeout become errors.
///
/// `start` is called here, because a panic can come from it as well. Code that blocks its thread
/// cannot be interrupted.
pub(crate) async fn bounded<F: Future>(
    timeout: Duration,
    start: impl FnOnce() -> F,
) -> Result<F::Output, Broken> {
    let future = catch_unwind(AssertUnwindSafe(start)).map_err(|_| Broken::Panicked)?;
    match tokio::time::timeout(timeout, AssertUnwindSafe(future).catch_unwind()).await {
        Ok(Ok(output)) => Ok(output),
        Ok(Err(_panic)) => Err(Broken::Panicked),
        Err(_elapsed) => Err(Broken::TimedOut),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn panics_and_timeouts_are_errors() {
        assert_eq!(bounded(SECOND, || async { 1 }).await, Ok(1));
        let hangs = bounded(SECOND, std::future::pending::<u8>).await;
        assert_eq!(hangs, Err(Broken::TimedOut));
        let panics = bounded(SECOND, || async { panic!("planted") }).await;
        assert_eq!(panics, Err::<u8, _>(Broken::Panicked));
        let early = bounded(SECOND, || -> BoxFuture<'static, u8> { panic!("planted") }).await;
        assert_eq!(early, Err(Broken::Panicked));
    }
}
