//! Tools that ask their client before they answer: by forms, by pages, its model, its directories.

use lambda_mcp::{Context, ElicitAction, Elicited, Sampling, ServerBuilder, ToolError, tool};
use schemars::JsonSchema;
use serde::Deserialize;

/// Registers them.
pub(crate) fn register(server: ServerBuilder<()>) -> ServerBuilder<()> {
    let prefixed = |name: &str| format!("test_input_required_result_{name}");
    let server = server
        .tool(
            tool("test_missing_capability", sampling)
                .description("Needs a client that has a model."),
        )
        .tool(
            tool("test_streaming_elicitation", elicitation)
                .description("Asks for a name, and streams nothing."),
        )
        .tool(tool(prefixed("elicitation"), elicitation).description("Asks for a name."))
        .tool(tool(prefixed("sampling"), sampling).description("Asks the client's model."))
        .tool(tool(prefixed("list_roots"), roots).description("Asks for directories."));
    server
        .tool(tool(prefixed("request_state"), confirmation).description("Asks to confirm."))
        .tool(tool(prefixed("tampered_state"), confirmation).description("Asks to confirm, too."))
        .tool(
            tool(prefixed("multiple_inputs"), everything)
                .description("Asks three questions at once."),
        )
        .tool(
            tool(prefixed("multi_round"), one_by_one)
                .description("Asks two questions, one after the other."),
        )
        .tool(
            tool(prefixed("capabilities"), whatever_is_possible)
                .description("Asks what the client can be asked."),
        )
        .tool(tool(prefixed("url"), page).description("Asks to visit a page."))
}

#[derive(Deserialize, JsonSchema)]
struct Name {
    /// Your name.
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Color {
    /// A color.
    color: String,
}

#[derive(Deserialize, JsonSchema)]
struct Confirmation {
    /// Whether it is fine.
    ok: bool,
}

async fn elicitation(context: Context) -> Result<String, ToolError> {
    Ok(
        match context.elicit::<Name>("user_name", "What is your name?")? {
            Elicited::Accept(Name { name }) => format!("Hello, {name}!"),
            Elicited::Decline => "Hello, whoever you are!".to_owned(),
            Elicited::Cancel => "Goodbye!".to_owned(),
        },
    )
}

async fn sampling(context: Context) -> Result<String, ToolError> {
    let question = Sampling::new("What is the capital of France?", 100);
    let answer = context.sample("capital_question", &question)?;
    Ok(format!("The model says: {}", answer.text()))
}

async fn roots(context: Context) -> Result<String, ToolError> {
    let roots = context.roots("client_roots")?;
    let named: Vec<String> = roots.into_iter().map(|root| root.uri).collect();
    Ok(format!("The client works in {}.", named.join(", ")))
}

async fn confirmation(context: Context) -> Result<&'static str, ToolError> {
    Ok(
        match context.elicit::<Confirmation>("confirm", "Please confirm")? {
            Elicited::Accept(Confirmation { ok: true }) => "state-ok: confirmed",
            Elicited::Accept(Confirmation { ok: false }) | Elicited::Decline | Elicited::Cancel => {
                "state-ok: not confirmed"
            }
        },
    )
}

async fn everything(context: Context) -> Result<String, ToolError> {
    // All three are put before the first `?`, so they are asked in one round.
    let name = context.elicit::<Name>("user_name", "What is your name?");
    let greeting = context.sample("greeting", &Sampling::new("Generate a greeting", 50));
    let roots = context.roots("client_roots");
    let Elicited::Accept(Name { name }) = name? else {
        return Ok("Nobody is there.".to_owned());
    };
    let (greeting, roots) = (greeting?.text(), roots?.len());
    Ok(format!("{greeting} {name} works in {roots} directories."))
}

async fn one_by_one(context: Context) -> Result<String, ToolError> {
    let name = context.elicit::<Name>("step1", "Step 1: What is your name?")?;
    let color = context.elicit::<Color>("step2", "Step 2: What is your favorite color?")?;
    Ok(match (name, color) {
        (Elicited::Accept(Name { name }), Elicited::Accept(Color { color })) => {
            format!("{name} likes {color}.")
        }
        _ => "Somebody likes something.".to_owned(),
    })
}

async fn whatever_is_possible(context: Context) -> Result<String, ToolError> {
    let can = context.client_capabilities();
    if can.elicits_forms() {
        return elicitation(context).await;
    }
    if can.samples() {
        return sampling(context).await;
    }
    Ok("There is nobody to ask.".to_owned())
}

async fn page(context: Context) -> Result<&'static str, ToolError> {
    let url = "https://example.com/consent";
    Ok(match context.elicit_url("consent", "Please agree.", url)? {
        ElicitAction::Accept => "They went to the page.",
        ElicitAction::Decline | ElicitAction::Cancel => "They did not go to the page.",
    })
}
