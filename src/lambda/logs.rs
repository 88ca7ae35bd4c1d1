//! The log: JSON lines on the standard output, which Lambda collects.

use std::panic::PanicHookInfo;
use std::str::FromStr;

use thiserror::Error;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::log_line::{JsonLine, SpanFields};
use super::metrics::{Metrics, WithMetrics};

/// Prefixes of targets that never log below `warn`: their traces contain events, with bodies and
/// credentials.
const QUIET_LIBRARIES: [&str; 9] = [
    "aws_",
    "h2",
    "hyper",
    "lambda_runtime",
    "mio",
    "reqwest",
    "rustls",
    "tokio",
    "tower",
];

/// The minimum level of log lines. Defaults to `info`.
///
/// It applies to this library and to the program. Other libraries log warnings and errors only,
/// since their traces contain bodies and credentials.
///
/// # Examples
///
/// ```
/// use lambda_mcp::lambda::LogLevel;
///
/// // Usually `std::env::var("LOG_LEVEL")`, before `lambda_mcp::run`.
/// let level: LogLevel = "debug".parse()?;
/// level.init();
/// # Ok::<_, lambda_mcp::lambda::InvalidLogLevel>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogLevel(LevelFilter);

/// The error of parsing a [`LogLevel`]: the text is not `off`, `error`, `warn`, `info`, `debug` or
/// `trace`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a log level; write off, error, warn, info, debug or trace")]
pub struct InvalidLogLevel(String);

impl Default for LogLevel {
    fn default() -> Self {
        Self(LevelFilter::INFO)
    }
}

impl FromStr for LogLevel {
    type Err = InvalidLogLevel;

    fn from_str(text: &str) -> Result<Self, InvalidLogLevel> {
        text.parse()
            .map(Self)
            .map_err(|_| InvalidLogLevel(text.to_owned()))
    }
}

impl LogLevel {
    /// Starts the log: JSON lines on the standard output. Panics are logged as well, without text
    /// that was formatted at run time.
    ///
    /// A line has the fields of the spans that it is in. Lines of a handler thus have `request_id`,
    /// `method`, `subject` and `tool`, `prompt` or `resource`, as the line of the request has them.
    ///
    /// Does nothing if a global `tracing` subscriber is already set.
    pub fn init(self) {
        self.start(None, std::io::stdout);
    }

    /// Starts the log as [`LogLevel::init`] does, but on the standard error output.
    ///
    /// [`serve_stdio`](crate::serve_stdio) calls it: the standard output is for messages only.
    #[cfg(feature = "stdio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "stdio")))]
    pub fn init_on_stderr(self) {
        self.start(None, std::io::stderr);
    }

    /// Starts the log, with CloudWatch metrics in the lines of requests.
    ///
    /// Those lines have the level `info`: with a higher level there are no metrics. Otherwise the same as
    /// [`LogLevel::init`].
    pub fn init_with(self, metrics: Metrics) {
        self.start(Some(metrics), std::io::stdout);
    }

    fn start<W>(self, metrics: Option<Metrics>, output: W)
    where
        W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
    {
        let quiet = self.0.min(LevelFilter::WARN);
        let levels = Targets::new()
            .with_default(self.0)
            .with_targets(QUIET_LIBRARIES.map(|library| (library, quiet)));
        let lines = tracing_subscriber::fmt::layer()
            .fmt_fields(SpanFields)
            .with_writer(output)
            .event_format(WithMetrics {
                lines: JsonLine,
                metrics,
            });
        let started = tracing_subscriber::registry()
            .with(lines)
            .with(levels)
            .try_init();
        if started.is_ok() {
            std::panic::set_hook(Box::new(log_panic));
        }
    }
}

/// Logs a panic as one line. Its text can contain parts of a request, so only text that was fixed
/// at compile time is logged.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let text = panic.payload().downcast_ref::<&'static str>().copied();
    let location = panic.location().map(ToString::to_string);
    tracing::error!(
        panic = text.unwrap_or("(formatted text)"),
        location,
        "panic"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_one_of_six_words() {
        assert_eq!("info".parse(), Ok(LogLevel::default()));
        assert!("TRACE".parse::<LogLevel>().is_ok());
        assert!("verbose".parse::<LogLevel>().is_err());
        assert!("lambda_mcp=trace".parse::<LogLevel>().is_err());
    }
}
