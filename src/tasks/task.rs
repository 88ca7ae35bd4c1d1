//! [`Task`]: what the function of a task does its work with.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::auth::Principal;
use crate::error::ToolError;
use crate::future::BoxFuture;
use crate::handler::{Context, Question, Unusable};
use crate::tasks::inline::Inline;
use crate::tasks::names::Names;
use crate::tasks::operations::{About, Operations};
use crate::tasks::questions::{Questions, check};
use crate::tasks::step::{Retry, Step, StepBody, StepCall, StepError};
use crate::tasks::step_future::{RunStep, StepFuture};
use crate::wire::capabilities::ClientCapabilities;

/// How often a question is put whose answer cannot be used.
const MAX_ROUNDS: usize = 5;

/// A long piece of work that a client polls: the first parameter of a task function.
///
/// The function does its work by **operations** on the task: [`step`](Self::step),
/// [`step_once`](Self::step_once), [`sleep`](Self::sleep), [`progress`](Self::progress),
/// [`ask`](Self::ask) and [`ask_all`](Self::ask_all). A durable engine records the result of each. If
/// the process ends, the function runs again from its start, and an operation that was recorded
/// returns its recorded result without running. From this follow two rules:
///
/// - **Everything with an effect, and everything that can have another result the second time, is in
///   a step**: calls of other services, the time, random numbers.
/// - **The operations come in a fixed order.** They depend only on the arguments and on the results of
///   earlier operations. Two operations cannot run at the same time: they borrow the task mutably, so
///   `join!` over them does not compile.
///
/// ```compile_fail
/// # use lambda_mcp::{Task, ToolError};
/// async fn both(mut task: Task) -> Result<(u32, u32), ToolError> {
///     let one = task.step("one", |_| async { Ok(1) }).into_future();
///     let two = task.step("two", |_| async { Ok(2) }).into_future();
///     futures_util::future::try_join(one, two).await
/// }
/// # use std::future::IntoFuture;
/// ```
///
/// A client that cannot poll gets the result within the call: the same function runs inline, within
/// the [call timeout]. Inline, a question can be put only before the first step.
///
/// [call timeout]: crate::server::ServerBuilder::call_timeout
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use lambda_mcp::handler::{Elicited, Question};
/// use lambda_mcp::tasks::Tasks;
/// use lambda_mcp::{Args, Json, Server, Task, ToolError, task_tool};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Export {
///     /// The year to report on.
///     year: u16,
/// }
///
/// #[derive(Serialize, JsonSchema)]
/// struct Report {
///     /// Where to download the report.
///     url: String,
/// }
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Approval {
///     /// Whether the report may be published.
///     publish: bool,
/// }
///
/// async fn export(
///     mut task: Task,
///     Args(Export { year }): Args<Export>,
/// ) -> Result<Json<Report>, ToolError> {
///     task.progress("Reading the books").await?;
///     let lines: u32 = task.step("read", move |_| async move { Ok(u32::from(year) * 3) }).await?;
///     let question = Question::form::<Approval>("approval", &format!("Publish {lines} lines?"));
///     let Elicited::Accept(Approval { publish: true }) = task.ask(question).await? else {
///         return Err(ToolError::new("The report was not published: the user did not agree."));
///     };
///     task.sleep(Duration::from_secs(1)).await?;
///     let url: String = task
///         .step("publish", move |step| async move {
///             Ok(format!("https://example.com/{year}?key={}", step.idempotency_key))
///         })
///         .await?;
///     Ok(Json(Report { url }))
/// }
///
/// let server = Server::builder("books", "1.0.0")
///     .tasks(Tasks::local())
///     .tool(task_tool("export", export).requires_tasks())
///     .build();
/// assert!(server.is_ok());
/// ```
pub struct Task {
    engine: Engine,
    about: Arc<About>,
    /// The names of its steps.
    steps: Names,
    /// The keys of its questions.
    keys: Names,
}

enum Engine {
    Inline(Inline),
    Recorded(Box<dyn Operations>),
}

impl Task {
    /// A task that an engine records.
    pub(crate) fn recorded(about: About, operations: Box<dyn Operations>) -> Self {
        Self::new(about, Engine::Recorded(operations))
    }

    /// A task within a call. `id` is unique for the call.
    pub(crate) fn inline(id: String, context: &Context) -> Self {
        let about = About {
            id,
            principal: context.principal().cloned(),
            capabilities: context.client_capabilities().clone(),
        };
        Self::new(about, Engine::Inline(Inline::new(context.clone())))
    }

    fn new(about: About, engine: Engine) -> Self {
        Self {
            engine,
            about: Arc::new(about),
            steps: Names::default(),
            keys: Names::default(),
        }
    }

    /// Returns the id of the task. It is the same each time the function runs, and idempotency keys
    /// begin with it. It is not the `taskId` that clients get.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.about.id
    }

    /// Returns the authenticated caller who created the task, or `None` if the tool requires no
    /// credential. It has no claims: an engine can store it for days.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.about.principal.as_ref()
    }

    /// Returns the capabilities of the client that created the task.
    #[must_use]
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        &self.about.capabilities
    }

    /// Runs `body` and records its result.
    ///
    /// A step that is recorded is not run again. If the process ends between the effect and the
    /// record, the step runs again with the same [`idempotency_key`](Step::idempotency_key): pass that
    /// to the provider. `name` says what the step does; a name that is used again gets a number.
    ///
    /// The result is stored as JSON, so `T` must be read back equal to what was written.
    ///
    /// # Errors
    ///
    /// The last attempt failed, or the body returned a [`ToolError`]. See [`StepError`] and [`Retry`].
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use lambda_mcp::tasks::Retry;
    /// use lambda_mcp::{Task, ToolError};
    /// # async fn charge(key: &str) -> Result<u32, std::io::Error> { Ok(u32::from(key.is_empty())) }
    ///
    /// async fn order(mut task: Task) -> Result<String, ToolError> {
    ///     let receipt: u32 = task
    ///         .step("charge", |step| async move { Ok(charge(&step.idempotency_key).await?) })
    ///         .retry(Retry::attempts(10).first_pause(Duration::from_secs(5)))
    ///         .await?;
    ///     Ok(format!("Your receipt has the number {receipt}."))
    /// }
    /// # let _ = lambda_mcp::task_tool::<(), _, _>("order", order);
    /// ```
    pub fn step<'t, T, F, Fut>(&'t mut self, name: &'t str, body: F) -> StepFuture<'t, T>
    where
        T: Serialize + DeserializeOwned + 't,
        F: Fn(Step) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, StepError>> + Send + 'static,
    {
        StepFuture::new(self, name, body, Some(Retry::default()))
    }

    /// Runs `body` at most once, for a provider that knows no idempotency keys.
    ///
    /// If the process ends before the result is recorded, the step fails and is not run again: its
    /// outcome is unknown. It is not tried again after an error either.
    ///
    /// # Errors
    ///
    /// The body failed, or the process ended while it ran.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::{Task, ToolError};
    /// # async fn page_someone() -> Result<(), std::io::Error> { Ok(()) }
    ///
    /// async fn alarm(mut task: Task) -> Result<&'static str, ToolError> {
    ///     task.step_once("page", |_| async { Ok(page_someone().await?) }).await?;
    ///     Ok("Someone was paged.")
    /// }
    /// # let _ = lambda_mcp::task_tool::<(), _, _>("alarm", alarm);
    /// ```
    pub fn step_once<'t, T, F, Fut>(&'t mut self, name: &'t str, body: F) -> StepFuture<'t, T>
    where
        T: Serialize + DeserializeOwned + 't,
        F: Fn(Step) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, StepError>> + Send + 'static,
    {
        StepFuture::new(self, name, body, None)
    }

    /// Waits. A durable engine uses no compute meanwhile.
    ///
    /// # Errors
    ///
    /// The task cannot continue. Return the error with `?`.
    pub async fn sleep(&mut self, duration: Duration) -> Result<(), ToolError> {
        match &mut self.engine {
            Engine::Inline(inline) => {
                inline.sleep(duration).await;
                Ok(())
            }
            Engine::Recorded(operations) => operations.sleep(duration).await,
        }
    }

    /// Says what the task is doing: `statusMessage`, which clients may show to the user or the model.
    /// Inline, it is a progress notification.
    ///
    /// A durable engine records it, so report what takes seconds, not each row.
    ///
    /// # Errors
    ///
    /// The task cannot continue. Return the error with `?`.
    pub async fn progress(&mut self, text: impl Into<String>) -> Result<(), ToolError> {
        let text = text.into();
        match &mut self.engine {
            Engine::Inline(inline) => {
                inline.progress(&text);
                Ok(())
            }
            Engine::Recorded(operations) => operations.progress(text).await,
        }
    }

    /// Asks the user or the client's model, and waits for the answer: the task is `input_required`
    /// until then.
    ///
    /// An answer that does not fit is asked for again, under a new key, with the reason. A key that is
    /// used again gets a number.
    ///
    /// # Errors
    ///
    /// The client lacks the capability (the task ends as `failed` with `-32021`), or it sent no usable
    /// answer in five attempts. Inline, the answer is not there yet. Return the error with `?`.
    ///
    /// # Examples
    ///
    /// See [`Task`].
    pub async fn ask<T>(&mut self, question: Question<T>) -> Result<T, ToolError> {
        self.put(&question).await
    }

    /// Asks several questions at once and waits for all the answers. The client can answer them one at
    /// a time.
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask).
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::handler::{Elicited, Question};
    /// use lambda_mcp::{Task, ToolError};
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Name {
    ///     name: String,
    /// }
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Size {
    ///     meters: u32,
    /// }
    ///
    /// async fn order(mut task: Task) -> Result<String, ToolError> {
    ///     let name = Question::form::<Name>("name", "Who orders?");
    ///     let size = Question::form::<Size>("size", "How long?");
    ///     match task.ask_all((name, size)).await? {
    ///         (Elicited::Accept(Name { name }), Elicited::Accept(Size { meters })) => {
    ///             Ok(format!("{name} gets {meters} m."))
    ///         }
    ///         _ => Ok("Nothing was ordered.".to_owned()),
    ///     }
    /// }
    /// # let _ = lambda_mcp::task_tool::<(), _, _>("order", order);
    /// ```
    pub async fn ask_all<Q: Questions>(&mut self, questions: Q) -> Result<Q::Answers, ToolError> {
        self.put(&questions).await
    }

    async fn put<Q: Questions>(&mut self, questions: &Q) -> Result<Q::Answers, ToolError> {
        let operations = match &mut self.engine {
            Engine::Inline(inline) => return inline.ask(questions),
            Engine::Recorded(operations) => operations,
        };
        let each = questions.each();
        check(&each, &self.about.capabilities)?;
        let mut answers: Vec<Option<Value>> = vec![None; each.len()];
        let mut wrong: Vec<Option<String>> = vec![None; each.len()];
        for _ in 0..MAX_ROUNDS {
            let places = each.iter().zip(&mut answers).zip(&mut wrong);
            let mut open: Vec<_> = places.filter(|((_, answer), _)| answer.is_none()).collect();
            let put = open.iter().map(|((question, _), wrong)| {
                let key = self.keys.unique(question.key(), '-');
                (key, question.request(wrong.as_deref()))
            });
            let put = put.collect();
            let got = operations.ask(put).await?;
            for (((question, answer), wrong), got) in open.iter_mut().zip(got) {
                match question.check(&got) {
                    Ok(()) => **answer = Some(got),
                    Err(Unusable::IllFilled(reason)) => **wrong = Some(reason),
                    Err(Unusable::IllFormed) => {
                        **wrong = Some("it does not have the form of an answer".to_owned());
                    }
                }
            }
            drop(open);
            let all: Option<Vec<Value>> = answers.iter().cloned().collect();
            if let Some(answers) = all.and_then(|all| questions.read(&all)) {
                return Ok(answers);
            }
        }
        Err(ToolError::new(
            "The user was asked several times, and no answer could be used. Call the tool again.",
        ))
    }
}

impl RunStep for Task {
    fn run_step<'a>(
        &'a mut self,
        name: &'a str,
        body: Arc<StepBody>,
        retry: Option<Retry>,
    ) -> BoxFuture<'a, Result<Value, ToolError>> {
        let name = self.steps.unique(name, '#');
        let step = StepCall {
            key: format!("{}/{name}", self.about.id),
            name,
            body,
            retry,
        };
        match &mut self.engine {
            Engine::Inline(inline) => Box::pin(inline.step(step)),
            Engine::Recorded(operations) => operations.step(step),
        }
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("id", &self.about.id)
            .finish_non_exhaustive()
    }
}
