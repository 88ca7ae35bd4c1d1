//! [`Stored`]: an output that many calls return, written once.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::error::ToolError;
use crate::handler::output::{IntoToolOutput, ToolOutput};
use crate::handler::stored_output::StoredOutput;
use crate::schema;

/// A value as JSON that many calls return, such as a list that changes with each deployment only.
///
/// A tool that returns it has the same results and the same output schema as one that returns
/// [`Json<T>`](crate::Json). But the value is serialized once, when it is made, and the result of a call
/// is written once for each protocol version, as it goes onto the wire. A clone is cheap and shares
/// everything: keep one in the state, and return clones of it.
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::Stored;
/// use lambda_mcp::{Server, State, tool};
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// #[derive(Serialize, JsonSchema)]
/// struct Harbours {
///     names: Vec<String>,
/// }
///
/// async fn harbours(State(stored): State<Stored<Harbours>>) -> Stored<Harbours> {
///     stored
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let harbours_of_today = Stored::new(&Harbours { names: vec!["Husum".to_owned()] })?;
/// let server = Server::builder("harbours", "1.0.0")
///     .state(harbours_of_today)
///     .tool(tool("harbours", harbours))
///     .build()?;
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
pub struct Stored<T> {
    output: Arc<StoredOutput>,
    of: PhantomData<fn() -> T>,
}

impl<T: Serialize> Stored<T> {
    /// Serializes the value.
    ///
    /// # Errors
    ///
    /// The value cannot be serialized as JSON.
    pub fn new(value: &T) -> Result<Self, serde_json::Error> {
        Self::of(value)
    }
}

impl<T> Stored<T> {
    /// Serializes a value of another type that has the form of a `T`, such as a
    /// [`serde_json::Value`].
    ///
    /// # Errors
    ///
    /// The value cannot be serialized as JSON.
    pub fn of(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        let json = serde_json::value::to_raw_value(value)?;
        Ok(Self {
            output: Arc::new(StoredOutput::new(json)),
            of: PhantomData,
        })
    }

    /// Returns the JSON.
    #[must_use]
    pub fn json(&self) -> &str {
        self.output.json().get()
    }
}

impl<T> Clone for Stored<T> {
    fn clone(&self) -> Self {
        Self {
            output: Arc::clone(&self.output),
            of: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Stored<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stored").field(&self.json()).finish()
    }
}

impl<T> Serialize for Stored<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.output.json().serialize(serializer)
    }
}

impl<T: JsonSchema> IntoToolOutput for Stored<T> {
    fn output_schema() -> Option<serde_json::Value> {
        Some(schema::output::<T>())
    }

    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::stored(self.output))
    }
}
