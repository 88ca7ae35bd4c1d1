//! [`Ses`]: sends mails by Amazon SES, version 2 of its API (`ses:SendEmail`).
//!
//! SES has no idempotency keys. A second attempt is made only if the first one was certainly not
//! accepted, and [`sent`](super::sent) recognizes a repeated message.

use std::io;
use std::time::Duration;

use aws_sdk_sesv2::Client;
use aws_sdk_sesv2::error::{BuildError, ProvideErrorMetadata as _, SdkError};
use aws_sdk_sesv2::operation::send_email::SendEmailError;
use aws_sdk_sesv2::types::{Body, Content, Destination, EmailContent, Message};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::OnceCell;

use super::failure::{Failure, Outcome, chain};
use super::mail::Mail;
use super::mailer::{Mailer, Receipt};
use super::quote::quote;
use crate::aws;

const PAUSE: Duration = Duration::from_millis(300);
const UNKNOWN: Outcome = Outcome::Unknown {
    is_repeatable: false,
};

/// A client of SES in the environment's Region. It connects when the first mail is sent.
#[derive(Debug, Default)]
pub(crate) struct Ses(OnceCell<Client>);

impl Ses {
    async fn client(&self) -> &Client {
        let build = async || Client::new(aws::config().await);
        self.0.get_or_init(build).await
    }

    async fn submit(&self, mail: &Mail) -> Result<Receipt, Failure> {
        let content = content(mail).map_err(|error| {
            let cause = format!("ses: the request cannot be built: {error}");
            Failure::new(Outcome::Refused, cause)
        })?;
        let to = Destination::builder().to_addresses(mail.to.as_str());
        let answer = self
            .client()
            .await
            .send_email()
            .from_email_address(mail.from.encoded())
            .destination(to.build())
            .set_reply_to_addresses(
                mail.reply_to()
                    .map(|address| vec![address.as_str().to_owned()]),
            )
            .content(content)
            .send()
            .await;
        match answer {
            Ok(output) => Ok(Receipt::of(output.message_id())),
            Err(error) => Err(failure(&error, mail)),
        }
    }
}

impl Mailer for Ses {
    fn name(&self) -> &'static str {
        "ses"
    }

    fn knows_repeats(&self) -> bool {
        false
    }

    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<Receipt, Failure>> {
        self.submit(mail).boxed()
    }
}

fn content(mail: &Mail) -> Result<EmailContent, BuildError> {
    let utf8 = |text: &str| Content::builder().data(text).charset("UTF-8").build();
    let body = Body::builder()
        .text(utf8(&mail.text)?)
        .html(utf8(&mail.html)?);
    let message = Message::builder()
        .subject(utf8(&mail.subject)?)
        .body(body.build())
        .build();
    Ok(EmailContent::builder().simple(message).build())
}

fn failure(error: &SdkError<SendEmailError>, mail: &Mail) -> Failure {
    match error {
        SdkError::ServiceError(answer) => {
            let status = answer.raw().status().as_u16();
            let error = answer.err();
            let words = [error.code(), error.message()].map(Option::unwrap_or_default);
            let words = quote(&words.join(": "), mail, None);
            let cause = format!("ses answered {status}: {words}");
            let (outcome, pause) = classify(status);
            Failure::new(outcome, cause).again_after(pause)
        }
        SdkError::ConstructionFailure(_) => {
            let cause = format!("ses: the request cannot be sent: {}", chain(error));
            Failure::new(Outcome::Refused, quote(&cause, mail, None))
        }
        SdkError::DispatchFailure(_) if never_connected(error) => {
            let cause = format!("ses cannot be reached: {}", chain(error));
            Failure::new(Outcome::NotTaken, cause).again_after(PAUSE)
        }
        // With any other error, it is unknown whether the mail was accepted.
        SdkError::DispatchFailure(_)
        | SdkError::TimeoutError(_)
        | SdkError::ResponseError(_)
        | _ => Failure::new(UNKNOWN, format!("ses did not answer: {}", chain(error))),
    }
}

/// Returns what an error status means, and the pause before a retry if one is useful.
const fn classify(status: u16) -> (Outcome, Option<Duration>) {
    match status {
        429 | 503 => (Outcome::NotTaken, Some(PAUSE)),
        400..=499 => (Outcome::Refused, None),
        _ => (UNKNOWN, None),
    }
}

/// Returns whether the connection failed before the request was sent. The client's only timeout is
/// that of connecting.
fn never_connected(error: &SdkError<SendEmailError>) -> bool {
    let SdkError::DispatchFailure(failure) = error else {
        return false;
    };
    let sources = std::iter::successors(
        Some(error as &(dyn std::error::Error + 'static)),
        |&error| error.source(),
    );
    let is_refused = |error: &(dyn std::error::Error + 'static)| {
        error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
    };
    failure.is_timeout() || sources.into_iter().any(is_refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_mail_that_was_certainly_not_accepted_is_retried() {
        let rows = [
            (400, Outcome::Refused, None),
            (403, Outcome::Refused, None),
            (404, Outcome::Refused, None),
            (429, Outcome::NotTaken, Some(PAUSE)),
            (500, UNKNOWN, None),
            (502, UNKNOWN, None),
            (503, Outcome::NotTaken, Some(PAUSE)),
            (504, UNKNOWN, None),
        ];
        for (status, outcome, pause) in rows {
            assert_eq!(classify(status), (outcome, pause), "{status}");
        }
    }
}
