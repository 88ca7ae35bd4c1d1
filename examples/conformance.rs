//! The server that the official conformance suite is run against: every fixture it names.
//!
//! `make conformance` builds it, serves it through `cargo lambda watch` and drives it with
//! `@modelcontextprotocol/conformance`; names and texts are those the suite asks for. The first tool
//! takes no arguments, because the suite calls the first one to try headers on.

use lambda_mcp::{Content, Hosts, ResourceContents, Server, ToolError, ToolOutput, tool};

/// A red pixel.
const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDA\
    Tx\xdac\xf8\xcf\xc0\0\0\x03\x01\x01\0\xf7\x03AC\0\0\0\0IEND\xaeB`\x82";

/// A millisecond of silence.
const WAV: &[u8] =
    b"RIFF,\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\x08\0data\x08\0\0\0\
    \x80\x80\x80\x80\x80\x80\x80\x80";

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

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    let server = Server::builder("conformance", env!("CARGO_PKG_VERSION"))
        .hosts(Hosts::loopback())
        .tool(tool("test_simple_text", simple_text).description("Returns a text."))
        .tool(tool("test_image_content", image_content).description("Returns an image."))
        .tool(tool("test_audio_content", audio_content).description("Returns a sound."))
        .tool(tool("test_embedded_resource", embedded_resource).description("Returns a resource."))
        .tool(
            tool("test_multiple_content_types", multiple_content_types)
                .description("Returns a text, an image and a resource."),
        )
        .tool(tool("test_error_handling", error_handling).description("Fails."))
        .build()?;
    lambda_mcp::run(server).await
}
