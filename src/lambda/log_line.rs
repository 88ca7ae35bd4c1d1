//! The form of a log line: the JSON of the event, with the fields of its spans.

use std::fmt;
use std::time::SystemTime;

use serde::Serialize;
use tracing::field::{Field, Visit};
use tracing::span::Record;
use tracing::{Event, Subscriber};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

use crate::wire::text::quote_into;
use crate::wire::timestamp::rfc3339_micros;

/// The names of the fields of a request's span in the log, as the line of the request has them. `None`
/// for what only OpenTelemetry needs.
fn log_name(field: &str) -> Option<&str> {
    match field {
        "mcp.method.name" => Some("method"),
        "mcp.resource.uri" => Some("resource"),
        "gen_ai.tool.name" => Some("tool"),
        "gen_ai.prompt.name" => Some("prompt"),
        "enduser.pseudo.id" => Some("subject"),
        "mcp.protocol.version"
        | "gen_ai.operation.name"
        | "jsonrpc.request.id"
        | "rpc.response.status_code"
        | "error.type" => None,
        name if name.starts_with("otel.") => None,
        name => Some(name),
    }
}

/// Writes an event as one line of JSON, in one piece: the time, the level, the fields, the target.
#[derive(Debug)]
pub(super) struct JsonLine;

/// Room for the line of a request.
const USUAL_BYTES: usize = 512;

impl<S> FormatEvent<S, SpanFields> for JsonLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, SpanFields>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let time = rfc3339_micros(SystemTime::now());
        let mut line = Vec::with_capacity(USUAL_BYTES);
        line.extend_from_slice(br#"{"timestamp":"#);
        quote_into(&mut line, &time);
        line.extend_from_slice(br#","level":"#);
        quote_into(&mut line, event.metadata().level().as_str());
        line.push(b',');
        let mut members = Members {
            json: line,
            name: |name| Some(name),
            end: b',',
        };
        event.record(&mut members);
        let mut line = members.json;
        line.extend_from_slice(br#""target":"#);
        quote_into(&mut line, event.metadata().target());
        let mut line = String::from_utf8(line).map_err(|_| fmt::Error)?;
        let scope = context.lookup_current().into_iter();
        for span in scope.flat_map(|innermost| innermost.scope()) {
            let extensions = span.extensions();
            let Some(fields) = extensions.get::<FormattedFields<SpanFields>>() else {
                continue;
            };
            // A field of the event, or of a span further in, wins.
            for member in fields.fields.lines() {
                let name = member.split_inclusive(':').next().unwrap_or_default();
                if !line.contains(name) {
                    line.push(',');
                    line.push_str(member);
                }
            }
        }
        line.push_str("}\n");
        writer.write_str(&line)
    }
}

/// Writes each field of a span as a member of a JSON object, on a line of its own. JSON text has no
/// line breaks.
#[derive(Debug)]
pub(super) struct SpanFields;

impl<'w> FormatFields<'w> for SpanFields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut members = Members {
            json: Vec::with_capacity(USUAL_BYTES),
            name: log_name,
            end: b'\n',
        };
        fields.record(&mut members);
        writer.write_str(std::str::from_utf8(&members.json).map_err(|_| fmt::Error)?)
    }

    fn add_fields(
        &self,
        current: &'w mut FormattedFields<Self>,
        fields: &Record<'_>,
    ) -> fmt::Result {
        self.format_fields(current.as_writer(), fields)
    }
}

/// Fields as members of a JSON object: `"name":value`, and `end` behind each.
struct Members {
    json: Vec<u8>,
    /// The name of a member in the log. `None`: it is left out.
    name: fn(&str) -> Option<&str>,
    end: u8,
}

impl Members {
    fn write(&mut self, field: &Field, value: impl FnOnce(&mut Vec<u8>)) {
        let Some(name) = (self.name)(field.name()) else {
            return;
        };
        quote_into(&mut self.json, name);
        self.json.push(b':');
        value(&mut self.json);
        self.json.push(self.end);
    }

    fn write_number(&mut self, field: &Field, value: impl Serialize) {
        // Numbers and booleans can always be written.
        self.write(field, |json| drop(serde_json::to_writer(json, &value)));
    }
}

impl Visit for Members {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.write(field, |json| quote_into(json, value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.write_number(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.write_number(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.write_number(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.write_number(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.write(field, |json| quote_into(json, &format!("{value:?}")));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use serde_json::Value;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// The lines that `log` writes.
    fn written(log: impl FnOnce()) -> Vec<Value> {
        let lines = Lines::default();
        let writer = lines.clone();
        let layer = tracing_subscriber::fmt::layer()
            .fmt_fields(SpanFields)
            .event_format(JsonLine)
            .with_writer(move || writer.clone());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), log);
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let lines = text.lines().map(serde_json::from_str);
        lines
            .collect::<Result<_, _>>()
            .unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    #[test]
    fn a_line_has_the_fields_of_its_spans() {
        let lines = written(|| {
            let request = tracing::info_span!(
                "mcp.request",
                otel.name = "tools/call order",
                request_id = "r-1",
                mcp.method.name = "tools/call",
                gen_ai.tool.name = "order",
                enduser.pseudo.id = tracing::field::Empty,
            );
            request.record("enduser.pseudo.id", "f00");
            let _request = request.entered();
            tracing::info!("first");
            let _step =
                tracing::info_span!("step", row = 3, tool = "saw", note = "a\n\"b\"}").entered();
            tracing::info!(row = 4, text = "\"tool\":", "second }}");
        });
        let [first, second] = &lines[..] else {
            panic!("{lines:?}");
        };
        assert_eq!(first["message"], "first");
        for line in [first, second] {
            assert_eq!(line["request_id"], "r-1");
            assert_eq!(line["method"], "tools/call");
            assert_eq!(line["subject"], "f00");
            assert!(line.get("otel.name").is_none(), "{line}");
        }
        assert_eq!(first["tool"], "order");
        assert_eq!(second["tool"], "saw");
        assert_eq!(second["row"], 4);
        assert_eq!(second["note"], "a\n\"b\"}");
        assert_eq!(second["message"], "second }");
    }

    #[test]
    fn times_have_the_form_of_the_library_for_logs() {
        use tracing_subscriber::fmt::time::FormatTime as _;
        let mut theirs = String::new();
        tracing_subscriber::fmt::time::SystemTime
            .format_time(&mut Writer::new(&mut theirs))
            .unwrap();
        // The library takes the time itself, so only the form can be compared.
        let form = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "0");
        assert_eq!(form(&rfc3339_micros(SystemTime::now())), form(&theirs));
    }

    #[test]
    fn a_line_outside_of_spans_has_its_own_fields_only() {
        let lines = written(|| tracing::warn!(code = -1, "alone"));
        let members: Vec<&String> = lines[0].as_object().unwrap().keys().collect();
        assert_eq!(members, ["timestamp", "level", "message", "code", "target"]);
    }
}
