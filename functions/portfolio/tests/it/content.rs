//! The owner's files: `portfolio check-content`, and a function that starts or refuses to start with
//! the same words.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use harness::messages::ping;
use harness::{
    Answer, Front, HttpRequest, Outcome, RuntimeApi, ServerConfig, TestServer, background, event,
};

/// A directory with an owner's files, used by one test.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates an empty directory. `name` is unique to the test.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("content")
            .join(name);
        if path.exists() {
            std::fs::remove_dir_all(&path).unwrap();
        }
        std::fs::create_dir_all(&path).unwrap();
        Self { path }
    }

    /// The directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one of the files.
    pub(crate) fn write(&self, file: &str, text: &str) {
        std::fs::write(self.path.join(file), text).unwrap();
    }

    /// Starts the function on these files.
    pub(crate) fn serve(&self) -> TestServer {
        let path = self.path.to_str().unwrap();
        ServerConfig::new("portfolio")
            .env("CONTENT_DIR", path)
            .start()
    }

    fn check(&self) -> Output {
        portfolio(&["check-content", self.path.to_str().unwrap()])
    }
}

fn portfolio(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portfolio"));
    command.args(arguments).env_clear().output().unwrap()
}

/// The messages of the start-up errors in a log.
fn start_errors(logs: &str) -> Vec<String> {
    logs.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .filter(|line: &Value| line["level"] == "ERROR")
        .map(|line| line["message"].as_str().unwrap().to_owned())
        .collect()
}

/// The log of a function that did not start.
fn refused(server: &TestServer) -> String {
    match server.post(&ping()).outcome() {
        Outcome::Exited { status, logs } => {
            assert_eq!(status, "exit status: 1", "{logs}");
            logs
        }
        other => panic!("the function started: {other:?}"),
    }
}

#[test]
fn the_shipped_files_are_ready_to_serve() {
    let built_in = portfolio(&["check-content"]);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../content");
    for output in [built_in, portfolio(&["check-content", folder])] {
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        assert!(
            text.ends_with("Ready to serve: 0 errors, 0 warnings, 4 withheld.\n"),
            "{text}"
        );
        assert!(output.stderr.is_empty());
    }
}

#[test]
fn each_kind_of_unusable_file_is_refused_by_the_check_and_by_the_function_in_the_same_words() {
    let resume = r#"{"basics": {"name": "A"}}"#;
    let rows = [
        (
            "{\n \"basics\": {\"name\": \"A\",}\n}",
            "",
            "resume.json:2:24: is not JSON: trailing comma before `}`; remove the comma",
        ),
        (
            "",
            "",
            "resume.json: is empty; it must contain a JSON Resume",
        ),
        (
            r#"{"name": "x", "scripts": {}}"#,
            "",
            "resume.json: is JSON, but not a JSON Resume: it has no `basics`; it looks like a package.json of npm",
        ),
        (
            r#"{"basics": {"label": "x"}, "work": {}}"#,
            "",
            "resume.json: /basics/name: is missing; the person's name is required",
        ),
        (
            resume,
            "[publish]\nphone = 1\n",
            "profile.toml: publish.phone: must be `true` or `false`, not a number",
        ),
        (resume, "[publish\n", "profile.toml:1:9: is not TOML: "),
        (
            resume,
            "[projects]\nfeatured = [\"X\"]\n",
            "profile.toml: projects.featured[0]: resume.json has no project \"X\"",
        ),
    ];
    for (i, (resume, profile, rule)) in rows.into_iter().enumerate() {
        let folder = Folder::new(&format!("bad-{i}"));
        folder.write("resume.json", resume);
        folder.write("profile.toml", profile);
        let output = folder.check();
        assert_eq!(output.status.code(), Some(1), "{rule}");
        let text = String::from_utf8(output.stdout).unwrap();
        let error = text.lines().next().unwrap();
        assert!(
            error.starts_with("error: ") && error.contains(rule),
            "{rule}: {text}"
        );
        assert!(
            text.ends_with("The function would not start: 1 error, 0 warnings, 0 withheld.\n"),
            "{text}"
        );
        assert_eq!(start_errors(&refused(&folder.serve())), [error]);
    }
}

#[test]
fn all_errors_of_both_files_come_at_once() {
    let folder = Folder::new("many-faults");
    folder.write(
        "resume.json",
        r#"{"basics": {"label": 1}, "work": 2, "projects": []}"#,
    );
    folder.write(
        "profile.toml",
        "[availability]\nstatus = \"perhaps\"\nhours_per_week = -1\n\
         [publish]\nphones = true\nemail = 1\n[projects]\nfeatured = [\"X\"]\n",
    );
    let text = String::from_utf8(folder.check().stdout).unwrap();
    let errors: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("error: "))
        .collect();
    assert_eq!(errors.len(), 6, "{text}");
    assert_eq!(start_errors(&refused(&folder.serve())), errors);
}

#[test]
fn a_missing_folder_is_refused_and_a_missing_profile_publishes_nothing() {
    let folder = Folder::new("no-profile");
    assert_eq!(folder.check().status.code(), Some(1));
    folder.write(
        "resume.json",
        r#"{"basics": {"name": "A", "email": "a@example.com"}}"#,
    );
    let output = folder.check();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("profile.toml: does not exist; contact data is withheld"),
        "{text}"
    );
    let reply = folder.serve();
    let params = json!({"name": "get_resume", "arguments": {}});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let result = reply.post(&message).version("2025-11-25").send().result();
    assert_eq!(
        result["structuredContent"],
        json!({"basics": {"name": "A"}})
    );
}

#[test]
fn warnings_are_logged_at_start_and_the_function_serves() {
    let folder = Folder::new("warnings");
    folder.write(
        "resume.json",
        r#"{"basics": {"name": "A", "url": "a.example"}}"#,
    );
    folder.write("profile.toml", "");
    let server = folder.serve();
    assert_eq!(
        server.post(&ping()).version("2025-11-25").send().result(),
        json!({})
    );
    let logs = server.finish();
    assert!(
        logs.contains("/basics/url: is not an absolute URL"),
        "{logs}"
    );
    assert_eq!(start_errors(&logs), Vec::<String>::new());
}

#[test]
fn findings_never_quote_private_values() {
    let folder = Folder::new("private");
    folder.write(
        "resume.json",
        r#"{"basics": {"name": "A", "email": "hidden-mailbox", "phone": 12025550142,
            "location": "17 Hidden Street", "summary": "Call +1 202-555-0142 or hidden@example.com"}}"#,
    );
    folder.write("profile.toml", "");
    let mut text = String::from_utf8(folder.check().stdout).unwrap();
    let server = folder.serve();
    assert_eq!(
        server.post(&ping()).version("2025-11-25").send().result(),
        json!({})
    );
    text.push_str(&server.finish());
    for private in ["hidden", "Hidden", "0142"] {
        assert!(!text.contains(private), "{private}: {text}");
    }
}

#[test]
fn configuration_faults_are_reported_together_and_stop_the_function() {
    let server = ServerConfig::new("portfolio")
        .env("ALLOWED_HOSTS", "http://a")
        .env("HEADER_ONLY_REQUESTS", "maybe")
        .env("LOG_LEVEL", "loud")
        .env("REQUEST_STATE_KEY", "short-secret")
        .env("RESPONSE_STREAMING", "sometimes")
        .start();
    let logs = refused(&server);
    assert!(!logs.contains("short-secret"), "{logs}");
    let errors = start_errors(&logs);
    let names: Vec<_> = errors
        .iter()
        .map(|error| error.split_once(':').unwrap().0)
        .collect();
    assert_eq!(
        names,
        [
            "ALLOWED_HOSTS",
            "HEADER_ONLY_REQUESTS",
            "LOG_LEVEL",
            "REQUEST_STATE_KEY",
            "RESPONSE_STREAMING"
        ]
    );
}

/// The response mode of the function with this value of `RESPONSE_STREAMING`.
fn response_mode(setting: &str) -> Option<String> {
    let api = RuntimeApi::start();
    let mut function = Command::new(env!("CARGO_BIN_EXE_portfolio"))
        .env_clear()
        .env("AWS_LAMBDA_RUNTIME_API", api.address().to_string())
        .env("AWS_LAMBDA_FUNCTION_NAME", "portfolio")
        .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128")
        .env("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST")
        .env("REQUEST_STATE_KEY", "k".repeat(32))
        .env("RESPONSE_STREAMING", setting)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let event = event(Front::Rest, &HttpRequest::post(ping().to_string()));
    let timeout = Duration::from_secs(10);
    let answered = api.invoke(event.to_string().into(), timeout);
    let answer = background().block_on(async { tokio::time::timeout(timeout, answered).await });
    function.kill().unwrap();
    function.wait().unwrap();
    let Ok(Ok(Answer::Response { headers, .. })) = answer else {
        panic!("{setting}: {answer:?}")
    };
    let mode = headers.get("lambda-runtime-function-response-mode")?;
    Some(mode.to_str().unwrap().to_owned())
}

#[test]
fn responses_are_streamed_where_the_configuration_says_so() {
    assert_eq!(response_mode("true").as_deref(), Some("streaming"));
    assert_eq!(response_mode("false"), None);
    assert_eq!(response_mode(""), None);
}

#[test]
fn an_unknown_command_is_refused_with_the_usage() {
    let output = portfolio(&["check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("usage: portfolio [check-content [DIR]]")
    );
}
