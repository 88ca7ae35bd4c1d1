//! The examples that serve HTTP themselves, as programs.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use harness::messages::call;
use harness::{SERVED_VERSIONS, TestServer};

const DEADLINE: Duration = Duration::from_secs(30);

/// A running program that says where it serves. It ends when dropped.
struct Program {
    process: Child,
    url: String,
}

impl Program {
    fn start(name: &str, argument: &str) -> Self {
        let mut process = command(name)
            .arg(argument)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{name}: {error}; `make built` builds it"));
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        // Reads on, so that the program is not stopped by a full pipe.
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let first = lines
            .recv_timeout(DEADLINE)
            .expect("the program says where it serves");
        let first: Value = serde_json::from_str(&first).unwrap();
        assert_eq!(first["message"], "serving", "{first}");
        let url = first["url"].as_str().unwrap().to_owned();
        Self { process, url }
    }

    /// Waits for the end of the program.
    fn end(&mut self) -> ExitStatus {
        let until = Instant::now() + DEADLINE;
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < until, "the program does not end");
            std::thread::yield_now();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(name: &str) -> Command {
    let test = std::env::current_exe().unwrap();
    let examples = test.ancestors().nth(2).unwrap().join("examples");
    let mut command = Command::new(examples.join(name));
    command.env_clear();
    command
}

#[test]
fn axum_router_serves_its_route_and_its_tool() {
    let program = Program::start("axum_router", "127.0.0.1:0");
    let server = TestServer::at(&program.url);
    let home = server.request("GET", "/").send();
    assert_eq!(
        (home.status, home.body.as_slice()),
        (200, b"Apples and pears.".as_slice())
    );
    for version in SERVED_VERSIONS {
        let result = call(&server, version, "price", json!({"fruit": "apple"})).result();
        assert_eq!(result["content"][0]["text"], "An apple costs 40 cents.");
    }
    assert_eq!(server.request("GET", "/mcp").send().status, 405);
    assert_eq!(
        server.request("GET", "/health").send().json()["status"],
        "ok"
    );
    assert_eq!(server.request("GET", "/nothing").send().status, 404);
}

#[test]
fn serve_local_serves_this_machine_until_it_is_interrupted() {
    let mut program = Program::start("serve_locally", "0");
    assert!(
        program.url.starts_with("http://127.0.0.1:"),
        "{}",
        program.url
    );
    let server = TestServer::at(&program.url);
    for version in SERVED_VERSIONS {
        let result = call(&server, version, "where_am_i", json!({})).result();
        assert_eq!(result["content"][0]["text"], "You call from 127.0.0.1.");
    }
    assert_eq!(server.request("GET", "/mcp").send().status, 405);

    let pid = program.process.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(sent.success());
    assert!(program.end().success(), "an interrupt is not an error");
}

#[test]
fn serve_local_refuses_to_run_on_lambda() {
    let output = command("serve_locally")
        .arg("0")
        .env("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9")
        .output()
        .unwrap();
    assert!(!output.status.success());
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("LocalOnLambda"), "{words}");
}
