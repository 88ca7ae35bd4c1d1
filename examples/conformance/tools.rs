//! Tools that answer by themselves: every kind of content, notifications, and what a tool can declare.

use std::time::Duration;

use lambda_mcp::{
    Annotations, Args, Content, Context, Icon, LoggingLevel, ResourceContents, ResourceLink, Role,
    ServerBuilder, ToolError, ToolOutput, tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::media::{PNG, WAV};

/// Registers them; the suite calls the first one, without arguments, to try headers on.
pub(crate) fn register(server: ServerBuilder<()>) -> ServerBuilder<()> {
    let server = server
        .tool(tool("test_simple_text", simple_text).description("Returns a text."))
        .tool(tool("test_image_content", image_content).description("Returns an image."))
        .tool(tool("test_audio_content", audio_content).description("Returns a sound."))
        .tool(tool("test_embedded_resource", embedded_resource).description("Returns a resource."))
        .tool(
            tool("test_multiple_content_types", multiple_content_types)
                .description("Returns a text, an image and a resource."),
        )
        .tool(tool("test_error_handling", error_handling).description("Fails."))
        .tool(tool("test_tool_with_progress", with_progress).description("Tells how far it is."))
        .tool(tool("test_tool_with_logging", with_logging).description("Logs to the client."))
        .tool(tool("test_logging_tool", with_logging).description("Logs to the client, too."));
    server
        .tool(
            tool("json_schema_2020_12_tool", contact)
                .description("Takes a contact, by a schema that no type gives.")
                .input_schema(contact_schema()),
        )
        .tool(
            tool("test_x_mcp_header", region)
                .description("Takes an argument that a header repeats."),
        )
        .tool(
            tool("test_declared_fields", declared)
                .title("Declared fields")
                .description("Has whatever a tool can have.")
                .read_only()
                .icon(Icon::new("https://example.com/icon.png").mime_type("image/png"))
                .execution(json!({ "taskSupport": "forbidden" }))
                .meta(meta("tool")),
        )
}

async fn simple_text() -> &'static str {
    "This is a simple text response for testing."
}

async fn image_content() -> Content {
    Content::image(PNG, "image/png")
}

async fn audio_content() -> Content {
    Content::audio(WAV, "audio/wav")
}

async fn embedded_resource() -> ToolOutput {
    ToolOutput::new().content(ResourceContents::text(
        "test://embedded-resource",
        "text/plain",
        "This is an embedded resource content.",
    ))
}

async fn multiple_content_types() -> ToolOutput {
    ToolOutput::new()
        .content(Content::text("Multiple content types test:"))
        .content(Content::image(PNG, "image/png"))
        .content(ResourceContents::text(
            "test://mixed-content-resource",
            "application/json",
            r#"{"test":"data","value":123}"#,
        ))
}

async fn error_handling() -> Result<String, ToolError> {
    Err(ToolError::new(
        "This tool intentionally returns an error for testing",
    ))
}

async fn with_progress(context: Context) -> &'static str {
    for percent in [0.0, 50.0, 100.0] {
        context.progress(percent, Some(100.0), None);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "The work is done."
}

async fn with_logging(context: Context) -> &'static str {
    for text in [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ] {
        context.log(LoggingLevel::Info, Some("test"), &json!(text));
    }
    context.log(LoggingLevel::Debug, None, &json!({ "logged": 3 }));
    "The work is logged."
}

/// The schema says more than a type could: which of two ways to reach someone is needed.
fn contact_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": {
            "properties": { "contactMethod": { "const": "phone" } },
            "required": ["contactMethod"],
        },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

#[derive(Deserialize, JsonSchema)]
struct Contact {
    phone: Option<String>,
    email: Option<String>,
}

async fn contact(Args(Contact { phone, email }): Args<Contact>) -> String {
    let how = phone.or(email).unwrap_or_default();
    format!("They can be reached by {how}.")
}

#[derive(Deserialize, JsonSchema)]
struct Region {
    /// Where to look; a proxy may route by it.
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
    /// How much to look at.
    #[schemars(extend("x-mcp-header" = "Page-Size"))]
    page_size: Option<u32>,
    /// Whether to look at all.
    #[schemars(extend("x-mcp-header" = "Dry-Run"))]
    dry_run: Option<bool>,
}

async fn region(Args(looked): Args<Region>) -> String {
    let Region {
        region,
        page_size,
        dry_run,
    } = looked;
    format!(
        "region={region} page_size={} dry_run={}",
        page_size.unwrap_or(10),
        dry_run.unwrap_or(false)
    )
}

#[derive(Serialize, JsonSchema)]
struct Declared {
    /// How many fields were declared.
    fields: u32,
}

/// Its type says nothing of structured content, so the output schema is given by this type's.
async fn declared() -> Result<ToolOutput, ToolError> {
    let link = ResourceLink::new("test://static-text", "static-text").title("A text");
    let annotations = Annotations::new().audience(Role::User).priority(0.5);
    let text = Content::text("For a person.")
        .annotations(annotations)
        .meta(meta("content"));
    let output = ToolOutput::new().content(text).content(link);
    Ok(output
        .structured(&Declared { fields: 6 })?
        .meta(meta("result")))
}

fn meta(of: &str) -> Map<String, Value> {
    Map::from_iter([("example.com/of".to_owned(), json!(of))])
}
