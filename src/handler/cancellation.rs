//! [`Cancellation`]: whether a call was cancelled.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Whether a call was cancelled. It is cancelled once and stays so.
#[derive(Debug, Default)]
pub(crate) struct Cancellation {
    is_cancelled: AtomicBool,
    cancelled: Notify,
}

impl Cancellation {
    pub(super) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
        self.cancelled.notify_waiters();
    }

    pub(super) async fn wait(&self) {
        let mut cancelled = pin!(self.cancelled.notified());
        // From here on, a notification is not missed.
        cancelled.as_mut().enable();
        if !self.is_cancelled.load(Ordering::Acquire) {
            cancelled.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_is_told_before_and_after() {
        let cancellation = Cancellation::default();
        let mut early = pin!(cancellation.wait());
        assert_eq!(early.as_mut().now_or_never(), None);
        cancellation.cancel();
        let second = Duration::from_secs(1);
        tokio::time::timeout(second, early).await.unwrap();
        tokio::time::timeout(second, cancellation.wait())
            .await
            .unwrap();
    }
}
