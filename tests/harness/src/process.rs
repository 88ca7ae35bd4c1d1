//! A program that serves one client over its standard input and output.
//!
//! Requests and notifications of the program are judged by the official schema of the version that the
//! handshake agreed on.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::child::path_of;
use super::schema::{self, Version};

/// How long a test waits for what must come.
const DEADLINE: Duration = Duration::from_secs(60);

/// A running program and the client's ends of its streams. It is killed when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Output,
    log: Receiver<String>,
    /// The version that the handshake agreed on.
    agreed: Cell<Option<Version>>,
}

#[derive(Debug)]
enum Output {
    /// A thread reads the lines.
    Lines(Receiver<String>),
    /// Nobody reads yet.
    Unread(Option<ChildStdout>),
}

impl Process {
    /// Starts a program of the workspace: `portfolio`, or the name of an example.
    pub fn start(program: &str, arguments: &[&str], env: &[(&str, &str)]) -> Self {
        let mut process = Self::start_unread(program, arguments, env);
        process.read();
        process
    }

    /// Starts a program whose output nobody reads until [`read`](Self::read).
    pub fn start_unread(program: &str, arguments: &[&str], env: &[(&str, &str)]) -> Self {
        let mut child = Command::new(path_of(program))
            .args(arguments)
            .env_clear()
            .envs(env.iter().copied().collect::<BTreeMap<_, _>>())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {program}: {error}"));
        let log = lines(child.stderr.take().unwrap());
        Self {
            input: child.stdin.take(),
            output: Output::Unread(child.stdout.take()),
            child,
            log,
            agreed: Cell::new(None),
        }
    }

    /// Begins to read the output.
    pub fn read(&mut self) {
        if let Output::Unread(output) = &mut self.output {
            self.output = Output::Lines(lines(output.take().unwrap()));
        }
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a message as one line.
    pub fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open input");
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// Takes the input, to write to it from another thread.
    pub fn take_input(&mut self) -> ChildStdin {
        self.input.take().expect("an open input")
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes the output at the client's end.
    pub fn close_output(&mut self) {
        self.output = Output::Unread(None);
    }

    /// The next line of the output, as JSON.
    #[track_caller]
    pub fn next(&self) -> Value {
        let line = self
            .next_line()
            .expect("another line before the end of the output");
        let message = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        if let Some(version) = schema::agreed(&message) {
            self.agreed.set(Some(version));
        }
        if let Err(fault) = schema::of_a_server(self.agreed.get(), &message) {
            panic!("{fault}\n  in {message}");
        }
        message
    }

    /// The next line of the output. `None` at its end.
    #[track_caller]
    pub fn next_line(&self) -> Option<String> {
        let Output::Lines(lines) = &self.output else {
            panic!("nobody reads the output");
        };
        match lines.recv_timeout(DEADLINE) {
            Ok(line) => Some(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                panic!("no line within {DEADLINE:?}; the log:\n{}", self.logged())
            }
        }
    }

    /// Sends a message and returns the next line.
    #[track_caller]
    pub fn ask(&mut self, message: &Value) -> Value {
        self.send(message);
        self.next()
    }

    /// Waits for a line of the log with these words, and returns it.
    #[track_caller]
    pub fn logs(&self, words: &str) -> String {
        let end = Instant::now() + DEADLINE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.log.recv_timeout(left) {
                Ok(line) if line.contains(words) => return line,
                Ok(_) => {}
                Err(_) => panic!("the log does not say `{words}`"),
            }
        }
    }

    /// What is logged and was not read yet.
    pub fn logged(&self) -> String {
        self.log.try_iter().collect::<Vec<_>>().join("\n")
    }

    /// Waits for the end of the process.
    #[track_caller]
    pub fn ends(&mut self) -> ExitStatus {
        let end = Instant::now() + DEADLINE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the process does not end; the log:\n{}", self.logged());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a stream, as a thread reads them.
fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
