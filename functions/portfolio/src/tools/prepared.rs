//! [`Prepared`]: a result that is serialized once, at start.

use std::borrow::Cow;
use std::fmt;
use std::future::{Ready, ready};
use std::marker::PhantomData;
use std::sync::Arc;

use lambda_mcp::Json;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The JSON of a `T`. Its JSON Schema is the schema of `T`.
///
/// A clone shares the text.
pub(super) struct Prepared<T> {
    json: Arc<RawValue>,
    of: PhantomData<fn() -> T>,
}

impl<T: Serialize> Prepared<T> {
    /// Serializes the value.
    pub(super) fn new(value: &T) -> Result<Self, serde_json::Error> {
        let json = serde_json::value::to_raw_value(value)?;
        Ok(Self {
            json: Arc::from(json),
            of: PhantomData,
        })
    }
}

impl<T: JsonSchema + 'static> Prepared<T> {
    /// Returns a handler that takes no arguments and returns this result.
    pub(super) fn handler(self) -> impl Fn() -> Ready<Json<Self>> + Send + Sync + 'static {
        move || ready(Json(self.clone()))
    }
}

impl<T> Clone for Prepared<T> {
    fn clone(&self) -> Self {
        Self {
            json: Arc::clone(&self.json),
            of: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Prepared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Prepared").field(&self.json.get()).finish()
    }
}

impl<T> Serialize for Prepared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for Prepared<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prepared_answer_has_the_json_and_the_schema_of_its_value() {
        let prepared = Prepared::new(&vec![1, 2]).unwrap();
        assert_eq!(serde_json::to_string(&prepared.clone()).unwrap(), "[1,2]");
        assert_eq!(
            schemars::schema_for!(Prepared<Vec<i32>>),
            schemars::schema_for!(Vec<i32>)
        );
    }
}
