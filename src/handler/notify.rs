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

/// Maximum number of notifications queued for one stream; further ones are dropped.
const MAX_WAITING: usize = 1000;

/// Where a handler's notifications go: to the request's stream, or nowhere.
#[derive(Debug, Default)]
pub(crate) struct Notifier {
    open: Option<Open>,
    /// The last progress sent: it must increase with each notification.
    progress: Mutex<Option<f64>>,
}

#[derive(Debug, Clone)]
struct Open {
    messages: Messages,
    logs: bool,
}

#[derive(Debug, Clone)]
enum Messages {
    /// Each is sent at once.
    Stream(Sender<Bytes>),
    /// They are sent together with the result.
    Collected(Collected),
}

/// The messages of a request whose response is sent as a whole.
#[derive(Debug, Clone, Default)]
pub(crate) struct Collected(Arc<Mutex<Vec<Bytes>>>);

impl Collected {
    /// Takes the messages so far.
    pub(crate) fn take(&self) -> Vec<Bytes> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, message: Bytes) {
        let mut messages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if messages.len() < MAX_WAITING {
            messages.push(message);
        }
    }
}

#[derive(Serialize)]
struct Notification<'a, T> {
    jsonrpc: &'a str,
    method: &'a str,
    params: T,
}

impl Notifier {
    /// Returns a notifier and the receiver of its messages, each as JSON text. `logs`: the server
    /// declares the logging capability.
    pub(crate) fn open(logs: bool) -> (Self, Receiver<Bytes>) {
        let (sender, receiver) = channel(MAX_WAITING);
        (Self::new(Messages::Stream(sender), logs), receiver)
    }

    /// Returns a notifier and its messages, each as JSON text.
    pub(crate) fn collecting(logs: bool) -> (Self, Collected) {
        let collected = Collected::default();
        let messages = Messages::Collected(collected.clone());
        (Self::new(messages, logs), collected)
    }

    const fn new(messages: Messages, logs: bool) -> Self {
        Self {
            open: Some(Open { messages, logs }),
            progress: Mutex::new(None),
        }
    }

    /// Returns a notifier with the same stream and its own progress, for one call of a batch.
    pub(crate) fn for_call(&self) -> Self {
        Self {
            open: self.open.clone(),
            progress: Mutex::default(),
        }
    }

    pub(crate) fn progress(
        &self,
        token: &RequestId,
        progress: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) {
        let Some(open) = &self.open else { return };
        if !progress.is_finite() || total.is_some_and(|total| !total.is_finite()) {
            return;
        }
        {
            let mut last = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
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
        if let Some(open) = &self.open
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
            match &self.messages {
                // Full or closed: notifications are best effort.
                Messages::Stream(sender) => drop(sender.try_send(json.into())),
                Messages::Collected(collected) => collected.push(json.into()),
            }
        }
    }
}
