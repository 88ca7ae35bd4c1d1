//! What is wrong with a server is found when it is built, and the error says where and what to do.

use lambda_mcp::handler::CompletionRequest;
use lambda_mcp::server::ServerBuilder;
use lambda_mcp::{Args, Context, Server, prompt, resource, resource_template, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "no handler here is called")]
struct Name {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "no handler here is called")]
struct Tags {
    tags: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "no handler here is called")]
struct OptionalTags {
    tags: Option<Vec<String>>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "no handler here is called")]
struct Filtered {
    filter: Filter,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "no handler here is called")]
struct Filter {
    #[schemars(regex(pattern = r"^(?=.*\d)\w+$"))]
    code: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "no handler here is called")]
enum Selection {
    Range { from: u32, to: u32 },
    Everything,
}

async fn hello() -> &'static str {
    "Hello."
}
async fn by_name(_: Args<Name>) -> &'static str {
    "Hello."
}
async fn twice(_: Args<Name>, _: Context, _: Args<Tags>) -> &'static str {
    "Hello."
}
async fn completing(_: CompletionRequest) -> &'static str {
    "Hello."
}
async fn tagged(_: Args<Tags>) -> &'static str {
    "Hello."
}
async fn maybe_tagged(_: Args<OptionalTags>) -> &'static str {
    "Hello."
}
async fn filtered(_: Args<Filtered>) -> &'static str {
    "Hello."
}
async fn selected(_: Args<Selection>) -> &'static str {
    "Hello."
}
async fn names() -> Vec<String> {
    Vec::new()
}
async fn names_by_arguments(_: Args<Name>) -> Vec<String> {
    Vec::new()
}
async fn names_while_typing(_: CompletionRequest) -> Vec<String> {
    Vec::new()
}

type Builder = ServerBuilder<()>;
type Define = fn(Builder) -> Builder;

/// A definition, and the whole text of the error that it gives; empty if it can be built.
const CASES: &[(Define, &str)] = &[
    (
        |server| server.tool(tool("a", twice)),
        "tool `a`: two parameters of its handler read the arguments; use one `Args<T>` with the fields of both",
    ),
    (
        |server| server.prompt(prompt("a", twice)),
        "prompt `a`: two parameters of its handler read the arguments; use one `Args<T>` with the fields of both",
    ),
    (
        |server| server.resource(resource_template("a:{name}", "a", twice)),
        "resource `a:{name}`: two parameters of its handler read the arguments; use one `Args<T>` with the fields of both",
    ),
    (
        |server| server.tool(tool("a", completing)),
        "tool `a`: only completion handlers take a `CompletionRequest`; use `Args<T>`",
    ),
    (
        |server| server.prompt(prompt("a", completing)),
        "prompt `a`: only completion handlers take a `CompletionRequest`; use `Args<T>`",
    ),
    (
        |server| server.resource(resource("a:b", "a", completing)),
        "resource `a:b`: only completion handlers take a `CompletionRequest`; use `Args<T>`",
    ),
    (
        |server| server.prompt(prompt("a", by_name).complete("name", names_by_arguments)),
        "completion of `name` of prompt `a`: completion handlers do not take `Args<T>`; use `CompletionRequest`, \
         whose `arguments` are those that are filled in",
    ),
    (
        |server| server.prompt(prompt("a", by_name).complete("name", names_while_typing)),
        "",
    ),
    (
        |server| server.prompt(prompt("a", by_name).complete("name", names)),
        "",
    ),
    (
        |server| server.prompt(prompt("a", tagged)),
        "prompt `a`: its argument `tags` is an array, but arguments of prompts are text; use a text, number or boolean",
    ),
    (
        |server| server.prompt(prompt("a", maybe_tagged)),
        "prompt `a`: its argument `tags` is an array, but arguments of prompts are text; use a text, number or boolean",
    ),
    (
        |server| server.resource(resource_template("a:{tags}", "a", tagged)),
        "resource `a:{tags}`: its variable `tags` is an array, but variables are text; use a text, number or boolean",
    ),
    (
        |server| server.resource(resource("a:{name}", "a", by_name)),
        "resource `a:{name}`: its URI has variables; use `resource_template` for it",
    ),
    (
        |server| server.resource(resource("a:{name}", "a", hello)),
        "resource `a:{name}`: its URI has variables; use `resource_template` for it",
    ),
    (
        |server| server.resource(resource_template("a:b", "a", hello)),
        "resource `a:b`: it has no variable; use `resource` for it",
    ),
    (
        |server| server.tool(tool("a", filtered)),
        r"the input schema of tool `a` is invalid: field `filter.code`: the pattern `^(?=.*\d)\w+$` is not supported: look-around is not supported",
    ),
    (
        |server| server.tool(tool("a", selected)),
        "the input schema of tool `a` cannot be listed as one object: one of its alternatives is the text `everything`; \
         use an enum with `#[serde(tag = \"..\")]`, or make it a field of a struct",
    ),
    (
        |server| server.tool(tool("a", hello).input_schema(json!({"type": "string"}))),
        "the input schema of tool `a` is not an object; use a struct for its arguments",
    ),
];

#[test]
fn each_mistake_is_found_when_the_server_is_built() {
    for (define, expected) in CASES {
        let built = define(Server::builder("a", "1.0.0")).build();
        let said = built
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert_eq!(said, *expected);
    }
}

#[test]
fn the_view_of_a_tool_is_a_resource_of_the_server() {
    let view = || resource("ui://dice/view", "view", hello);
    let server = Server::builder("dice", "1.0.0").tool(tool("roll", hello).view("ui://dice/view"));
    assert!(server.resource(view()).build().is_ok());
    for uri in ["ui://dice/other", "dice:view"] {
        let server = Server::builder("dice", "1.0.0")
            .tool(tool("roll", hello).view(uri))
            .resource(view())
            .resource(resource("dice:view", "plain", hello));
        let error = server.build().unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("tool `roll` has the view `{uri}`")),
            "{error}"
        );
    }
}
