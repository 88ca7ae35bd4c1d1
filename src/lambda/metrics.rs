//! CloudWatch metrics in the request log. CloudWatch, *Embedded metric format specification*.
//!
//! The line of a request gets the members `_aws` and `service`. CloudWatch Logs makes metrics of them
//! when it receives the line: nothing else is written, and no request waits for CloudWatch.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::log::REQUEST_TARGET;

const NAMESPACE: &str = "lambda-mcp";
const SERVICE: &str = "service";
const TOOL: &str = "tool";
const ERA: &str = "era";
const OUTCOME: &str = "outcome";
/// The only metric. Its `SampleCount` is the number of requests.
const DURATION: &str = "duration_us";

/// CloudWatch metrics of requests, in the log lines of requests.
///
/// The namespace is `lambda-mcp` and the metric `duration_us`, in microseconds. Its statistic
/// `SampleCount` is the number of requests. The dimensions are `service` and `outcome`; [`Metrics::all`]
/// adds `tool` and `era`. Values of clients are never dimensions: the number of metrics is bounded by
/// what the server defines.
///
/// CloudWatch bills each combination of values that occurs, by the hour in which it occurs.
///
/// # Examples
///
/// ```
/// use lambda_mcp::lambda::{LogLevel, Metrics};
///
/// // Usually with `AWS_LAMBDA_FUNCTION_NAME`, before `lambda_mcp::run`.
/// LogLevel::default().init_with(Metrics::totals("portfolio"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metrics {
    service: String,
    detail: Detail,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Totals,
    All,
}

impl Metrics {
    /// Metrics of the whole service: all requests, and the requests of each outcome. At most 11.
    #[must_use]
    pub fn totals(service: impl Into<String>) -> Self {
        Self {
            service: service.into(),
            detail: Detail::Totals,
        }
    }

    /// The same, and metrics by tool and outcome and by era.
    ///
    /// `tool` is the registered name of a tool, resource, resource template or prompt.
    #[must_use]
    pub fn all(service: impl Into<String>) -> Self {
        Self {
            service: service.into(),
            detail: Detail::All,
        }
    }

    /// The members that make metrics of a line with these members.
    fn members(&self, line: Members, now: SystemTime) -> Root<'_> {
        let mut dimensions: Vec<&'static [&'static str]> = vec![&[SERVICE], &[SERVICE, OUTCOME]];
        // A dimension that is not a member of the line would make the line invalid.
        if self.detail == Detail::All && line.has_tool {
            dimensions.push(&[SERVICE, TOOL, OUTCOME]);
        }
        if self.detail == Detail::All && line.has_era {
            dimensions.push(&[SERVICE, ERA]);
        }
        let elapsed = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        Root {
            aws: Metadata {
                timestamp: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
                cloud_watch_metrics: [Directive {
                    namespace: NAMESPACE,
                    dimensions,
                    metrics: [Metric {
                        name: DURATION,
                        unit: "Microseconds",
                    }],
                }],
            },
            service: &self.service,
        }
    }
}

#[derive(Debug, Serialize)]
struct Root<'a> {
    #[serde(rename = "_aws")]
    aws: Metadata,
    service: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metadata {
    timestamp: u64,
    cloud_watch_metrics: [Directive; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Directive {
    namespace: &'static str,
    dimensions: Vec<&'static [&'static str]>,
    metrics: [Metric; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metric {
    name: &'static str,
    unit: &'static str,
}

/// Which members a line has.
#[derive(Debug, Clone, Copy, Default)]
struct Members {
    has_tool: bool,
    has_era: bool,
    has_outcome: bool,
    has_duration: bool,
}

impl Visit for Members {
    fn record_debug(&mut self, field: &Field, _value: &dyn fmt::Debug) {
        match field.name() {
            TOOL => self.has_tool = true,
            ERA => self.has_era = true,
            OUTCOME => self.has_outcome = true,
            DURATION => self.has_duration = true,
            _ => {}
        }
    }
}

/// Formats log lines as `lines` does, and adds the metrics to the lines of requests.
#[derive(Debug)]
pub(super) struct WithMetrics<F> {
    pub(super) lines: F,
    pub(super) metrics: Option<Metrics>,
}

impl<S, N, F> FormatEvent<S, N> for WithMetrics<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let is_request = event.metadata().target() == REQUEST_TARGET;
        let Some(metrics) = self.metrics.as_ref().filter(|_| is_request) else {
            return self.lines.format_event(context, writer, event);
        };
        let mut members = Members::default();
        event.record(&mut members);
        if !(members.has_outcome && members.has_duration) {
            return self.lines.format_event(context, writer, event);
        }
        let mut line = String::new();
        self.lines
            .format_event(context, Writer::new(&mut line), event)?;
        // Two objects become one: `{a}` and `{b}` are `{a,b}`.
        let root = metrics.members(members, SystemTime::now());
        let root = serde_json::to_string(&root).map_err(|_| fmt::Error)?;
        match (root.strip_suffix('}'), line.strip_prefix('{')) {
            (Some(root), Some(line)) => {
                writer.write_str(root)?;
                writer.write_char(',')?;
                writer.write_str(line)
            }
            _ => writer.write_str(&line),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;

    fn members(metrics: &Metrics, has_tool: bool, has_era: bool) -> Value {
        let line = Members {
            has_tool,
            has_era,
            has_outcome: true,
            has_duration: true,
        };
        let now = UNIX_EPOCH + Duration::from_millis(1_780_000_000_123);
        serde_json::to_value(metrics.members(line, now)).unwrap()
    }

    #[test]
    fn totals_have_the_dimensions_service_and_outcome() {
        let expected = json!({
            "_aws": {
                "Timestamp": 1_780_000_000_123_u64,
                "CloudWatchMetrics": [{
                    "Namespace": "lambda-mcp",
                    "Dimensions": [["service"], ["service", "outcome"]],
                    "Metrics": [{"Name": "duration_us", "Unit": "Microseconds"}],
                }],
            },
            "service": "portfolio",
        });
        assert_eq!(members(&Metrics::totals("portfolio"), true, true), expected);
    }

    #[test]
    fn all_adds_only_dimensions_that_the_line_has() {
        let dimensions = |has_tool, has_era| {
            let root = members(&Metrics::all("portfolio"), has_tool, has_era);
            root["_aws"]["CloudWatchMetrics"][0]["Dimensions"].clone()
        };
        let totals = [json!(["service"]), json!(["service", "outcome"])];
        let with = |more: &[Value]| Value::from([&totals, more].concat());
        let tool = json!(["service", "tool", "outcome"]);
        let era = json!(["service", "era"]);
        assert_eq!(dimensions(false, false), with(&[]));
        assert_eq!(dimensions(false, true), with(std::slice::from_ref(&era)));
        assert_eq!(dimensions(true, true), with(&[tool, era]));
    }
}
