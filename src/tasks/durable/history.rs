//! [`History`]: what a running task does and asks, read from its events, the newest first.
//!
//! A task asks all its questions in one step, opens a callback for each, and waits for all of them. So
//! only the questions of the newest such step can be open. The step is recorded before its callbacks,
//! so their events come first here.

use std::collections::{HashMap, HashSet};
use std::time::SystemTime;

use aws_sdk_lambda::types::{Event, EventType};
use serde_json::{Map, Value};

use crate::tasks::records::{ASK, PROGRESS, callback_index};
use crate::tasks::state::{State, View};

/// What the events say that were read so far.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The time of the newest event.
    newest: Option<SystemTime>,
    message: Option<String>,
    /// Operations that have ended.
    ended: HashSet<String>,
    /// The ids of open callbacks, by the number of their question.
    callbacks: HashMap<usize, String>,
    /// The questions that were asked last, with their keys.
    questions: Option<Vec<(String, Value)>>,
}

/// An open question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Callback<'a> {
    /// The key that the tool gave it.
    pub(super) key: &'a str,
    pub(super) id: &'a str,
}

impl History {
    /// Adds the next event, which is older than those before.
    pub(super) fn add(&mut self, event: &Event) {
        if self.newest.is_none() {
            let at = event.event_timestamp();
            self.newest = at.and_then(|at| SystemTime::try_from(*at).ok());
        }
        let name = event.name().unwrap_or_default();
        let operation = event.id().unwrap_or_default();
        match event.event_type() {
            Some(
                EventType::CallbackSucceeded
                | EventType::CallbackFailed
                | EventType::CallbackTimedOut,
            ) => {
                self.ended.insert(operation.to_owned());
            }
            Some(EventType::CallbackStarted) if self.questions.is_none() => {
                let details = event.callback_started_details();
                if let (Some(index), Some(details)) = (callback_index(name), details)
                    && !self.ended.contains(operation)
                {
                    self.callbacks
                        .insert(index, details.callback_id().to_owned());
                }
            }
            Some(EventType::StepSucceeded) if name == ASK && self.questions.is_none() => {
                self.questions = Some(recorded(event).unwrap_or_default());
            }
            Some(EventType::StepSucceeded) if name == PROGRESS && self.message.is_none() => {
                self.message = recorded(event);
            }
            _ => {}
        }
    }

    /// Whether older events would add nothing.
    pub(super) const fn is_complete(&self) -> bool {
        self.message.is_some() && self.questions.is_some()
    }

    /// The state of the task. `key` makes the key that the client answers a question by.
    pub(super) fn view(
        self,
        started: SystemTime,
        key: impl Fn(Callback<'_>) -> Option<String>,
    ) -> View {
        let asked = self.questions.unwrap_or_default();
        let open = asked.into_iter().enumerate();
        let open: Map<String, Value> = open
            .filter_map(|(index, (question, request))| {
                let id = self.callbacks.get(&index)?;
                let callback = Callback { key: &question, id };
                Some((key(callback)?, request))
            })
            .collect();
        View {
            state: if open.is_empty() {
                State::Working
            } else {
                State::InputRequired(open)
            },
            message: self.message,
            updated_at: self.newest.unwrap_or(started),
        }
    }
}

/// Reads what a step recorded.
fn recorded<T: serde::de::DeserializeOwned>(event: &Event) -> Option<T> {
    let result = event.step_succeeded_details()?.result()?;
    let read = serde_json::from_str(result.payload()?);
    read.inspect_err(|error| tracing::error!(%error, "a record of a task cannot be read"))
        .ok()
}
