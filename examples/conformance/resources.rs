//! Resources: text, binary, made by a template, and one that asks first.

use lambda_mcp::{
    Annotations, Args, Context, Elicited, Json, RequestError, Role, ServerBuilder, resource,
    resource_template,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::media::PNG;

/// Registers them; the suite reads the first one to see how long it may be kept.
pub(crate) fn register(server: ServerBuilder<()>) -> ServerBuilder<()> {
    let server = server
        .resource(
            resource("test://static-text", "static-text", text)
                .description("A text.")
                .mime_type("text/plain")
                .annotations(Annotations::new().audience(Role::Assistant))
                .public(),
        )
        .resource(
            resource("test://static-binary", "static-binary", binary)
                .description("An image.")
                .mime_type("image/png")
                .size(PNG.len() as u64),
        )
        .resource(
            resource("test://watched-resource", "watched-resource", text)
                .description("A text that the suite would watch; nothing here ever changes."),
        );
    server
        .resource(
            resource("test://asking", "asking", asking)
                .description("A text that depends on an answer."),
        )
        .resource(
            resource_template("test://template/{id}/data", "template", data)
                .description("Data by number.")
                .mime_type("application/json")
                .complete("id", numbers),
        )
        .resource(
            resource_template("test://files/{+path}", "files", file)
                .description("Files by path, of which there is one."),
        )
}

async fn text() -> &'static str {
    "This is the content of the static text resource."
}

async fn binary() -> Vec<u8> {
    PNG.to_vec()
}

#[derive(Deserialize, JsonSchema)]
struct Taste {
    /// A color.
    color: String,
}

async fn asking(context: Context) -> Result<String, RequestError> {
    Ok(
        match context.elicit::<Taste>("taste", "What is your favorite color?")? {
            Elicited::Accept(Taste { color }) => format!("It is {color}."),
            Elicited::Decline | Elicited::Cancel => "It has no color.".to_owned(),
        },
    )
}

#[derive(Deserialize, JsonSchema)]
struct Number {
    #[schemars(range(max = 1000))]
    id: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    id: String,
    template_test: bool,
    data: String,
}

async fn data(Args(Number { id }): Args<Number>) -> Json<Data> {
    Json(Data {
        id: id.to_string(),
        template_test: true,
        data: format!("Data for ID: {id}"),
    })
}

async fn numbers() -> Vec<String> {
    (1..=1000).map(|number| number.to_string()).collect()
}

#[derive(Deserialize, JsonSchema)]
struct File {
    path: String,
}

async fn file(Args(File { path }): Args<File>) -> Result<&'static str, RequestError> {
    match path.as_str() {
        "notes/today.txt" => Ok("Nothing happened."),
        "broken" => Err(std::io::Error::other("SENTINEL-DISK").into()),
        _ => Err(RequestError::not_found()),
    }
}
