//! [`Durable`]: a task is an execution of an AWS Lambda durable function.
//!
//! | the task | the call of AWS |
//! | --- | --- |
//! | starts | `Invoke`, asynchronously, with the name of the execution |
//! | is read | `GetDurableExecution`; while it runs also `GetDurableExecutionHistory`, unless the tool is silent |
//! | is answered | `SendDurableExecutionCallbackSuccess`; the key of a question contains the id of its callback |
//! | is cancelled | `StopDurableExecution` |
//!
//! The service is eventually consistent: for a minute after its start, a task that is not found
//! exists. Nothing is connected before the first task.

mod fault;
mod history;
mod input_key;
mod recent;

use std::fmt;
use std::time::{Duration, SystemTime};

use aws_config::SdkConfig;
use aws_sdk_lambda::Client;
use aws_sdk_lambda::config::Builder;
use aws_sdk_lambda::config::retry::RetryConfig;
use aws_sdk_lambda::config::timeout::TimeoutConfig;
use aws_sdk_lambda::operation::get_durable_execution::GetDurableExecutionOutput;
use aws_sdk_lambda::primitives::{Blob, DateTime};
use aws_sdk_lambda::types::{ExecutionStatus, InvocationType};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use self::fault::Fault;
use self::history::History;
use self::recent::Recent;
use crate::aws;
use crate::error::ProtocolError;
use crate::future::BoxFuture;
use crate::tasks::engine::{Engine, EngineError, Found, Start};
use crate::tasks::outcome;
use crate::tasks::payload::Payload;
use crate::tasks::state::{End, State, View};
use crate::wire::tasks::TaskFailure;

/// How long an execution may stay invisible after its start.
const UNSEEN: Duration = Duration::from_secs(60);
/// How soon an execution that is not visible yet is looked for again.
const LOOK_AGAIN: Duration = Duration::from_millis(300);
/// How often it is looked for within one request.
const LOOKS: u32 = 3;
/// The largest payload: AWS takes 1 MB with an asynchronous invocation.
const MAX_PAYLOAD_BYTES: usize = 1_000_000;
/// The most events of a history that are read at once, and the most pages.
const EVENTS: i32 = 100;
const PAGES: u32 = 5;
/// The connection, one attempt of a call, and all of them.
const CONNECT: Duration = Duration::from_millis(1500);
const ATTEMPT: Duration = Duration::from_secs(3);
const CALL: Duration = Duration::from_secs(7);
const TIMED_OUT: &str = "The task took longer than it may, and was stopped.";

/// Tasks as executions of a durable function.
pub(crate) struct Durable {
    /// The qualified ARN of the function.
    function: String,
    config: Option<SdkConfig>,
    client: OnceCell<Client>,
    recent: Recent,
}

impl Durable {
    /// Tasks as executions of `function`. `config`: `None` for that of the environment.
    pub(crate) fn new(function: String, config: Option<SdkConfig>) -> Self {
        Self {
            function,
            config,
            client: OnceCell::new(),
            recent: Recent::default(),
        }
    }

    /// Builds the client at the first need.
    async fn client(&self) -> &Client {
        let build = async || {
            let config = aws::config_or(self.config.as_ref()).await;
            let timeouts = TimeoutConfig::builder()
                .connect_timeout(CONNECT)
                .operation_attempt_timeout(ATTEMPT)
                .operation_timeout(CALL)
                .build();
            // Every call can be repeated: a start has a name, the others read or end something.
            let retries = RetryConfig::standard()
                .with_max_attempts(2)
                .with_initial_backoff(Duration::from_millis(100));
            let config = Builder::from(&config)
                .retry_config(retries)
                .timeout_config(timeouts)
                .build();
            Client::from_conf(config)
        };
        self.client.get_or_init(build).await
    }

    async fn begin(&self, start: Start) -> Result<String, EngineError> {
        let payload = serde_json::to_vec(&Payload::new(&start)).map_err(|error| {
            tracing::error!(%error, "the arguments of a task cannot be written");
            EngineError::Failed
        })?;
        if payload.len() > MAX_PAYLOAD_BYTES {
            return Err(EngineError::TooLarge);
        }
        let invoked = self
            .client()
            .await
            .invoke()
            .function_name(&self.function)
            .invocation_type(InvocationType::Event)
            .durable_execution_name(&start.about.id)
            .payload(Blob::new(payload))
            .send()
            .await;
        match invoked.map_err(|error| Fault::of(&error)) {
            Ok(invoked) => invoked.durable_execution_arn.ok_or_else(|| {
                let function = &self.function;
                tracing::error!(function, "the function of the tasks is not durable");
                EngineError::Failed
            }),
            Err(Fault::AlreadyStarted) => Err(EngineError::Conflict),
            Err(fault) => Err(fault.refused("Invoke")),
        }
    }

    async fn read(&self, task: &Found<'_>) -> Result<View, EngineError> {
        if let Some(view) = self.recent.get(&task.id.reference, task.may_be_recent) {
            return Ok(view);
        }
        let call = self.client().await.get_durable_execution();
        let got = call.durable_execution_arn(&task.id.reference).send().await;
        let view = match got.map_err(|error| Fault::of(&error)) {
            Ok(execution) => self.view(task, &execution).await?,
            Err(Fault::NotFound) if is_young(task) => starting(task),
            Err(fault) => return Err(fault.refused("GetDurableExecution")),
        };
        self.recent.put(&task.id.reference, &view);
        Ok(view)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the SDK asks to name neither all statuses nor the unknown one"
    )]
    async fn view(
        &self,
        task: &Found<'_>,
        execution: &GetDurableExecutionOutput,
    ) -> Result<View, EngineError> {
        let started = time(execution.start_timestamp());
        let end = match execution.status() {
            ExecutionStatus::Running if task.is_silent => None,
            ExecutionStatus::Running => return self.running(task, started).await,
            ExecutionStatus::Succeeded => Some(completed(execution.result())),
            ExecutionStatus::Stopped => Some(End::Cancelled),
            ExecutionStatus::TimedOut => Some(End::Failed(TaskFailure {
                message: TIMED_OUT.to_owned(),
                ..outcome::internal()
            })),
            ExecutionStatus::Failed => Some(End::Failed(failure(execution))),
            other => {
                tracing::error!(status = other.as_str(), "the status of a task is not known");
                Some(outcome::failed(&ProtocolError::Internal))
            }
        };
        Ok(View {
            state: end.map_or(State::Working, State::Ended),
            message: None,
            updated_at: execution.end_timestamp().map_or(started, time),
        })
    }

    /// Reads what a running task does and asks, from its newest events.
    async fn running(&self, task: &Found<'_>, started: SystemTime) -> Result<View, EngineError> {
        let mut history = History::default();
        let mut marker = None;
        for _ in 0..PAGES {
            let call = self.client().await.get_durable_execution_history();
            let page = call
                .durable_execution_arn(&task.id.reference)
                .reverse_order(true)
                .include_execution_data(true)
                .max_items(EVENTS)
                .set_marker(marker)
                .send()
                .await;
            let page = match page.map_err(|error| Fault::of(&error)) {
                Ok(page) => page,
                // The history can lag behind the execution.
                Err(Fault::NotFound) if is_young(task) => break,
                Err(fault) => return Err(fault.refused("GetDurableExecutionHistory")),
            };
            for event in page.events() {
                history.add(event);
            }
            marker = page.next_marker;
            if history.is_complete() || marker.is_none() {
                break;
            }
        }
        Ok(history.view(started, |callback| input_key::of(task, callback)))
    }

    async fn deliver(
        &self,
        task: &Found<'_>,
        answers: Map<String, Value>,
    ) -> Result<(), EngineError> {
        for (key, answer) in answers {
            let Some(callback) = input_key::callback(task, &key) else {
                continue;
            };
            let sent = self
                .client()
                .await
                .send_durable_execution_callback_success()
                .callback_id(callback)
                .result(Blob::new(answer.to_string()))
                .send()
                .await;
            match sent.map_err(|error| Fault::of(&error)) {
                // Answered before, or no longer asked: acknowledged and ignored.
                Ok(_) | Err(Fault::NotFound | Fault::Late | Fault::Invalid(_)) => {}
                Err(fault) => return Err(fault.refused("SendDurableExecutionCallbackSuccess")),
            }
        }
        self.recent.forget(&task.id.reference);
        Ok(())
    }

    async fn stop(&self, task: &Found<'_>) -> Result<(), EngineError> {
        let mut looks = 1;
        let stopped = loop {
            let call = self.client().await.stop_durable_execution();
            let stopped = call.durable_execution_arn(&task.id.reference).send().await;
            match stopped.map_err(|error| Fault::of(&error)) {
                // "Invalid" is an execution that has ended: acknowledged as well.
                Ok(_) | Err(Fault::Invalid(_)) => break Ok(()),
                Err(Fault::NotFound) if is_young(task) && looks < LOOKS => {
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
                Err(Fault::NotFound) if is_young(task) => {
                    break Err(EngineError::Busy(Duration::from_secs(1)));
                }
                Err(fault) => break Err(fault.refused("StopDurableExecution")),
            }
            looks += 1;
        };
        self.recent.forget(&task.id.reference);
        stopped
    }
}

fn is_young(task: &Found<'_>) -> bool {
    task.id.age(SystemTime::now()) < UNSEEN
}

/// A task that the service does not show yet.
fn starting(task: &Found<'_>) -> View {
    View {
        state: State::Working,
        message: None,
        updated_at: task.id.created_at(),
    }
}

fn time(at: &DateTime) -> SystemTime {
    SystemTime::try_from(*at).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The result of the worker is that of the call, as JSON.
fn completed(result: Option<&str>) -> End {
    let json = result.map(|text| RawValue::from_string(text.to_owned()));
    match json {
        Some(Ok(json)) if json.get().starts_with('{') => End::Completed(json),
        _ => {
            tracing::error!("the result of a task is not that of a call");
            outcome::failed(&ProtocolError::Internal)
        }
    }
}

/// The worker writes the JSON-RPC error into the message. Anything else is a failure of the worker.
fn failure(execution: &GetDurableExecutionOutput) -> TaskFailure {
    let error = execution.error();
    let message = error.and_then(|error| error.error_message());
    let failure = message.and_then(|text| serde_json::from_str(text).ok());
    failure.unwrap_or_else(|| {
        let kind = error.and_then(|error| error.error_type());
        tracing::error!(kind, message, "the worker of a task failed");
        outcome::internal()
    })
}

impl Engine for Durable {
    fn start(&self, start: Start) -> BoxFuture<'_, Result<String, EngineError>> {
        Box::pin(self.begin(start))
    }

    fn get<'a>(&'a self, task: &'a Found<'a>) -> BoxFuture<'a, Result<View, EngineError>> {
        Box::pin(self.read(task))
    }

    fn answer<'a>(
        &'a self,
        task: &'a Found<'a>,
        answers: Map<String, Value>,
    ) -> BoxFuture<'a, Result<(), EngineError>> {
        Box::pin(self.deliver(task, answers))
    }

    fn cancel<'a>(&'a self, task: &'a Found<'a>) -> BoxFuture<'a, Result<(), EngineError>> {
        Box::pin(self.stop(task))
    }

    fn is_local(&self) -> bool {
        false
    }
}

impl fmt::Debug for Durable {
    /// Leaves out the configuration, which contains credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Durable")
            .field("function", &self.function)
            .finish_non_exhaustive()
    }
}
