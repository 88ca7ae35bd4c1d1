//! [`Resend`]: sends mails by Resend's HTTPS API.
//!
//! Resend keeps an idempotency key for 24 hours and answers a repeated request with the first
//! answer. A second attempt after a lost answer therefore does not deliver the mail twice.

use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, RETRY_AFTER, USER_AGENT};
use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_util::client::legacy;
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::address::EmailAddress;
use super::failure::{Failure, Outcome, chain};
use super::https::{self, BaseUrl, HttpsClient};
use super::mail::Mail;
use super::mailer::{Mailer, Receipt};
use super::quote::quote;
use super::secret::{Secret, SecretSource};

/// The default URL of the API.
pub(crate) const BASE_URL: &str = "https://api.resend.com";
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The API rejects requests without `User-Agent`.
const AGENT: &str = concat!("lambda-mcp-portfolio/", env!("CARGO_PKG_VERSION"));
/// Maximum size of a response. A response is an ID or a short error.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// Timeout of the body after the status has arrived.
const REST: Duration = Duration::from_secs(1);
/// The longest pause before a retry, because the caller waits as well.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// The pause if the service requests none.
const PAUSE: Duration = Duration::from_millis(250);
/// The mail may have been accepted. The key makes a retry safe.
const UNKNOWN: Outcome = Outcome::Unknown {
    is_repeatable: true,
};

/// A client of the API. It connects when the first mail is sent.
#[derive(Debug)]
pub(crate) struct Resend {
    base_url: BaseUrl,
    api_key: SecretSource,
    client: OnceCell<HttpsClient>,
}

/// The body of `POST /emails`.
#[derive(Serialize)]
struct Email<'a> {
    from: String,
    to: [&'a str; 1],
    subject: &'a str,
    text: &'a str,
    html: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply_to: Option<&'a str>,
}

/// The body of a response: an ID, or an error.
#[derive(Default, Deserialize)]
struct Answer {
    id: Option<String>,
    name: Option<String>,
    message: Option<String>,
}

impl Resend {
    pub(super) fn new(base_url: BaseUrl, api_key: SecretSource) -> Self {
        Self {
            base_url,
            api_key,
            client: OnceCell::new(),
        }
    }

    async fn post(&self, mail: &Mail) -> Result<Receipt, Failure> {
        let api_key = self.api_key.get().await.map_err(|reason| {
            Failure::new(Outcome::NotTaken, format!("resend: no API key: {reason}"))
        })?;
        let request = self.request(mail, &api_key).map_err(|error| {
            let cause = format!("resend: the request cannot be built: {error}");
            Failure::new(Outcome::Refused, cause)
        })?;
        let client = self.client.get_or_try_init(|| async { https::client() });
        let client = client.await.map_err(|error| {
            let cause = format!("resend: the HTTPS client cannot be built: {error}");
            Failure::new(Outcome::NotTaken, cause)
        })?;
        let response = client
            .request(request)
            .await
            .map_err(|error| lost(&error))?;
        let (head, body) = response.into_parts();
        // The status decides. A missing body changes nothing.
        let rest = Limited::new(body, MAX_ANSWER_BYTES).collect();
        let body = match timeout(REST, rest).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) | Err(_) => Bytes::new(),
        };
        Self::read(mail, &api_key, &Response::from_parts(head, body))
    }

    fn request(
        &self,
        mail: &Mail,
        api_key: &Secret,
    ) -> Result<Request<Full<Bytes>>, Box<dyn std::error::Error + Send + Sync>> {
        let email = Email {
            from: mail.from.unicode(),
            to: [mail.to.as_str()],
            subject: &mail.subject,
            text: &mail.text,
            html: &mail.html,
            reply_to: mail.reply_to().map(EmailAddress::as_str),
        };
        let mut authorization = HeaderValue::try_from(format!("Bearer {}", api_key.expose()))?;
        authorization.set_sensitive(true);
        let request = Request::post(self.base_url.join("/emails")?)
            .header(AUTHORIZATION, authorization)
            .header(IDEMPOTENCY_KEY, format!("contact/{}", mail.key))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .header(USER_AGENT, AGENT)
            .body(Full::new(Bytes::from(serde_json::to_vec(&email)?)))?;
        Ok(request)
    }

    fn read(mail: &Mail, api_key: &Secret, response: &Response<Bytes>) -> Result<Receipt, Failure> {
        let status = response.status();
        let answer: Answer = serde_json::from_slice(response.body()).unwrap_or_default();
        if status.is_success() {
            return Ok(Receipt::of(answer.id.as_deref()));
        }
        let (outcome, pause) = classify(status, response.headers(), answer.name.as_deref());
        let words = [answer.name, answer.message].map(Option::unwrap_or_default);
        let words = quote(&words.join(": "), mail, Some(api_key.expose()));
        let cause = format!("resend answered {status}: {words}");
        Err(Failure::new(outcome, cause).again_after(pause))
    }
}

impl Mailer for Resend {
    fn name(&self) -> &'static str {
        "resend"
    }

    fn knows_repeats(&self) -> bool {
        true
    }

    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<Receipt, Failure>> {
        self.post(mail).boxed()
    }
}

/// Returns what an error response means, and the pause before a retry if one is useful.
fn classify(
    status: StatusCode,
    headers: &HeaderMap,
    name: Option<&str>,
) -> (Outcome, Option<Duration>) {
    match status {
        StatusCode::TOO_MANY_REQUESTS => (Outcome::NotTaken, retry_after(headers)),
        StatusCode::CONFLICT if name == Some("concurrent_idempotent_requests") => (UNKNOWN, None),
        StatusCode::INTERNAL_SERVER_ERROR
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => (UNKNOWN, Some(PAUSE)),
        status if status.is_server_error() => (UNKNOWN, None),
        _ => (Outcome::Refused, None),
    }
}

/// Returns the pause that the service requests, if it is short enough.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers
        .get(RETRY_AFTER)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()?;
    Some(Duration::from_secs(seconds)).filter(|pause| *pause <= LONGEST_PAUSE)
}

/// The failure without a response: the connection failed.
fn lost(error: &legacy::Error) -> Failure {
    let outcome = if error.is_connect() {
        Outcome::NotTaken
    } else {
        UNKNOWN
    };
    let cause = format!("resend cannot be reached: {}", chain(error));
    Failure::new(outcome, cause).again_after(PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_decides_whether_and_when_to_retry() {
        let seconds = Duration::from_secs;
        let rows = [
            (400, None, None, Outcome::Refused, None),
            (401, None, None, Outcome::Refused, None),
            (403, None, Some("1"), Outcome::Refused, None),
            (404, None, None, Outcome::Refused, None),
            (408, None, None, Outcome::Refused, None),
            (
                409,
                Some("concurrent_idempotent_requests"),
                None,
                UNKNOWN,
                None,
            ),
            (
                409,
                Some("invalid_idempotent_request"),
                None,
                Outcome::Refused,
                None,
            ),
            (422, None, None, Outcome::Refused, None),
            (429, None, Some("0"), Outcome::NotTaken, Some(seconds(0))),
            (429, None, Some("2"), Outcome::NotTaken, Some(seconds(2))),
            (429, None, Some("3"), Outcome::NotTaken, None),
            (429, None, Some("-1"), Outcome::NotTaken, None),
            (
                429,
                None,
                Some("Fri, 01 Jan 2027 00:00:00 GMT"),
                Outcome::NotTaken,
                None,
            ),
            (429, None, None, Outcome::NotTaken, None),
            (500, None, None, UNKNOWN, Some(PAUSE)),
            (501, None, None, UNKNOWN, None),
            (502, None, None, UNKNOWN, Some(PAUSE)),
            (503, None, Some("60"), UNKNOWN, Some(PAUSE)),
            (504, None, None, UNKNOWN, Some(PAUSE)),
            (301, None, None, Outcome::Refused, None),
        ];
        for (status, name, retry_after, outcome, pause) in rows {
            let mut headers = HeaderMap::new();
            if let Some(value) = retry_after {
                headers.insert(RETRY_AFTER, HeaderValue::from_static(value));
            }
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(
                classify(status, &headers, name),
                (outcome, pause),
                "{status} {name:?} {retry_after:?}"
            );
        }
    }
}
