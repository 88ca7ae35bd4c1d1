//! One execution environment: a program of this package, started the way Lambda starts it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, SystemTime};

use tokio::sync::{oneshot, watch};

use super::{Logs, background, workspace};

/// A running program; dropping it kills it and waits for its end.
#[derive(Debug)]
pub(crate) struct Child {
    kill: Option<oneshot::Sender<()>>,
    // In a mutex, so that several threads can share a server.
    gone: Mutex<mpsc::Receiver<()>>,
    exit: watch::Receiver<Option<String>>,
}

impl Child {
    /// Starts `program` with nothing in its environment but what Lambda sets and `env`.
    pub(crate) fn start(
        program: &str,
        env: &BTreeMap<String, String>,
        runtime_api: SocketAddr,
        logs: &Logs,
    ) -> Self {
        let path = path_of(program);
        let _guard = background().enter();
        let mut command = tokio::process::Command::new(&path);
        command
            .env_clear()
            .envs(lambda_environment(runtime_api))
            .envs(env)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut process = command
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", path.display()));
        let stdout = logs.collect(process.stdout.take().unwrap());
        let stderr = logs.collect(process.stderr.take().unwrap());
        let (kill, killed) = oneshot::channel::<()>();
        let (gone_tx, gone) = mpsc::channel();
        let (exit_tx, exit) = watch::channel(None);
        background().spawn(async move {
            let status = tokio::select! {
                status = process.wait() => status.map_or_else(|e| e.to_string(), |s| s.to_string()),
                _ = killed => {
                    let _ = process.kill().await;
                    "killed by the harness".to_owned()
                }
            };
            let _ = stdout.await;
            let _ = stderr.await;
            let _ = exit_tx.send(Some(status));
            let _ = gone_tx.send(());
        });
        Self {
            kill: Some(kill),
            gone: Mutex::new(gone),
            exit,
        }
    }

    /// Tells when the program ends by itself, and how.
    pub(crate) fn exit(&self) -> watch::Receiver<Option<String>> {
        self.exit.clone()
    }

    /// Ends the program; what it wrote before is then in the logs, complete.
    pub(crate) fn stop(&mut self) {
        if let Some(kill) = self.kill.take() {
            let _ = kill.send(());
            let gone = self.gone.get_mut().unwrap();
            let _ = gone.recv_timeout(Duration::from_secs(10));
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The variables that Lambda sets for every function.
fn lambda_environment(runtime_api: SocketAddr) -> Vec<(String, String)> {
    let mut environment: Vec<(String, String)> = [
        ("AWS_LAMBDA_FUNCTION_NAME", "under-test"),
        ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256"),
        ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"),
        ("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/under-test"),
        (
            "AWS_LAMBDA_LOG_STREAM_NAME",
            "2026/08/01/[$LATEST]0123456789abcdef",
        ),
        ("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand"),
        ("AWS_REGION", "eu-central-1"),
        ("AWS_DEFAULT_REGION", "eu-central-1"),
        ("LANG", "en_US.UTF-8"),
        ("PATH", "/usr/local/bin:/usr/bin:/bin:/opt/bin"),
        ("TZ", ":UTC"),
        ("_HANDLER", "bootstrap"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    environment.push(("AWS_LAMBDA_RUNTIME_API".to_owned(), runtime_api.to_string()));
    // A coverage run finds its profile by this one.
    environment.extend(std::env::var("LLVM_PROFILE_FILE").map(|v| ("LLVM_PROFILE_FILE".into(), v)));
    environment
}

/// Where cargo put the program: the shipped function, or an example beside it.
pub(crate) fn path_of(program: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    // target/debug/deps/it-0123456789abcdef
    let profile = test.ancestors().nth(2).expect("a target folder");
    let folder = if program == "portfolio" {
        profile.to_owned()
    } else {
        profile.join("examples")
    };
    let path = folder
        .join(program)
        .with_extension(std::env::consts::EXE_EXTENSION);
    refuse_stale(program, &path);
    path
}

/// Panics when the program was built before its sources were last touched.
///
/// `cargo test` builds examples and binaries, `cargo test --test it` does not build the examples: without
/// this check it would quietly judge yesterday's program.
fn refuse_stale(program: &str, path: &Path) {
    let built = std::fs::metadata(path)
        .and_then(|m| m.modified())
        .unwrap_or_else(|error| panic!("{}: {error}; `make built` makes it", path.display()));
    let workspace = workspace();
    let sources = [
        workspace.join("src"),
        workspace.join("functions").join(program).join("src"),
        workspace
            .join("examples")
            .join(program)
            .with_extension("rs"),
        workspace.join("tests/fixtures").join(program),
        workspace
            .join("tests/fixtures")
            .join(program)
            .with_extension("rs"),
    ];
    let newest = sources.iter().filter_map(|source| newest_in(source)).max();
    assert!(
        newest.is_none_or(|newest| newest <= built),
        "`{program}` is older than its sources; `make built` rebuilds it"
    );
}

/// The latest change of a Rust file at or below `path`.
///
/// Files of unit tests are left out: cargo does not build a program again because of them.
fn newest_in(path: &Path) -> Option<SystemTime> {
    let stem = path.file_stem()?.to_str()?;
    if stem == "tests" || stem.ends_with("_tests") || stem == "test_client" {
        return None;
    }
    if path.is_dir() {
        let entries = std::fs::read_dir(path).ok()?;
        return entries
            .flatten()
            .filter_map(|entry| newest_in(&entry.path()))
            .max();
    }
    let is_rust = path.extension().is_some_and(|extension| extension == "rs");
    is_rust
        .then(|| std::fs::metadata(path).ok()?.modified().ok())
        .flatten()
}
