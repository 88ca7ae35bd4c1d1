//! The request log: one line for each message, or one line for a request without messages.
//!
//! A line never has a body, an argument or a credential. Text of a client is shortened, and
//! characters that could forge a line or reorder it on a screen are replaced.

use std::borrow::Cow;
use std::time::Instant;

use http::{Method, StatusCode};

use crate::auth::Principal;
use crate::auth::challenge::Challenge;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::handler::Invocation;
use crate::limit::CallerKey;
use crate::methods::Answer;
use crate::trace_context::TraceContext;
use crate::wire::version::{Era, ProtocolVersion};

/// The target of the lines of requests. No other line has it.
pub(crate) const REQUEST_TARGET: &str = "lambda_mcp::log";

/// The log of one HTTP request.
#[derive(Debug)]
pub(crate) struct RequestLog<'a> {
    /// `None` for a line of a connection.
    verb: Option<&'a Method>,
    invocation: &'a Invocation,
}

/// What a line says about one message, or about a request without messages.
///
/// In a box: an entry is handed on through the stages of a request, and its room would count in the
/// future of each.
#[derive(Debug)]
pub(crate) struct Entry(Box<Fields>);

#[derive(Debug)]
struct Fields {
    started: Instant,
    era: Option<Era>,
    version: Option<ProtocolVersion>,
    method: Option<String>,
    target: Option<String>,
    client: Option<String>,
    subject: Option<String>,
    traceparent: Option<String>,
    reason: Option<&'static str>,
    outcome: Option<&'static str>,
    code: Option<i32>,
    /// The place of the message in its batch, from 1, and the size of the batch.
    batch: Option<(usize, usize)>,
}

impl Entry {
    /// Begins an entry. Its duration ends with [`RequestLog::write`].
    pub(crate) fn start() -> Self {
        Self(Box::new(Fields {
            started: Instant::now(),
            era: None,
            version: None,
            method: None,
            target: None,
            client: None,
            subject: None,
            traceparent: None,
            reason: None,
            outcome: None,
            code: None,
            batch: None,
        }))
    }

    /// Message number `index` (from 0) of a batch of `size` messages.
    #[must_use]
    pub(crate) fn in_batch(mut self, index: usize, size: usize) -> Self {
        self.0.batch = Some((index + 1, size));
        self
    }

    /// A notification or response.
    #[must_use]
    pub(crate) fn no_reply(mut self, method: Option<&str>, version: ProtocolVersion) -> Self {
        self.0.era = Some(version.era());
        self.0.version = Some(version);
        self.0.method = Some(method.map_or("(response)".into(), printable).into_owned());
        self.0.outcome = Some("accepted");
        self
    }

    /// A message that is invalid, whatever its method.
    #[must_use]
    pub(crate) fn rejected(mut self, error: &ProtocolError, era: Era) -> Self {
        self.0.era = Some(era);
        self.0.outcome = Some("rejected");
        self.0.code = Some(error.code(era));
        self
    }

    /// A request.
    #[must_use]
    pub(crate) fn request(mut self, call: &Call<'_>, trace: &TraceContext<'_>) -> Self {
        let client = call.client.info.as_ref();
        self.0.era = Some(call.version.era());
        self.0.version = Some(call.version);
        self.0.method = Some(printable(&call.method).into_owned());
        self.0.client = client.map(|client| printable(&client.name).into_owned());
        self.0.traceparent = trace.traceparent().map(str::to_owned);
        self
    }

    /// The registered name of what the request addresses.
    #[must_use]
    pub(crate) fn target(mut self, name: Option<&str>) -> Self {
        self.0.target = name.map(str::to_owned);
        self
    }

    /// The caller, as a digest.
    #[must_use]
    pub(crate) fn principal(mut self, principal: Option<&Principal>) -> Self {
        self.0.subject = principal.map(|p| CallerKey::credential(&p.id()).to_string());
        self
    }

    /// The digest of the caller.
    pub(crate) fn subject(&self) -> Option<&str> {
        self.0.subject.as_deref()
    }

    /// The caller is not authorized.
    #[must_use]
    pub(crate) fn challenge(mut self, challenge: &Challenge, era: Era) -> Self {
        self.0.outcome = Some("challenged");
        self.0.reason = Some(challenge.as_str());
        self.0.code = Some(challenge.code(era));
        self
    }

    /// The request was answered.
    #[must_use]
    pub(crate) fn answer(mut self, answer: &Answer, era: Era) -> Self {
        let (outcome, code) = answer.outcome(era);
        self.0.outcome = Some(outcome.as_str());
        self.0.code = code;
        self
    }
}

impl<'a> RequestLog<'a> {
    pub(crate) const fn new(verb: &'a Method, invocation: &'a Invocation) -> Self {
        Self {
            verb: Some(verb),
            invocation,
        }
    }

    /// The log of a line of a connection, which has no HTTP method and no status.
    #[cfg(feature = "stdio")]
    pub(crate) const fn of_connection(invocation: &'a Invocation) -> Self {
        Self {
            verb: None,
            invocation,
        }
    }

    /// Writes one line. `status` is the HTTP status of the message, were it sent alone.
    pub(crate) fn write(&self, Entry(entry): &Entry, status: StatusCode) {
        // Without a message, the status decides: a document or a preflight, or a refusal.
        let without_message = if status.is_success() || status == StatusCode::NOT_MODIFIED {
            "ok"
        } else {
            "refused"
        };
        let duration = entry.started.elapsed().as_micros();
        tracing::info!(
            target: REQUEST_TARGET,
            request_id = self.invocation.request_id.as_deref(),
            http_method = self.verb.map(|verb| printable(verb.as_str())).as_deref(),
            status = self.verb.map(|_| status.as_u16()),
            batch_index = entry.batch.map(|(index, _)| index),
            batch_size = entry.batch.map(|(_, size)| size),
            era = entry.era.map(Era::as_str),
            version = entry.version.map(ProtocolVersion::as_str),
            method = entry.method.as_deref(),
            tool = entry.target.as_deref(),
            client = entry.client.as_deref(),
            subject = entry.subject.as_deref(),
            reason = entry.reason,
            traceparent = entry.traceparent.as_deref(),
            outcome = entry.outcome.unwrap_or(without_message),
            code = entry.code,
            duration_us = u64::try_from(duration).unwrap_or(u64::MAX),
            "request"
        );
    }
}

/// A client's text, at most 80 characters of it, without characters that do not print.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    const MAX_CHARS: usize = 80;
    // Nearly every text is short and of printable ASCII.
    if text.len() <= MAX_CHARS && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let replace = |c: char| {
        if is_printable(c) {
            c
        } else {
            char::REPLACEMENT_CHARACTER
        }
    };
    Cow::Owned(text.chars().take(MAX_CHARS).map(replace).collect())
}

/// Whether a character shows as itself and where it is written. Control and format characters, such
/// as line separators and marks that change the direction of text, do not.
fn is_printable(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_could_forge_or_reorder_a_line_is_replaced() {
        let rows = [
            ("plain é 日本 🦀", "plain é 日本 🦀"),
            (
                "a\nb\r\u{1b}[31m\0",
                "a\u{fffd}b\u{fffd}\u{fffd}[31m\u{fffd}",
            ),
            ("a\u{202e}b\u{2066}c\u{200f}", "a\u{fffd}b\u{fffd}c\u{fffd}"),
            ("a\u{2028}b\u{85}\u{feff}", "a\u{fffd}b\u{fffd}\u{fffd}"),
            ("a\u{e0041}\u{200b}\u{ad}", "a\u{fffd}\u{fffd}\u{fffd}"),
        ];
        for (text, expected) in rows {
            assert_eq!(printable(text), expected, "{text:?}");
        }
        assert_eq!(printable(&"é".repeat(1000)).chars().count(), 80);
    }
}
