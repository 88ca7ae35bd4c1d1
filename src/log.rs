//! One line a request, and what may stand in it: never a body, an argument or a credential.
//!
//! Text of a client is cut, and what could forge a line is taken out.

use std::time::Instant;

use http::{Method, StatusCode};

use crate::auth::Principal;
use crate::auth::challenge::Challenge;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::handler::Invocation;
use crate::limit::CallerKey;
use crate::methods::{Answer, Failure, Outcome};
use crate::wire::version::{Era, ProtocolVersion};

/// What is told of a request.
#[derive(Debug)]
pub(crate) struct Record {
    started: Instant,
    messages: u32,
    era: Option<Era>,
    version: Option<ProtocolVersion>,
    method: Option<String>,
    target: Option<String>,
    client: Option<String>,
    subject: Option<String>,
    reason: Option<&'static str>,
    traceparent: Option<String>,
    tracestate: Option<String>,
    baggage: Option<String>,
    outcome: Option<&'static str>,
    code: Option<i32>,
}

impl Record {
    pub(crate) const fn start(started: Instant) -> Self {
        Self {
            started,
            messages: 0,
            era: None,
            version: None,
            method: None,
            target: None,
            client: None,
            subject: None,
            reason: None,
            traceparent: None,
            tracestate: None,
            baggage: None,
            outcome: None,
            code: None,
        }
    }

    /// Takes up a notification or response.
    pub(crate) fn silent(&mut self, method: Option<&str>, version: ProtocolVersion) {
        self.messages += 1;
        self.era = Some(version.era());
        self.version = Some(version);
        self.method = Some(method.map_or_else(|| "(response)".to_owned(), shown));
        self.outcome.get_or_insert("accepted");
    }

    /// Takes up a message that was refused before its method.
    pub(crate) fn rejected(&mut self, error: &ProtocolError, era: Era) {
        self.messages += 1;
        self.era = Some(era);
        self.outcome = Some("rejected");
        self.code = Some(error.code(era));
    }

    /// Takes up a request that was served.
    pub(crate) fn call(
        &mut self,
        call: &Call<'_>,
        (target, principal): (Option<&str>, Option<&Principal>),
        answer: &Answer,
    ) {
        self.seen(call);
        self.subject = principal.map(|p| CallerKey::subject(&p.id()).to_string());
        self.target = target.map(str::to_owned);
        let (outcome, code) = match (&answer.result, answer.outcome) {
            (Ok(_), Outcome::Ok) => ("ok", None),
            (Ok(_), Outcome::ToolError) => ("tool_error", None),
            (Ok(_), Outcome::InputRequired) => ("input_required", None),
            (Err(Failure::Protocol(error)), _) => ("error", Some(error.code(call.version.era()))),
            (Err(Failure::Limited(limited)), _) => {
                ("limited", Some(limited.code(call.version.era())))
            }
        };
        self.outcome = Some(outcome);
        self.code = code;
    }

    /// Takes up a request whose caller may not make it.
    pub(crate) fn challenged(
        &mut self,
        call: &Call<'_>,
        target: Option<&str>,
        challenge: &Challenge,
    ) {
        self.seen(call);
        self.target = target.map(str::to_owned);
        self.outcome = Some("challenged");
        self.reason = Some(challenge.as_str());
        self.code = Some(challenge.code(call.version.era()));
    }

    fn seen(&mut self, call: &Call<'_>) {
        self.messages += 1;
        self.era = Some(call.version.era());
        self.version = Some(call.version);
        self.method = Some(shown(&call.method));
        self.client = call.client.info.as_ref().map(|client| shown(&client.name));
        let trace = &call.client.trace;
        self.traceparent = trace.traceparent.as_deref().map(shown);
        self.tracestate = trace.tracestate.as_deref().map(shown);
        self.baggage = trace.baggage.as_deref().map(shown);
    }

    /// Writes the line.
    pub(crate) fn finish(self, verb: &Method, invocation: &Invocation, status: StatusCode) {
        // Without a message read, the status tells: a document or a preflight, or a refusal.
        let unread = if status.is_success() { "ok" } else { "refused" };
        let duration_us = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        tracing::info!(
            request_id = invocation.request_id.as_deref(),
            http_method = %shown(verb.as_str()),
            status = status.as_u16(),
            era = self.era.map(Era::as_str),
            version = self.version.map(ProtocolVersion::as_str),
            messages = (self.messages > 1).then_some(self.messages),
            method = self.method,
            tool = self.target,
            client = self.client,
            subject = self.subject,
            reason = self.reason,
            traceparent = self.traceparent,
            tracestate = self.tracestate,
            baggage = self.baggage,
            outcome = self.outcome.unwrap_or(unread),
            code = self.code,
            duration_us,
            "request"
        );
    }
}

/// A client's text: cut, and without what could end a line or colour a terminal.
fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let replace = |c: char| match c {
        '\u{2028}' | '\u{2029}' => char::REPLACEMENT_CHARACTER,
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(replace).take(LONGEST).collect()
}
