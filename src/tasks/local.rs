//! [`Local`]: tasks in the memory of this process, for local runs and tests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::error::ToolError;
use crate::future::BoxFuture;
use crate::tasks::engine::{Engine, EngineError, Found, Start};
use crate::tasks::operations::Operations;
use crate::tasks::outcome;
use crate::tasks::silent;
use crate::tasks::state::{End, Record, View};
use crate::tasks::step::StepCall;
use crate::tasks::task::Task;

/// Maximum number of tasks that are kept.
const MAX_TASKS: usize = 1000;
/// When the caller of a full engine may try again.
const BUSY: Duration = Duration::from_secs(10);

/// Tasks in the memory of this process. They end with it.
#[derive(Debug, Default)]
pub(crate) struct Local(Mutex<HashMap<String, Kept>>);

#[derive(Debug)]
struct Kept {
    shared: Arc<Shared>,
    work: AbortHandle,
    /// When the task may be forgotten. `None`: never.
    expires_at: Option<Instant>,
}

/// What a running task and its clients share.
#[derive(Debug)]
struct Shared {
    record: Mutex<Record>,
    answered: Notify,
}

impl Shared {
    fn record(&self) -> MutexGuard<'_, Record> {
        // A panic while the lock is held leaves a record that can be read.
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, end: End) -> bool {
        self.record().end(end, SystemTime::now())
    }
}

impl Local {
    fn tasks(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, start: Start) -> Result<String, EngineError> {
        let Start {
            tool,
            arguments,
            about,
            function,
            has_output_schema,
            is_silent,
            ttl,
        } = start;
        let mut tasks = self.tasks();
        forget_expired(&mut tasks);
        let id = about.id.clone();
        if tasks.contains_key(&id) {
            return Ok(id);
        }
        if tasks.len() >= MAX_TASKS {
            return Err(EngineError::Busy(BUSY));
        }
        let shared = Arc::new(Shared {
            record: Mutex::new(Record::new(SystemTime::now())),
            answered: Notify::new(),
        });
        let task = Task::recorded(
            about,
            silent::operations(is_silent, InMemory(Arc::clone(&shared))),
        );
        let work = tokio::spawn({
            let shared = Arc::clone(&shared);
            async move {
                let end =
                    outcome::run((&tool, has_output_schema), &*function, task, arguments).await;
                shared.end(end);
            }
        });
        let kept = Kept {
            shared,
            work: work.abort_handle(),
            expires_at: Instant::now().checked_add(ttl),
        };
        tasks.insert(id.clone(), kept);
        Ok(id)
    }

    fn with<T>(&self, task: &Found<'_>, use_it: impl FnOnce(&Kept) -> T) -> Result<T, EngineError> {
        let tasks = self.tasks();
        let kept = tasks.get(&task.id.reference).ok_or(EngineError::Unknown)?;
        Ok(use_it(kept))
    }
}

/// Forgets tasks whose time is over. Work that still runs is stopped.
fn forget_expired(tasks: &mut HashMap<String, Kept>) {
    let now = Instant::now();
    tasks.retain(|_, kept| {
        let is_kept = kept.expires_at.is_none_or(|at| at > now);
        if !is_kept {
            kept.work.abort();
        }
        is_kept
    });
}

impl Engine for Local {
    fn start(&self, start: Start) -> BoxFuture<'_, Result<String, EngineError>> {
        Box::pin(async move { self.begin(start) })
    }

    fn get<'a>(&'a self, task: &'a Found<'a>) -> BoxFuture<'a, Result<View, EngineError>> {
        Box::pin(async move { self.with(task, |kept| kept.shared.record().view()) })
    }

    fn answer<'a>(
        &'a self,
        task: &'a Found<'a>,
        answers: Map<String, Value>,
    ) -> BoxFuture<'a, Result<(), EngineError>> {
        Box::pin(async move {
            self.with(task, |kept| {
                let now = SystemTime::now();
                let mut record = kept.shared.record();
                for (key, answer) in answers {
                    record.answer(&key, answer, now);
                }
                drop(record);
                kept.shared.answered.notify_waiters();
            })
        })
    }

    fn cancel<'a>(&'a self, task: &'a Found<'a>) -> BoxFuture<'a, Result<(), EngineError>> {
        Box::pin(async move {
            self.with(task, |kept| {
                if kept.shared.end(End::Cancelled) {
                    kept.work.abort();
                }
            })
        })
    }

    fn is_local(&self) -> bool {
        true
    }
}

/// The operations of a task in memory. Nothing is repeated, so nothing but the state is recorded.
struct InMemory(Arc<Shared>);

impl Operations for InMemory {
    fn step(&mut self, step: StepCall) -> BoxFuture<'_, Result<Value, ToolError>> {
        Box::pin(async move { step.run().await })
    }

    fn sleep(&mut self, duration: Duration) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(async move {
            tokio::time::sleep(duration).await;
            Ok(())
        })
    }

    fn progress(&mut self, text: String) -> BoxFuture<'_, Result<(), ToolError>> {
        self.0.record().report(text, SystemTime::now());
        Box::pin(std::future::ready(Ok(())))
    }

    fn ask(
        &mut self,
        questions: Vec<(String, Value)>,
    ) -> BoxFuture<'_, Result<Vec<Value>, ToolError>> {
        Box::pin(async move {
            let keys: Vec<String> = questions.iter().map(|(key, _)| key.clone()).collect();
            self.0.record().ask(questions, SystemTime::now());
            loop {
                // Registered before the check, so that no answer is missed in between.
                let mut answered = std::pin::pin!(self.0.answered.notified());
                answered.as_mut().enable();
                let answers = self.0.record().take_answers(&keys);
                if let Some(answers) = answers {
                    return Ok(answers);
                }
                answered.await;
            }
        })
    }
}
