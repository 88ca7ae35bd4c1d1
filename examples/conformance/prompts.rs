//! Prompts: fixed, filled in, with a resource, with an image, and one that asks first.

use lambda_mcp::{
    Args, Completing, Content, Context, Elicited, PromptMessage, PromptOutput, RequestError,
    ResourceContents, ServerBuilder, prompt,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::media::PNG;

/// Registers them.
pub(crate) fn register(server: ServerBuilder<()>) -> ServerBuilder<()> {
    server
        .prompt(prompt("test_simple_prompt", simple).description("Is the same for everyone."))
        .prompt(
            prompt("test_prompt_with_arguments", with_arguments)
                .description("Repeats its arguments.")
                .complete("arg1", first_arguments)
                .complete("arg2", second_arguments),
        )
        .prompt(
            prompt("test_prompt_with_embedded_resource", with_resource)
                .description("Brings a resource along."),
        )
        .prompt(prompt("test_prompt_with_image", with_image).description("Brings an image along."))
        .prompt(
            prompt("test_input_required_result_prompt", asking).description("Asks for a context."),
        )
}

async fn simple() -> &'static str {
    "This is a simple prompt for testing."
}

#[derive(Deserialize, JsonSchema)]
struct Two {
    /// The first.
    #[schemars(length(max = 40))]
    arg1: String,
    /// The second.
    arg2: String,
}

async fn with_arguments(Args(Two { arg1, arg2 }): Args<Two>) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

async fn first_arguments() -> Vec<String> {
    ["latest", "Testimony", "test", "other"]
        .map(str::to_owned)
        .to_vec()
}

/// Depends on the first, and gives more than fit into one answer.
async fn second_arguments(completing: Completing) -> Vec<String> {
    let first = completing
        .arguments
        .get("arg1")
        .map_or("any", String::as_str);
    (1..=150)
        .map(|number| format!("{first} {number}"))
        .collect()
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Resource {
    /// The URI of the resource.
    resource_uri: String,
}

async fn with_resource(Args(Resource { resource_uri }): Args<Resource>) -> Vec<PromptMessage> {
    let text = "Embedded resource content for testing.";
    let resource = ResourceContents::text(resource_uri, "text/plain", text);
    vec![
        PromptMessage::user(resource),
        PromptMessage::user(Content::text("Please process the embedded resource above.")),
    ]
}

async fn with_image() -> Vec<PromptMessage> {
    vec![
        PromptMessage::user(Content::image(PNG, "image/png")),
        PromptMessage::user(Content::text("Please analyze the image above.")),
    ]
}

#[derive(Deserialize, JsonSchema)]
struct Situation {
    /// What it is about.
    context: String,
}

async fn asking(context: Context) -> Result<PromptOutput, RequestError> {
    let message = "What context should the prompt use?";
    let text = match context.elicit::<Situation>("user_context", message)? {
        Elicited::Accept(Situation { context }) => format!("Consider this: {context}"),
        Elicited::Decline | Elicited::Cancel => "Consider anything.".to_owned(),
    };
    Ok(PromptOutput::new()
        .description("A prompt for a situation")
        .message(PromptMessage::user(Content::text(text))))
}
