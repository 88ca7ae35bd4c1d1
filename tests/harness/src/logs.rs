//! What a child wrote to its standard output and error, as it comes.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::task::JoinHandle;

/// The text so far; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Logs {
    text: Arc<Mutex<Vec<u8>>>,
}

impl Logs {
    /// Copies a pipe into the log until the pipe ends.
    pub fn collect(&self, mut pipe: impl AsyncRead + Unpin + Send + 'static) -> JoinHandle<()> {
        let logs = self.clone();
        super::background().spawn(async move {
            let mut buffer = vec![0; 16 * 1024];
            while let Ok(read @ 1..) = pipe.read(&mut buffer).await {
                logs.text.lock().unwrap().extend_from_slice(&buffer[..read]);
            }
        })
    }

    /// All that has been read up to now.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.text.lock().unwrap()).into_owned()
    }
}
