//! [`serve_stdio`]: a server over standard input and output. Specification: *stdio*.
//!
//! `lines` finds the messages in the input, `calls` knows the requests in flight, `connection` serves
//! them. This file connects them with the process: each stream has a thread, because a read or write
//! that blocks must not delay the end of the program.

mod calls;
mod connection;
mod lines;

use std::io::{self, BufWriter, ErrorKind, Read as _, Write};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;

use crate::future::BoxFuture;
use crate::lambda::{Error, LogLevel};
use crate::pipeline::Server;
use crate::wire::one_line::one_line;

/// How many bytes are read at once.
const PIECE: usize = 64 * 1024;
/// How many pieces of input wait.
const PIECES: usize = 4;
/// How many lines of output wait.
const LINES: usize = 64;
/// How long the last lines may take after the end of the connection.
const LAST_LINES_TIMEOUT: Duration = Duration::from_secs(10);

/// Serves one client over standard input and output, until the input ends.
///
/// Clients on a desktop start such a server as a process. Both eras are served: the first request
/// decides which one, for the whole connection. A connection that begins with `initialize` can also
/// [ask](crate::AskingContext) a client of the revisions before 2026-07-28, if it declares the
/// capability. Calls run side by side; `notifications/cancelled` ends one.
///
/// The log goes to the standard error output as JSON lines; call [`LogLevel::init_on_stderr`] first to
/// set another level. A handler must not write to the standard output.
///
/// Requests have no headers and no credential: whoever starts the process has its rights. Tools that
/// require a scope are refused. Lines are limited by [`max_body_bytes`], calls by [`call_timeout`].
///
/// [`LogLevel::init_on_stderr`]: crate::lambda::LogLevel::init_on_stderr
/// [`max_body_bytes`]: crate::server::ServerBuilder::max_body_bytes
/// [`call_timeout`]: crate::server::ServerBuilder::call_timeout
///
/// # Errors
///
/// [`Error::StdioOnLambda`] on Lambda, and [`Error::Stdio`] if no thread can be started. A client that
/// goes away is not an error.
///
/// # Examples
///
/// One program for both: with the argument `stdio` it serves the client that started it, without one
/// it is a Lambda function.
///
/// ```no_run
/// use lambda_mcp::{Server, tool};
///
/// async fn hello() -> &'static str {
///     "Hello."
/// }
///
/// #[tokio::main(flavor = "current_thread")]
/// async fn main() -> Result<(), lambda_mcp::Error> {
///     let server = Server::builder("greeter", "1.0.0").tool(tool("hello", hello)).build()?;
///     match std::env::args().nth(1).as_deref() {
///         Some("stdio") => lambda_mcp::serve_stdio(server).await,
///         _ => lambda_mcp::run(server).await,
///     }
/// }
/// ```
pub async fn serve_stdio(server: Server) -> Result<(), Error> {
    serve(server).await
}

/// The work of [`serve_stdio`]. Boxed here, it is compiled once, and not in each crate that awaits it.
fn serve(server: Server) -> BoxFuture<'static, Result<(), Error>> {
    Box::pin(serve_lines(server))
}

async fn serve_lines(server: Server) -> Result<(), Error> {
    // Lambda and its emulators set it. A function that only reads its input would never answer.
    if std::env::var_os("AWS_LAMBDA_RUNTIME_API").is_some() {
        return Err(Error::StdioOnLambda);
    }
    LogLevel::default().init_on_stderr();
    let (pieces, input) = channel(PIECES);
    let (output, lines) = channel(LINES);
    let (written, all_written) = oneshot::channel();
    let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
    thread("stdin")
        .spawn(move || read(&pieces))
        .map_err(Error::Stdio)?;
    thread("stdout")
        .spawn(move || {
            // An error means that nobody reads: the channel closes, and the connection ends.
            let _gone = write(lines);
            let _ended = written.send(());
        })
        .map_err(Error::Stdio)?;
    connection::serve(server, input, output).await;
    let _late = tokio::time::timeout(LAST_LINES_TIMEOUT, all_written).await;
    Ok(())
}

/// Reads the standard input to its end.
fn read(pieces: &Sender<Bytes>) {
    let mut stdin = io::stdin().lock();
    let mut piece = vec![0; PIECE];
    loop {
        let bytes = match stdin.read(&mut piece) {
            Ok(bytes) => piece.get(..bytes).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                tracing::error!(%error, "the standard input cannot be read");
                return;
            }
        };
        if bytes.is_empty() || pieces.blocking_send(Bytes::copy_from_slice(bytes)).is_err() {
            return;
        }
    }
}

/// Writes lines until there are no more. What is there is written together.
fn write(mut lines: Receiver<Bytes>) -> io::Result<()> {
    let mut stdout = BufWriter::with_capacity(PIECE, io::stdout());
    while let Some(line) = lines.blocking_recv() {
        write_line(&mut stdout, &line)?;
        while let Ok(line) = lines.try_recv() {
            write_line(&mut stdout, &line)?;
        }
        stdout.flush()?;
    }
    Ok(())
}

/// Writes a message as one line. "Messages MUST NOT contain embedded newlines".
fn write_line(output: &mut impl Write, message: &[u8]) -> io::Result<()> {
    output.write_all(&one_line(message))?;
    output.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line() {
        let rows = [
            (r#"{"a":1}"#, "{\"a\":1}\n"),
            ("{\n  \"a\": 1\r\n}", "{   \"a\": 1  }\n"),
        ];
        for (message, expected) in rows {
            let mut written = Vec::new();
            write_line(&mut written, message.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), expected);
        }
    }
}
