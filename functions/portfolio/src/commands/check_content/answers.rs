//! The size of each answer: the server is asked, in this process, as an agent would ask it.

use std::io::{self, Write};
use std::sync::Arc;

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
    /// That it is not the whole, and which part of it.
    remark: Option<String>,
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
        let parts = group.iter().map(|answer| {
            let part = answer.part.as_ref().map(|part| format!("{part} "));
            let remark = answer.remark.as_ref().map(|remark| format!(" ({remark})"));
            let (part, remark) = (part.unwrap_or_default(), remark.unwrap_or_default());
            format!("{part}{}{remark}", answer.tokens)
        });
        writeln!(out, "  {name}: {}", parts.collect::<Vec<_>>().join(", "))?;
    }
    for Answer {
        group,
        part,
        tokens,
        ..
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
#[derive(Debug, Clone)]
struct Question {
    group: String,
    part: Option<String>,
    method: &'static str,
    params: Value,
}

impl Question {
    fn tool(group: &str, part: Option<&str>, tool: &str, arguments: &Value) -> Self {
        Self {
            group: group.to_owned(),
            part: part.map(str::to_owned),
            method: "tools/call",
            params: json!({"name": tool, "arguments": arguments}),
        }
    }

    /// Returns the same question about another page.
    fn page(&self, number: u64) -> Self {
        let mut page = self.clone();
        if let Some(arguments) = page.params.get_mut("arguments") {
            arguments["page"] = number.into();
        }
        page
    }
}

/// Asks the server for everything that it offers to read.
pub(super) fn measure(content: &Arc<Localized>) -> Vec<Answer> {
    let Some(client) = Client::new(content) else {
        return Vec::new();
    };
    let tools = client.names("tools/list", "tools", "name");
    let mut questions: Vec<Question> = { tools.iter() }
        .map(|tool| Question::tool(tool, None, tool, &json!({})))
        .collect();
    questions.extend(Section::ALL.into_iter().map(|section| {
        let (group, name) = ("get_resume by section", section.name());
        Question::tool(group, Some(name), "get_resume", &json!({"section": name}))
    }));
    for language in content.languages().skip(1) {
        let group = format!("in the language {language}");
        let arguments = json!({"language": language});
        let tools = tools.iter();
        questions.extend(tools.map(|tool| Question::tool(&group, Some(tool), tool, &arguments)));
    }
    let uris = client.names("resources/list", "resources", "uri");
    questions.extend(uris.into_iter().map(|uri| {
        Question {
            params: json!({"uri": uri}),
            part: uri.rsplit_once('/').map(|(_, name)| name.to_owned()),
            group: uri
                .rsplit_once('/')
                .map_or_else(String::new, |(group, _)| format!("{group}/…")),
            method: "resources/read",
        }
    }));
    questions
        .iter()
        .flat_map(|question| client.answers(question))
        .collect()
}

/// Returns which part of the whole an answer is: its remark, and the number of pages.
fn part_of_whole(text: &str) -> (Option<String>, u64) {
    let answer: Value = serde_json::from_str(text).unwrap_or_default();
    let page = |member: &str| answer.get("page")?.get(member)?.as_u64();
    if let (Some(number), Some(of)) = (page("number"), page("of")) {
        return (Some(format!("page {number} of {of}")), of);
    }
    let remark = answer
        .get("overview")
        .map(|_| format!("an overview of the sections: the whole résumé takes more than {BUDGET}"));
    (remark, 1)
}

/// A client in this process.
struct Client {
    server: Server,
    runtime: tokio::runtime::Runtime,
}

impl Client {
    /// `None` if the server or the runtime cannot be built, which the start reports.
    fn new(content: &Arc<Localized>) -> Option<Self> {
        let config = Config::read(|_| None).ok()?;
        let server = serve::server(config, content).ok()?;
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

    /// Asks a question, and for each further page of the answer. Empty if the answer is an error.
    fn answers(&self, question: &Question) -> Vec<Answer> {
        let Some((first, pages)) = self.answer(question) else {
            return Vec::new();
        };
        let further = (2..=pages).filter_map(|page| self.answer(&question.page(page)));
        let further = further.map(|(answer, _)| answer);
        std::iter::once(first).chain(further).collect()
    }

    fn answer(&self, question: &Question) -> Option<(Answer, u64)> {
        let text = self.text(question.method, &question.params)?;
        let (remark, pages) = part_of_whole(&text);
        let answer = Answer {
            group: question.group.clone(),
            part: question.part.clone(),
            tokens: tokens::estimate(&text),
            remark,
        };
        Some((answer, pages))
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
