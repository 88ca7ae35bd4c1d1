//! Notifications on the response stream of one request. Specification: *Progress*; *Logging*;
//! *Streamable HTTP, Receiving Messages*.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc::{Sender, channel};

pub(crate) use tokio::sync::mpsc::Receiver;

use crate::wire::jsonrpc::RequestId;
use crate::wire::logging::{LogMessage, LoggingLevel};
use crate::wire::progress::Progress;

/// The most notifications that wait for one stream; more are dropped, since none is promised.
const MAX_WAITING: usize = 1000;

/// Where a handler's notifications go: to the request's stream, or nowhere.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notifier(Option<Arc<Open>>);

#[derive(Debug)]
struct Open {
    messages: Sender<Bytes>,
    /// The last progress that was told: it must go up with each notification.
    progress: Mutex<Option<f64>>,
    logs: bool,
}

#[derive(Serialize)]
struct Notification<'a, T> {
    jsonrpc: &'a str,
    method: &'a str,
    params: T,
}

impl Notifier {
    /// A notifier and the messages that come out of it, each as JSON text. `logs`: the server
    /// declares that it logs to clients.
    pub(crate) fn open(logs: bool) -> (Self, Receiver<Bytes>) {
        let (messages, receiver) = channel(MAX_WAITING);
        (
            Self(Some(Arc::new(Open {
                messages,
                progress: Mutex::new(None),
                logs,
            }))),
            receiver,
        )
    }

    pub(crate) fn progress(
        &self,
        token: &RequestId,
        progress: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) {
        let Some(open) = &self.0 else { return };
        if !progress.is_finite() || total.is_some_and(|total| !total.is_finite()) {
            return;
        }
        {
            let mut last = open.progress.lock().unwrap_or_else(PoisonError::into_inner);
            if last.is_some_and(|last| progress <= last) {
                return;
            }
            *last = Some(progress);
        }
        let params = Progress {
            progress_token: token,
            progress,
            total,
            message,
        };
        open.send("notifications/progress", params);
    }

    pub(crate) fn log(&self, level: LoggingLevel, logger: Option<&str>, data: &Value) {
        if let Some(open) = &self.0
            && open.logs
        {
            open.send(
                "notifications/message",
                LogMessage {
                    level,
                    logger,
                    data,
                },
            );
        }
    }
}

impl Open {
    fn send<T: Serialize>(&self, method: &str, params: T) {
        let notification = Notification {
            jsonrpc: "2.0",
            method,
            params,
        };
        if let Ok(json) = serde_json::to_vec(&notification) {
            // Full or closed: nobody reads, and nothing was promised.
            let _dropped = self.messages.try_send(json.into());
        }
    }
}
