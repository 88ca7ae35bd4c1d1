//! What is no message, what is too long, and how a connection ends. Specification: *stdio*.

use harness::Process;
use serde_json::json;

use super::{assert_code, call, desk, initialized, modern, notification, request, text};

#[test]
fn a_line_that_is_no_message_is_refused_and_the_next_one_is_served() {
    let rows: [(&[u8], i64); 9] = [
        (b"not json", -32700),
        (b"{\"jsonrpc\":\"2.0\",", -32700),
        (b"\xff\xfe", -32700),
        (b"42", -32600),
        (b"{}", -32600),
        (b"[]", -32600),
        (
            b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
            -32600,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
            -32600,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
            -32600,
        ),
    ];
    let mut process = initialized("2025-11-25", json!({}));
    for (line, code) in rows {
        process.send_raw(line);
        process.send_raw(b"\n");
        let refused = process.next();
        assert_code(&refused, code);
        // The schema of 2025-11-25 has no `null` there.
        assert_ne!(refused.get("id"), Some(&json!(null)), "{refused}");
        assert_eq!(
            text(&process.ask(&call(json!(1), "echo", json!({"text": "on"})))),
            "on"
        );
    }
    let deep = "[".repeat(100_000);
    process.send_raw(format!("{deep}\n").as_bytes());
    assert_code(&process.next(), -32600);
    assert_eq!(
        text(&process.ask(&call(json!(1), "echo", json!({"text": "on"})))),
        "on"
    );
}

#[test]
fn a_line_that_is_no_message_does_not_decide_the_era() {
    let mut process = desk();
    process.send_raw(b"not json\n");
    let refused = process.next();
    assert_code(&refused, -32700);
    assert_eq!(refused["id"], json!(null));
    let answer = process.ask(&modern(json!(1), "tools/list", json!({})));
    assert!(answer["result"].is_object(), "{answer}");
}

#[test]
fn blank_lines_carriage_returns_and_a_byte_order_mark_are_no_fault() {
    let mut process = desk();
    let message = modern(json!(1), "tools/list", json!({}));
    process.send_raw(format!("\n  \n\r\n\u{feff}{message}\r\n").as_bytes());
    assert_eq!(process.next()["id"], 1);
}

#[test]
fn a_message_may_arrive_in_pieces() {
    let mut process = desk();
    let message = format!("{}\n", modern(json!(1), "tools/list", json!({})));
    for byte in message.as_bytes() {
        process.send_raw(std::slice::from_ref(byte));
    }
    assert_eq!(process.next()["id"], 1);
}

#[test]
fn a_line_that_is_too_long_is_refused_without_being_held() {
    let mut process = Process::start("stdio", &[], &[("MAX_LINE", "100000")]);
    assert_eq!(
        process.ask(&modern(json!(0), "tools/list", json!({})))["id"],
        0
    );
    let before = resident_kb(process.id());
    // 200 MB in one line.
    let piece = vec![b'x'; 1_000_000];
    for _ in 0..200 {
        process.send_raw(&piece);
    }
    process.send_raw(b"\n");
    let refused = process.next();
    assert_code(&refused, -32600);
    let words = refused["error"]["message"].as_str().unwrap();
    assert!(words.contains("100000 bytes"), "{words}");
    assert_eq!(
        process.ask(&modern(json!(1), "tools/list", json!({})))["id"],
        1
    );
    let grown = resident_kb(process.id()).saturating_sub(before);
    assert!(grown < 20_000, "{grown} KB");
}

#[test]
fn the_end_of_the_input_ends_the_process_after_all_answers() {
    let mut process = initialized("2025-11-25", json!({}));
    process.send(&call(json!(1), "wait", json!({ "amount": 300 })));
    process.send(&call(json!(2), "fill", json!({ "amount": 900 })));
    // The last line has no end.
    process.send_raw(
        call(json!(3), "echo", json!({ "text": "last" }))
            .to_string()
            .as_bytes(),
    );
    process.close_input();
    let mut ids: Vec<_> = std::iter::from_fn(|| process.next_line())
        .map(|line| {
            let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert!(
                answer["result"]["isError"].as_bool() != Some(true),
                "{answer}"
            );
            answer["id"].as_u64().unwrap()
        })
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3]);
    assert!(process.ends().success());
}

#[test]
fn input_that_ends_at_once_is_no_error() {
    let mut process = desk();
    process.close_input();
    assert_eq!(process.next_line(), None);
    assert!(process.ends().success());
}

#[test]
fn a_client_that_closes_the_output_ends_the_process() {
    let mut process = Process::start_unread("stdio", &[], &[]);
    process.send(&modern(json!(1), "tools/call", json!({ "name": "hang" })));
    process.logs("hanging");
    process.close_output();
    // Its answer meets a closed pipe, while the input is still open.
    process.send(&modern(json!(2), "tools/list", json!({})));
    assert!(process.ends().success());
}

#[test]
fn answers_wait_for_a_client_that_reads_late() {
    const CALLS: u64 = 100;
    let mut process = Process::start_unread("stdio", &[], &[]);
    let mut input = process.take_input();
    let writer = std::thread::spawn(move || {
        use std::io::Write as _;
        for id in 0..CALLS {
            let params = json!({ "name": "fill", "arguments": { "amount": 500 } });
            writeln!(input, "{}", modern(json!(id), "tools/call", params)).unwrap();
        }
    });
    // 50 MB of answers: the pipe and the queue hold 64 of them at most.
    process.logs("fill");
    let held = resident_kb(process.id());
    process.read();
    let mut ids: Vec<u64> = (0..CALLS)
        .map(|_| {
            let answer = process.next();
            assert_eq!(text(&answer).len(), 512_000);
            answer["id"].as_u64().unwrap()
        })
        .collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq(0..CALLS));
    writer.join().unwrap();
    assert!(held < 200_000, "{held} KB");
    assert!(process.ends().success());
}

#[test]
fn only_messages_are_written_and_the_log_goes_to_standard_error() {
    let mut process = desk();
    let answer = process.ask(&modern(
        json!("a"),
        "tools/call",
        json!({ "name": "panics" }),
    ));
    assert_code(&answer, -32603);
    assert_eq!(answer["id"], "a");
    let line = process.logs("\"request\"");
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["method"], "tools/call", "{line}");
    assert_eq!(line["outcome"], "error", "{line}");
    assert!(
        line.get("http_method").is_none() && line.get("status").is_none(),
        "{line}"
    );
    // Notifications and responses that nobody waits for get no answer.
    process.send(&notification("notifications/unknown", json!({})));
    process.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n");
    process.send(&request(json!(2), "x", json!({})));
    assert_eq!(process.next()["id"], 2);
    process.close_input();
    assert_eq!(process.next_line(), None);
}

/// The memory that a process uses, in kilobytes.
pub(super) fn resident_kb(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kb = line.unwrap().trim().trim_end_matches(" kB");
    kb.parse().unwrap()
}
