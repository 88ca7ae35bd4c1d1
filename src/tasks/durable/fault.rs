//! [`Fault`]: what an error of the Lambda API means.

use std::error::Error;
use std::time::Duration;

use aws_sdk_lambda::config::http::HttpResponse;
use aws_sdk_lambda::error::{ProvideErrorMetadata, SdkError};

use crate::error::chain;
use crate::tasks::engine::EngineError;

/// When the caller of a throttled API may try again, if the service does not say.
const THROTTLED: Duration = Duration::from_secs(1);
/// The longest that a caller is sent away for.
const LONGEST: Duration = Duration::from_secs(60);

/// What an error of the Lambda API means.
#[derive(Debug)]
pub(super) enum Fault {
    /// There is no such execution or callback, or it is not visible yet.
    NotFound,
    /// The callback was answered before, or its time is over.
    Late,
    /// An execution of this name has another payload.
    AlreadyStarted,
    /// The payload is too large.
    TooLarge,
    /// The request is not valid in the present state, with the reason for the log.
    Invalid(String),
    /// Too many requests. Another attempt after this time may succeed.
    Throttled(Duration),
    /// Anything else, with the reason for the log.
    Failed(String),
}

impl Fault {
    pub(super) fn of<E>(error: &SdkError<E, HttpResponse>) -> Self
    where
        E: ProvideErrorMetadata + Error + 'static,
    {
        let Some(service) = error.as_service_error() else {
            return Self::Failed(chain(error));
        };
        let code = service.code().unwrap_or("no code");
        let reason = || format!("{code}: {}", service.message().unwrap_or_default());
        match code {
            "ResourceNotFoundException" => Self::NotFound,
            "CallbackTimeoutException" => Self::Late,
            "DurableExecutionAlreadyStartedException" => Self::AlreadyStarted,
            "RequestTooLargeException" => Self::TooLarge,
            "InvalidParameterValueException" => Self::Invalid(reason()),
            "TooManyRequestsException" => Self::Throttled(wait(error.raw_response())),
            _ => Self::Failed(reason()),
        }
    }

    /// What the engine answers, if the call has no other answer to this fault. It is logged.
    pub(super) fn refused(self, call: &'static str) -> EngineError {
        match self {
            Self::NotFound => EngineError::Unknown,
            Self::TooLarge => EngineError::TooLarge,
            Self::Throttled(wait) => {
                tracing::warn!(call, "the API of the tasks throttles");
                EngineError::Busy(wait)
            }
            Self::Invalid(reason) | Self::Failed(reason) => {
                tracing::error!(call, reason, "the API of the tasks failed");
                EngineError::Failed
            }
            Self::Late | Self::AlreadyStarted => {
                tracing::error!(call, "the API of the tasks gave an unexpected answer");
                EngineError::Failed
            }
        }
    }
}

fn wait(response: Option<&HttpResponse>) -> Duration {
    let header = response.and_then(|response| response.headers().get("Retry-After"));
    let seconds = header.and_then(|header| header.parse().ok());
    seconds.map_or(THROTTLED, |seconds| {
        Duration::from_secs(seconds).min(LONGEST)
    })
}
