//! `portfolio page OUT [--url URL] [--content DIR]`: writes the page and its documents as files, for any web
//! server or storage that serves files. `portfolio server-json URL [--content DIR]`: prints the entry for the
//! MCP registry.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use crate::built_in;
use crate::config::Config;
use crate::content::{self, Localized, Severity};
use crate::serve::{self, Portfolio};

/// Writes the page.
///
/// # Errors
///
/// The output cannot be written.
pub(crate) fn write_page(
    arguments: impl Iterator<Item = OsString>,
    out: &mut impl Write,
) -> io::Result<ExitCode> {
    let usage = "usage: portfolio page OUT [--url URL] [--content DIR]";
    run(arguments, usage, out, |options, portfolio, out| {
        let folder = Path::new(&options.argument);
        for one in portfolio.published {
            let name = one.path.trim_start_matches('/');
            let name = if name.is_empty() { "index.html" } else { name };
            let path = folder.join(name);
            let text = (one.text)();
            let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            let written = written.and_then(|()| std::fs::write(&path, &text));
            if let Err(error) = written {
                return Err(format!("{}: cannot be written: {error}", path.display()));
            }
            let line = format!("{} ({} bytes)", path.display(), text.len());
            writeln!(out, "{line}").map_err(|error| error.to_string())?;
        }
        Ok(())
    })
}

/// Prints `server.json`.
///
/// # Errors
///
/// The output cannot be written.
pub(crate) fn print_server_json(
    arguments: impl Iterator<Item = OsString>,
    out: &mut impl Write,
) -> io::Result<ExitCode> {
    let usage = "usage: portfolio server-json URL [--content DIR]";
    run(arguments, usage, out, |options, portfolio, out| {
        let server = portfolio
            .builder
            .build()
            .map_err(|error| error.to_string())?;
        let entry = server.registry_entry(&options.argument);
        let entry = entry.map_err(|error| error.to_string())?;
        let text = serde_json::to_string_pretty(&entry).map_err(|error| error.to_string())?;
        writeln!(out, "{text}").map_err(|error| error.to_string())
    })
}

/// What the arguments say.
struct Options {
    /// The one without a name.
    argument: String,
    url: Option<String>,
    content: Option<PathBuf>,
}

fn run<W: Write>(
    arguments: impl Iterator<Item = OsString>,
    usage: &str,
    out: &mut W,
    work: impl FnOnce(&Options, Portfolio, &mut W) -> Result<(), String>,
) -> io::Result<ExitCode> {
    let done = options(arguments).ok_or_else(|| usage.to_owned());
    let done = done.and_then(|options| {
        let portfolio = portfolio(&options)?;
        work(&options, portfolio, out)
    });
    match done {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(fault) => {
            writeln!(out, "{fault}")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

fn options(arguments: impl Iterator<Item = OsString>) -> Option<Options> {
    let mut words = arguments.map(|word| word.to_string_lossy().into_owned());
    let (mut argument, mut url, mut content) = (None, None, None);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--url" => url = Some(words.next()?),
            "--content" => content = Some(PathBuf::from(words.next()?)),
            _ if word.starts_with("--") || argument.is_some() => return None,
            _ => argument = Some(word),
        }
    }
    Some(Options {
        argument: argument?,
        url,
        content,
    })
}

/// The server on the owner's files, without what only a deployment has.
fn portfolio(options: &Options) -> Result<Portfolio, String> {
    let variable = |name: &str| match name {
        "PUBLIC_URL" => options.url.as_ref().map(OsString::from),
        _ => None,
    };
    let config = Config::read(variable).map_err(|invalid| invalid.to_string())?;
    let content = read(options.content.as_deref())?;
    serve::portfolio(config, &content).map_err(|error| error.to_string())
}

fn read(directory: Option<&Path>) -> Result<Arc<Localized>, String> {
    let sources = built_in::sources_in(directory);
    let (content, report) = content::load(&sources);
    content.map(Arc::new).ok_or_else(|| {
        let faults = report.of(Severity::Error).map(ToString::to_string);
        faults.collect::<Vec<_>>().join("\n")
    })
}
