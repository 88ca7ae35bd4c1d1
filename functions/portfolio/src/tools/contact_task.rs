//! `contact` as a task: the message is delivered also if the mail service is down for hours.
//!
//! The task is one for equal calls of one caller within ten minutes. Its step sends with an
//! idempotency key of its own, so that a step that runs again does not deliver twice. A mail service
//! without such keys gets one attempt at a time, each of which runs at most once.

use std::sync::Arc;
use std::time::Duration;

use lambda_mcp::server::Tool;
use lambda_mcp::tasks::{Retry, Step, StepError};
use lambda_mcp::{Args, AskingContext, Json, Task, ToolError, prepared_task_tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contact::{Caller, Confirm, Delivered, Mail, Message, Outcome, deliver};
use crate::tools::contact::{
    ABOUT, Answer, Checked, ContactService, NOT_CONFIRMED, caller, described,
};

/// The time within which equal calls are one message.
const WINDOW: Duration = Duration::from_secs(600);
/// How long the call of a client without tasks waits.
const WAIT: Duration = Duration::from_secs(2);
/// The time of one attempt.
const ATTEMPT: Duration = Duration::from_secs(10);
/// About five and a half hours, within the day that Resend keeps a key and the task runs.
const ATTEMPTS: u32 = 40;
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(600);
const UNKNOWN: Outcome = Outcome::Unknown {
    is_repeatable: false,
};

/// A message that the user confirmed, if the client was asked.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Accepted {
    #[schemars(with = "String")]
    message: Message,
    #[schemars(with = "Option<String>")]
    caller: Option<Caller>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// The mail service accepted the message.
    Sent,
    /// The message will be sent.
    Accepted,
}

/// Builds the tool.
pub(crate) fn tool(service: &Arc<ContactService>) -> Tool<()> {
    let pending = Json(Answer {
        status: Status::Accepted,
        reference: None,
        reply_to: None,
        note: format!(
            "The message to {} was accepted and will be delivered. Do not send it again.",
            service.person
        ),
    });
    let prepare = {
        let service = Arc::clone(service);
        move |context: AskingContext, Args(Checked(message)): Args<Checked>| {
            let service = Arc::clone(&service);
            async move { accept(&service, &context, message) }
        }
    };
    let run = {
        let service = Arc::clone(service);
        move |task: Task, Args(accepted): Args<Accepted>| {
            let service = Arc::clone(&service);
            async move { send(task, service, accepted).await }
        }
    };
    described(prepared_task_tool(ABOUT.name, prepare, run))
        .once_per(WINDOW)
        .silent()
        .background(WAIT, pending)
}

/// Asks the user to confirm, where that is configured.
fn accept(
    service: &ContactService,
    context: &AskingContext,
    message: Message,
) -> Result<Args<Accepted>, ToolError> {
    let caller = caller(context);
    if service.confirm == Confirm::Ask {
        let mail = service.mail(caller.clone(), message.clone());
        if !service.is_confirmed(context, &mail)? {
            return Err(ToolError::new(NOT_CONFIRMED));
        }
    }
    Ok(Args(Accepted { message, caller }))
}

async fn send(
    task: Task,
    service: Arc<ContactService>,
    Accepted { message, caller }: Accepted,
) -> Result<Json<Answer<Status>>, ToolError> {
    let mail = service.mail(caller, message);
    let delivered = if service.mailer.knows_repeats() {
        with_key(task, &service, &mail).await?
    } else {
        without_key(task, &service, &mail).await?
    };
    Ok(Json(service.answer(&mail, delivered, Status::Sent)))
}

fn retry() -> Retry {
    Retry::attempts(ATTEMPTS)
        .first_pause(FIRST_PAUSE)
        .longest_pause(LONGEST_PAUSE)
}

/// Sends a mail by a service that recognizes a repeated key.
async fn with_key(
    mut task: Task,
    service: &Arc<ContactService>,
    mail: &Mail,
) -> Result<Delivered, ToolError> {
    let (service, mail) = (Arc::clone(service), mail.clone());
    let body = move |step: Step| {
        let mail = mail.clone().keyed(step.idempotency_key);
        let service = Arc::clone(&service);
        async move {
            let sent = deliver(&*service.mailer, &*service.sent_log, &mail, ATTEMPT).await;
            sent.map_err(|failure| {
                let outcome = failure.outcome();
                // After the last attempt, an equal call is another execution with another key.
                let told = match outcome {
                    Outcome::Unknown { .. } => UNKNOWN,
                    Outcome::Refused | Outcome::NotTaken => outcome,
                };
                let error = ToolError::new(service.error_text(told)).source(failure);
                match outcome {
                    Outcome::NotTaken
                    | Outcome::Unknown {
                        is_repeatable: true,
                    } => StepError::again(error),
                    Outcome::Refused | UNKNOWN => error.into(),
                }
            })
        }
    };
    task.step("send", body).retry(retry()).await
}

/// How an attempt ended that must not be repeated by itself.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Attempted {
    Delivered(Delivered),
    Refused,
    NotTaken,
    Unknown,
}

/// Sends a mail by a service that does not recognize repetitions. Another attempt follows only if the
/// last one certainly did not send it.
async fn without_key(
    mut task: Task,
    service: &Arc<ContactService>,
    mail: &Mail,
) -> Result<Delivered, ToolError> {
    let mut attempt = 1;
    loop {
        let body = {
            let (service, mail) = (Arc::clone(service), mail.clone());
            move |_| {
                let (service, mail) = (Arc::clone(&service), mail.clone());
                async move { Ok(try_once(&service, &mail).await) }
            }
        };
        let attempted = match task.step_once("send", body).await {
            Ok(attempted) => attempted,
            // The process ended in the attempt. An error with a cause ends the task.
            Err(error) if error.cause().is_none() => Attempted::Unknown,
            Err(error) => return Err(error),
        };
        let outcome = match attempted {
            Attempted::Delivered(delivered) => return Ok(delivered),
            Attempted::Refused => Outcome::Refused,
            Attempted::Unknown => UNKNOWN,
            Attempted::NotTaken => match retry().pause_after(attempt) {
                Some(pause) => {
                    task.sleep(pause).await?;
                    attempt += 1;
                    continue;
                }
                None => Outcome::NotTaken,
            },
        };
        return Err(ToolError::new(service.error_text(outcome)));
    }
}

async fn try_once(service: &ContactService, mail: &Mail) -> Attempted {
    let sent = deliver(&*service.mailer, &*service.sent_log, mail, ATTEMPT).await;
    match sent.map_err(|failure| (failure.outcome(), failure)) {
        Ok(delivered) => Attempted::Delivered(delivered),
        Err((outcome, failure)) => {
            tracing::warn!(reference = mail.reference(), error = %failure, "a mail was not sent");
            match outcome {
                Outcome::Refused => Attempted::Refused,
                Outcome::NotTaken => Attempted::NotTaken,
                Outcome::Unknown { .. } => Attempted::Unknown,
            }
        }
    }
}
