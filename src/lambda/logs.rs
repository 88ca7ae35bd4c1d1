//! The log: JSON lines on the standard output, where Lambda collects them.

use std::panic::PanicHookInfo;
use std::str::FromStr;

use thiserror::Error;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Targets, by prefix, that are held at `warn` whatever the level: their traces print events, with
/// the bodies and credentials in them.
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

/// How much is logged, by this library and by the program; the libraries below log warnings only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogLevel(LevelFilter);

/// A word that is no log level.
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
    /// Starts the log at this level. Does nothing if a log was started before.
    pub fn init(self) {
        let quiet = self.0.min(LevelFilter::WARN);
        let levels = Targets::new()
            .with_default(self.0)
            .with_targets(QUIET_LIBRARIES.map(|library| (library, quiet)));
        let lines = tracing_subscriber::fmt::layer()
            .json()
            .flatten_event(true)
            .with_current_span(false)
            .with_span_list(false);
        let started = tracing_subscriber::registry()
            .with(lines)
            .with(levels)
            .try_init();
        if started.is_ok() {
            std::panic::set_hook(Box::new(log_panic));
        }
    }
}

/// A panic as one line like any other. Its text can hold what a request said, so only text that
/// was fixed at build is logged.
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
    fn levels_are_words() {
        assert_eq!("info".parse(), Ok(LogLevel::default()));
        assert!("TRACE".parse::<LogLevel>().is_ok());
        assert!("verbose".parse::<LogLevel>().is_err());
        assert!("lambda_mcp=trace".parse::<LogLevel>().is_err());
    }
}
