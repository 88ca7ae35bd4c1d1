//! The size of each answer: the server is asked, in this process, as an agent would ask it.

use std::io::{self, Write};

use bytes::Bytes;
use http::Request;
use lambda_mcp::Server;
use serde_json::{Value, json};

use crate::config::Config;
use crate::content::tokens::{self, BUDGET};
use crate::content::{Localized, Section};
use crate::serve;

/// An answer and its size.
#[derive(Debug)]
pub(super) struct Answer {
    /// The kind of answer: a tool, or resources.
    group: String,
    /// Which one of the group it is. `None` if it is the only one.
    part: Option<String>,
    /// In tokens, estimated.
    tokens: usize,
}

/// Returns the answers that are longer than clients accept.
pub(super) fn too_long(answers: &[Answer]) -> impl Iterator<Item = &Answer> {
    answers.iter().filter(|answer| answer.tokens > BUDGET)
}

/// Writes the size of each answer.
pub(super) fn write(answers: &[Answer], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "\nSize of the answers in tokens (estimated: 2 for 7 ASCII characters, 1 for any other):"
    )?;
    for group in answers.chunk_by(|a, b| a.group == b.group) {
        let Some(Answer { group: name, .. }) = group.first() else {
            continue;
        };
        let parts = group.iter().map(|answer| match &answer.part {
            Some(part) => format!("{part} {}", answer.tokens),
            None => answer.tokens.to_string(),
        });
        writeln!(out, "  {name}: {}", parts.collect::<Vec<_>>().join(", "))?;
    }
    for Answer {
        group,
        part,
        tokens,
    } in too_long(answers)
    {
        let part = part.as_ref().map(|part| format!(" {part}"));
        writeln!(
            out,
            "warning: {group}{} takes about {tokens} tokens; many clients accept {BUDGET} at most. \
             Shorten its longest texts.",
            part.unwrap_or_default()
        )?;
    }
    writeln!(out)
}

/// A question to the server.
struct Question {
    group: String,
    part: Option<String>,
    method: &'static str,
    params: Value,
}

/// Asks the server for everything that it offers to read.
pub(super) fn measure(content: &Localized) -> Vec<Answer> {
    let Some(client) = Client::new(content) else {
        return Vec::new();
    };
    let tools = client.names("tools/list", "tools", "name");
    let tools = tools.into_iter().map(|tool| Question {
        params: json!({"name": tool, "arguments": {}}),
        group: tool,
        part: None,
        method: "tools/call",
    });
    let sections = Section::ALL.into_iter().map(|section| Question {
        group: "get_resume by section".to_owned(),
        part: Some(section.name().to_owned()),
        method: "tools/call",
        params: json!({"name": "get_resume", "arguments": {"section": section.name()}}),
    });
    let uris = client.names("resources/list", "resources", "uri");
    let uris = uris.into_iter().map(|uri| Question {
        params: json!({"uri": uri}),
        part: uri.rsplit_once('/').map(|(_, name)| name.to_owned()),
        group: uri
            .rsplit_once('/')
            .map_or_else(String::new, |(group, _)| format!("{group}/…")),
        method: "resources/read",
    });
    let questions = tools.chain(sections).chain(uris);
    let answers = questions.filter_map(|question| {
        Some(Answer {
            tokens: tokens::estimate(&client.text(question.method, &question.params)?),
            group: question.group,
            part: question.part,
        })
    });
    answers.collect()
}

/// A client in this process.
struct Client {
    server: Server,
    runtime: tokio::runtime::Runtime,
}

impl Client {
    /// `None` if the server or the runtime cannot be built, which the start reports.
    fn new(content: &Localized) -> Option<Self> {
        let config = Config::read(|_| None).ok()?;
        let server = serve::server(config, content.default_content()).ok()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .ok()?;
        Some(Self { server, runtime })
    }

    fn ask(&self, method: &str, params: &Value) -> Option<Value> {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = Request::post("/mcp")
            .header("content-type", "application/json")
            .header("mcp-protocol-version", "2025-11-25")
            .body(Bytes::from(message.to_string()))
            .ok()?;
        let response = self.runtime.block_on(self.server.handle(request));
        let body = response.into_body().into_bytes()?;
        let mut answer: Value = serde_json::from_slice(&body).ok()?;
        Some(answer.get_mut("result")?.take())
    }

    fn names(&self, method: &str, list: &str, member: &str) -> Vec<String> {
        let result = self.ask(method, &json!({})).unwrap_or_default();
        let items = result.get(list).and_then(Value::as_array);
        items
            .into_iter()
            .flatten()
            .filter_map(|item| item.get(member)?.as_str().map(str::to_owned))
            .collect()
    }

    /// Returns the text of an answer: what a client gives its model. `None` if it is an error.
    fn text(&self, method: &str, params: &Value) -> Option<String> {
        let result = self.ask(method, params)?;
        if result.get("isError") == Some(&Value::Bool(true)) {
            return None;
        }
        let blocks = result.get("content").or_else(|| result.get("contents"))?;
        let texts = blocks.as_array()?.iter();
        Some(
            texts
                .filter_map(|block| block.get("text")?.as_str())
                .collect::<Vec<_>>()
                .concat(),
        )
    }
}
