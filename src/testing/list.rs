//! A whole list: the entries of all its pages.

use serde_json::Value;

/// The tools, resources, templates or prompts of a server, from the first page to the last.
///
/// ```
/// # use lambda_mcp::{Server, testing::TestClient, tool};
/// # async fn hello() -> &'static str { "Hello." }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let hello = tool("hello", hello).description("Greets.");
/// # let server = Server::builder("hello", "1.0.0").tool(hello).build()?;
/// let tools = TestClient::new(server).tools().await;
/// assert_eq!(tools.names(), ["hello"]);
/// assert_eq!(tools.get("hello")["description"], "Greets.");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// The member of an entry that names it.
    pub(super) member: &'static str,
    pub(super) pages: Vec<Vec<Value>>,
}

impl List {
    /// The entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Value> {
        self.pages.iter().flatten()
    }

    /// The number of entries on each page.
    #[must_use]
    pub fn page_sizes(&self) -> Vec<usize> {
        self.pages.iter().map(Vec::len).collect()
    }

    /// What the entries are called by: the `name` of tools and prompts, the `uri` of resources, the
    /// `uriTemplate` of templates.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.iter().map(|entry| self.name(entry)).collect()
    }

    /// The entry of this name, URI or template.
    ///
    /// # Panics
    ///
    /// There is none.
    #[must_use]
    #[track_caller]
    pub fn get(&self, name: &str) -> &Value {
        match self.iter().find(|entry| self.name(entry) == name) {
            Some(entry) => entry,
            None => panic!("`{name}` is not listed; there are {:?}", self.names()),
        }
    }

    fn name<'e>(&self, entry: &'e Value) -> &'e str {
        let name = entry.get(self.member).and_then(Value::as_str);
        name.unwrap_or_default()
    }
}
