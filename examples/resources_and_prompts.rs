//! Resources, a template of them, a prompt, and completion: a small cook book.
//!
//! Run it with `make run-example EXAMPLE=resources_and_prompts`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"recipes://pancakes"}}'
//! ```

use std::sync::Arc;

use lambda_mcp::content::PromptMessage;
use lambda_mcp::handler::RequestError;
use lambda_mcp::{Args, Server, State, prompt, resource, resource_template};
use schemars::JsonSchema;
use serde::Deserialize;

/// Recipes by name.
type Book = Arc<Vec<(&'static str, &'static str)>>;

#[derive(Deserialize, JsonSchema)]
struct Recipe {
    /// The recipe's name.
    name: String,
}

async fn contents(State(book): State<Book>) -> String {
    book.iter().map(|(name, _)| format!("- {name}\n")).collect()
}

async fn recipe(
    State(book): State<Book>,
    Args(Recipe { name }): Args<Recipe>,
) -> Result<String, RequestError> {
    let found = book.iter().find(|(known, _)| *known == name);
    found
        .map(|(_, text)| (*text).to_owned())
        .ok_or_else(RequestError::not_found)
}

async fn names(State(book): State<Book>) -> Vec<String> {
    book.iter().map(|(name, _)| (*name).to_owned()).collect()
}

#[derive(Deserialize, JsonSchema)]
struct Cook {
    /// The name of the recipe.
    name: String,
    /// The number of people.
    #[schemars(range(min = 1, max = 20))]
    people: Option<u32>,
}

async fn cook(Args(Cook { name, people }): Args<Cook>) -> PromptMessage {
    let people = people.unwrap_or(2);
    PromptMessage::user(lambda_mcp::content::Content::text(format!(
        "Read recipes://{name} and tell me step by step how to cook it for {people}."
    )))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    let book: Book = Arc::new(vec![
        (
            "pancakes",
            "200 g flour, 2 eggs, 300 ml milk. Whisk, rest, fry.",
        ),
        (
            "lentil soup",
            "200 g lentils, 1 l broth, 1 carrot. Simmer 30 minutes.",
        ),
    ]);
    let server = Server::builder("cook-book", "1.0.0")
        .state(book)
        .resource(
            resource("recipes:contents", "contents", contents)
                .description("The names of all recipes.")
                .mime_type("text/markdown")
                .public_cache(),
        )
        .resource(
            resource_template("recipes://{name}", "recipe", recipe)
                .description("One recipe.")
                .mime_type("text/plain")
                .public_cache()
                .complete("name", names),
        )
        .prompt(
            prompt("cook", cook)
                .description("Cooks a recipe together.")
                .complete("name", names),
        )
        .build()?;
    lambda_mcp::run(server).await
}
