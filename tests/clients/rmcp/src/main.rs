//! rmcp's client, in the era the plan names: carries out the plan on standard input and writes down
//! what was seen, as JSON on standard output. `../../README.md` has the form of both.

#![expect(
    deprecated,
    reason = "sampling is deprecated in the protocol, and still served"
)]

use std::error::Error;
use std::io::Read;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ErrorCode, ErrorData, Implementation, ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RunningService, ServiceError};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Map, Value, json};
use tokio::process::Command;

type Anyhow = Box<dyn Error + Send + Sync>;

/// The person and the model behind the client.
#[derive(Clone)]
struct Person {
    config: ClientConfig,
    answers: Value,
    asked: Arc<Mutex<Vec<Value>>>,
    progress: Arc<Mutex<Vec<Value>>>,
}

impl Person {
    fn note(&self, asked: Value) {
        self.asked.lock().unwrap().push(asked);
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let request = serde_json::to_value(request).map_err(internal)?;
        let properties = request["requestedSchema"]["properties"].as_object();
        let fields: Vec<&String> = properties.into_iter().flat_map(Map::keys).collect();
        self.note(json!({ "kind": "elicit", "message": request["message"], "fields": fields }));
        let answer = &self.answers["elicit"];
        let mut result = json!({ "action": answer["action"] });
        if answer["action"] == "accept" {
            let given = fields
                .iter()
                .map(|name| ((*name).clone(), answer["content"][*name].clone()));
            result["content"] = Value::Object(given.collect());
        }
        serde_json::from_value(result).map_err(internal)
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let request = serde_json::to_value(request).map_err(internal)?;
        let content = &request["messages"][0]["content"];
        // One block, or a list of them: revisions differ.
        let text = content.get(0).unwrap_or(content)["text"].clone();
        let limit = &request["maxTokens"];
        self.note(json!({ "kind": "sample", "message": text, "maxTokens": limit }));
        let answer = json!({
            "role": "assistant", "model": "none", "stopReason": "endTurn",
            "content": { "type": "text", "text": self.answers["sample"] },
        });
        serde_json::from_value(answer).map_err(internal)
    }

    async fn on_progress(
        &self,
        heard: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let heard = json!({
            "progress": heard.progress, "total": heard.total, "message": heard.message,
        });
        self.progress.lock().unwrap().push(heard);
    }
}

fn internal(error: serde_json::Error) -> ErrorData {
    ErrorData::new(ErrorCode::INTERNAL_ERROR, error.to_string(), None)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Anyhow> {
    let mut plan = String::new();
    std::io::stdin().read_to_string(&mut plan)?;
    let plan: Value = serde_json::from_str(&plan)?;
    let version = Implementation::default().version;

    let capabilities = match &plan["answers"] {
        Value::Null => json!({}),
        _ => json!({ "elicitation": { "form": {} }, "sampling": {} }),
    };
    let name = text(&plan, "client");
    let info = Implementation::new(name, version.clone());
    let person = Person {
        config: ClientConfig::new(serde_json::from_value(capabilities)?, info),
        answers: plan["answers"].clone(),
        asked: Arc::default(),
        progress: Arc::default(),
    };
    let lifecycle = match plan["era"].as_str() {
        Some("modern") => ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        },
        _ => ClientLifecycleMode::Initialize,
    };
    let server = &plan["server"];
    let client = if server.is_null() {
        let config = StreamableHttpClientTransportConfig::with_uri(text(&plan, "url"));
        let transport = StreamableHttpClientTransport::from_config(config);
        person
            .clone()
            .serve_with_lifecycle(transport, lifecycle)
            .await?
    } else {
        let mut command = Command::new(text(server, "command"));
        let arguments = server["args"].as_array().into_iter().flatten();
        command.args(arguments.filter_map(Value::as_str));
        let builder = TokioChildProcess::builder(command).stderr(Stdio::null());
        let (transport, _no_stderr) = builder.spawn()?;
        person
            .clone()
            .serve_with_lifecycle(transport, lifecycle)
            .await?
    };

    let mut steps = Vec::new();
    for step in plan["steps"].as_array().into_iter().flatten() {
        person.progress.lock().unwrap().clear();
        steps.push(match take(&client, step).await? {
            Ok(result) => json!({ "result": result, "progress": *person.progress.lock().unwrap() }),
            Err(ServiceError::McpError(fault)) => {
                let (code, message, data) = (fault.code.0, fault.message, fault.data);
                json!({ "error": {
                    "kind": "McpError", "code": code, "message": message, "data": data,
                } })
            }
            Err(other) => json!({ "error": { "kind": "other", "message": other.to_string() } }),
        });
    }
    let peer = serde_json::to_value(client.peer_info().as_deref())?;
    client.cancel().await?;
    let seen = json!({
        "version": version,
        "protocolVersion": peer["protocolVersion"],
        "server": peer["serverInfo"],
        "capabilities": peer["capabilities"],
        "instructions": peer["instructions"],
        "asked": *person.asked.lock().unwrap(),
        "steps": steps,
    });
    println!("{seen}");
    Ok(())
}

fn text(from: &Value, key: &str) -> String {
    from[key].as_str().unwrap_or_default().to_owned()
}

/// One step of the plan; its parameters are those of the protocol.
async fn take(
    client: &RunningService<RoleClient, Person>,
    step: &Value,
) -> Result<Result<Value, ServiceError>, Anyhow> {
    let mut params = step.clone();
    let own = ["do", "progress"];
    if let Some(params) = params.as_object_mut() {
        params.retain(|key, _| !own.contains(&key.as_str()));
    }
    macro_rules! sent {
        ($method:ident, $params:expr) => {
            match client.$method($params).await {
                Ok(result) => Ok(serde_json::to_value(result)?),
                Err(error) => Err(error),
            }
        };
    }
    Ok(match step["do"].as_str() {
        Some("tools") => sent!(list_tools, None),
        Some("resources") => sent!(list_resources, None),
        Some("templates") => sent!(list_resource_templates, None),
        Some("prompts") => sent!(list_prompts, None),
        Some("call") => sent!(call_tool, serde_json::from_value(params)?),
        Some("read") => sent!(read_resource, serde_json::from_value(params)?),
        Some("prompt") => sent!(get_prompt, serde_json::from_value(params)?),
        Some("complete") => sent!(complete, serde_json::from_value(params)?),
        other => return Err(format!("no such step: {other:?}").into()),
    })
}
