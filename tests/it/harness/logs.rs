//! What a child wrote to its standard output and error, as it comes.

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::task::JoinHandle;

/// The text so far; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Logs {
    inner: Arc<(Mutex<Vec<u8>>, Condvar)>,
}

impl Logs {
    /// Copies a pipe into the log until the pipe ends.
    pub(crate) fn collect(
        &self,
        mut pipe: impl AsyncRead + Unpin + Send + 'static,
    ) -> JoinHandle<()> {
        let logs = self.clone();
        super::background().spawn(async move {
            let mut buffer = vec![0; 16 * 1024];
            while let Ok(read @ 1..) = pipe.read(&mut buffer).await {
                logs.append(&buffer[..read]);
            }
        })
    }

    fn append(&self, bytes: &[u8]) {
        self.inner.0.lock().unwrap().extend_from_slice(bytes);
        self.inner.1.notify_all();
    }

    /// All that has been read up to now.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.inner.0.lock().unwrap()).into_owned()
    }

    /// Waits until the text satisfies `condition`, or `patience` is over; the text either way.
    pub(crate) fn wait_for(&self, patience: Duration, condition: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + patience;
        let mut bytes = self.inner.0.lock().unwrap();
        loop {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let left = end.saturating_duration_since(Instant::now());
            if condition(&text) || left.is_zero() {
                return text;
            }
            bytes = self.inner.1.wait_timeout(bytes, left).unwrap().0;
        }
    }
}
