//! [`Arguments`]: the arguments of one call.

use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::json::Document;
use crate::schema::InvalidArguments;

/// The arguments of a call, until a parameter takes them.
#[derive(Debug)]
pub(crate) struct Arguments<'a> {
    /// `None` once they were taken.
    document: Option<Document<'a>>,
    /// The same as a value, for a parameter that looks at them.
    value: OnceLock<Value>,
}

impl<'a> Arguments<'a> {
    pub(super) const fn new(document: Document<'a>) -> Self {
        Self {
            document: Some(document),
            value: OnceLock::new(),
        }
    }

    /// The arguments as a value, `null` once they were taken.
    pub(super) fn value(&self) -> &Value {
        self.value.get_or_init(|| self.to_value())
    }

    /// Takes the arguments as a value. `null` is left.
    pub(super) fn take(&mut self) -> Value {
        let value = self.value.take().unwrap_or_else(|| self.to_value());
        self.document = None;
        value
    }

    /// Takes the arguments as a value of a type. `null` is left.
    ///
    /// # Errors
    ///
    /// The type has no such value.
    pub(super) fn read<T: DeserializeOwned>(&mut self) -> Result<T, InvalidArguments> {
        self.value.take();
        let document = self.document.take();
        let document = document.unwrap_or_else(|| Document::of(&Value::Null));
        document.root().read().map_err(|error| invalid(&error))
    }

    fn to_value(&self) -> Value {
        let document = self.document.as_ref();
        document.map_or(Value::Null, |document| document.root().to_value())
    }
}

/// What a client reads about arguments that match the schema, but are no value of the handler's type.
pub(super) fn invalid(error: &serde_path_to_error::Error<serde_json::Error>) -> InvalidArguments {
    let path = error.path().to_string();
    let path = if path == "." { "" } else { &path };
    let rule = format!("cannot be used: {}", error.inner());
    InvalidArguments::new(path, &rule)
}
