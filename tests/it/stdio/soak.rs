//! Many messages on one connection: each is answered, and the memory stays flat.
//!
//! `SOAK_LINES` sets how many; `make test-stdio` runs a million.

use std::io::Write as _;

use harness::Process;
use serde_json::json;

use super::lines::resident_kb;
use super::{call, initialize, notification};

/// How much a process may grow after its first messages, in kilobytes.
const MAX_GROWTH_KB: u64 = 8_000;

#[test]
fn many_messages_leave_no_memory_behind() {
    let messages: u64 = std::env::var("SOAK_LINES").map_or(20_000, |lines| lines.parse().unwrap());
    let mut process = Process::start("stdio", &[], &[("LOG_LEVEL", "off")]);
    let id = process.id();
    process.ask(&initialize("2025-11-25", json!({ "elicitation": {} })));
    let mut input = process.take_input();
    let writer = std::thread::spawn(move || {
        for number in 0..messages {
            let message = match number % 10 {
                0 => "not json".to_owned(),
                1 => notification("notifications/cancelled", json!({ "requestId": number }))
                    .to_string(),
                2 => {
                    let mut counting = call(json!(number), "count", json!({ "amount": 1 }));
                    counting["params"]["_meta"] = json!({ "progressToken": number });
                    counting.to_string()
                }
                _ => call(
                    json!(format!("id-{number}")),
                    "echo",
                    json!({ "text": "x" }),
                )
                .to_string(),
            };
            writeln!(input, "{message}").unwrap();
        }
    });
    // 9 of 10 lines are answered; counting also sends its progress and a log message.
    let expected = messages / 10 * (1 + 3 + 7);
    let (mut settled, mut largest) = (0, 0);
    for heard in 0..expected {
        assert!(
            process.next_line().is_some(),
            "the output ended after {heard} lines"
        );
        if heard == expected / 10 {
            settled = resident_kb(id);
        }
        if heard % (expected / 10) == 0 {
            largest = resident_kb(id).max(largest);
            // Nobody else reads it, and it must not fill the memory of this test.
            drop(process.logged());
        }
    }
    writer.join().unwrap();
    assert_eq!(process.next_line(), None);
    assert!(process.ends().success());
    let grown = largest.saturating_sub(settled);
    assert!(grown < MAX_GROWTH_KB, "{settled} KB, later {largest} KB");
    if messages > 20_000 {
        harness::aloud(&format!(
            "{messages} messages: {settled} KB after a tenth, at most {largest} KB"
        ));
    }
}
