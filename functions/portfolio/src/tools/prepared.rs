//! [`Prepared`]: a result that is serialized once, on first need.

use std::borrow::Cow;
use std::fmt;
use std::future::{Ready, ready};
use std::marker::PhantomData;
use std::sync::Arc;

use lambda_mcp::{Args, Json, ToolError};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::read_only::InLanguage;
use crate::content::ByLanguage;

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
        Self::of(value)
    }
}

impl<T> Prepared<T> {
    /// Serializes a value that has the form of a `T`.
    pub(super) fn of(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        let json = serde_json::value::to_raw_value(value)?;
        Ok(Self {
            json: Arc::from(json),
            of: PhantomData,
        })
    }
}

impl<T: JsonSchema + 'static> ByLanguage<Prepared<T>> {
    /// Returns a handler that takes the language and returns the result.
    pub(super) fn handler(
        self,
    ) -> impl Fn(Args<InLanguage>) -> Ready<Result<Json<Prepared<T>>, ToolError>> + Send + Sync + 'static
    {
        move |Args(InLanguage { language })| ready(self.answer(language.as_deref()))
    }

    fn answer(&self, language: Option<&str>) -> Result<Json<Prepared<T>>, ToolError> {
        Ok(Json(self.get(language)?.clone()))
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
