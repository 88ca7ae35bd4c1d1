//! A client for tests: calls a [`Server`](crate::Server) in the test's own process.
//!
//! [`TestClient`] builds the requests that a real client sends (headers, envelope, ids), passes them
//! to [`Server::handle`](crate::Server::handle), and reads the responses. No process, port or network
//! is involved, and time spent in a test is the time of your handler. Use it in the unit tests of
//! your tools, resources and prompts.
//!
//! ```
//! use lambda_mcp::testing::TestClient;
//! use lambda_mcp::{Args, Server, tool};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Add {
//!     a: i64,
//!     b: i64,
//! }
//!
//! async fn add(Args(Add { a, b }): Args<Add>) -> String {
//!     (a + b).to_string()
//! }
//!
//! # // In a test: #[tokio::test]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::builder("sums", "1.0.0").tool(tool("add", add)).build()?;
//! let client = TestClient::new(server);
//!
//! let result = client.call("add", json!({"a": 2, "b": 3})).await;
//! assert_eq!(result.text(), "5");
//!
//! let refused = client.call("add", json!({"a": "two", "b": 3})).await;
//! assert!(refused.is_error());
//! assert!(refused.text().contains("`a`"));
//! # Ok(())
//! # }
//! ```
//!
//! Requests need a Tokio runtime with its timer enabled, as `#[tokio::test]` provides.
//!
//! # Versions of the protocol
//!
//! A client speaks the stateless revision 2026-07-28 by default. [`TestClient::legacy`] makes it a
//! client of an older revision. A server should answer both, so a test can go through all of them:
//!
//! ```
//! # use lambda_mcp::{Server, tool};
//! # use serde_json::json;
//! use lambda_mcp::protocol::ProtocolVersion;
//! use lambda_mcp::testing::TestClient;
//!
//! # async fn hello() -> &'static str { "Hello." }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::builder("hello", "1.0.0").tool(tool("hello", hello)).build()?;
//! for version in ProtocolVersion::ALL {
//!     let client = TestClient::new(server.clone()).version(version);
//!     assert_eq!(client.call("hello", json!({})).await.text(), "Hello.");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Failures
//!
//! What a test did not expect is a panic that says what came instead, at the line of the test. A
//! call that the server refuses is not a failure by itself: [`TestResponse::expect_protocol_error`]
//! returns the error, [`TestResponse::status`] the HTTP status.
//!
//! # Questions to the client
//!
//! A handler may ask its client for input: a form, a model's answer, directories.
//! [`TestClient::answer`] and the methods next to it register answers; the client then answers and
//! sends the request again, until the result is complete. A question without an answer is returned to
//! the test: [`TestResponse::questions`] lists what is asked, and [`TestClient::resume`] continues.
//!
//! ```
//! use lambda_mcp::handler::Elicited;
//! use lambda_mcp::testing::{Answer, TestClient};
//! use lambda_mcp::{AskingContext, Server, ToolError, tool};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Consent {
//!     agreed: bool,
//! }
//!
//! async fn delete(context: AskingContext) -> Result<&'static str, ToolError> {
//!     match context.elicit::<Consent>("consent", "Delete everything?")? {
//!         Elicited::Accept(Consent { agreed: true }) => Ok("Deleted."),
//!         _ => Ok("Kept."),
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::builder("files", "1.0.0").tool(tool("delete", delete)).build()?;
//!
//! // Answered by the client.
//! let agreeing = TestClient::new(server.clone())
//!     .answer("consent", Answer::accept(json!({"agreed": true})));
//! assert_eq!(agreeing.call("delete", json!({})).await.text(), "Deleted.");
//!
//! // Answered by the test.
//! let client = TestClient::new(server).capabilities(json!({"elicitation": {}}));
//! let asked = client.call("delete", json!({})).await;
//! assert_eq!(asked.question("consent").message(), "Delete everything?");
//! let result = client.resume(&asked).answer("consent", Answer::decline()).await;
//! assert_eq!(result.text(), "Kept.");
//! # Ok(())
//! # }
//! ```

#![expect(
    clippy::panic,
    reason = "a test client fails a test by a panic, as `assert!` does"
)]

mod answers;
mod client;
mod draft;
mod exchange;
mod headers;
mod list;
mod request;
mod response;
mod result;
mod settings;
mod sse;
mod task;

pub use self::answers::{Answer, Question};
pub use self::client::TestClient;
pub use self::list::List;
pub use self::request::TestRequest;
pub use self::response::{LogLine, Notification, ProgressUpdate, ProtocolFailure, TestResponse};
pub use self::result::Completion;
