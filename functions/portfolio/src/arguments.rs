//! The input schemas of tools and prompts: only with the arguments that the content has a use for.
//!
//! Every argument costs each model that reads the list. `language` is listed if the content has more
//! than one language, and `page` if an answer has more than one page.

use std::sync::Arc;

use lambda_mcp::Args;
use lambda_mcp::handler::FromCall;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::content::Localized;

const LANGUAGE: &str = "language";
const PAGE: &str = "page";

/// Which of the optional arguments are listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Listed {
    /// The description of `language`. `None` if it is not listed.
    language: Option<String>,
    has_pages: bool,
}

impl Listed {
    /// Returns a function that lists what this content has a use for: `language`, but not `page`.
    pub(crate) fn in_language(
        content: &Arc<Localized>,
    ) -> impl Fn() -> Self + Send + Sync + 'static {
        let content = Arc::clone(content);
        move || Self::of(&content)
    }

    /// Lists what this content has a use for: `language`, but not `page`.
    pub(crate) fn of(content: &Localized) -> Self {
        let language = content.has_languages().then(|| {
            let mut tags = content.languages();
            let default = tags.next().unwrap_or_default();
            let others: Vec<&str> = tags.collect();
            format!(
                "Language of the texts, as a BCP 47 tag. Available: {default} (default), {}. Other \
                 tags fall back: `de-CH` to `de`, and then to the default.",
                others.join(", ")
            )
        });
        Self {
            language,
            has_pages: false,
        }
    }

    /// Sets whether `page` is listed.
    pub(crate) const fn pages(mut self, has_pages: bool) -> Self {
        self.has_pages = has_pages;
        self
    }

    /// Returns the input schema of `A` with the arguments that are listed.
    pub(crate) fn schema<A: DeserializeOwned + JsonSchema + Send>(&self) -> Value {
        let mut schema = <Args<A> as FromCall<()>>::input_schema().unwrap_or_default();
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        let is_empty = properties.is_none_or(|properties| {
            self.reduce(properties);
            properties.is_empty()
        });
        if is_empty && let Some(schema) = schema.as_object_mut() {
            schema.shift_remove("description");
        }
        schema
    }

    fn reduce(&self, properties: &mut Map<String, Value>) {
        if !self.has_pages {
            properties.shift_remove(PAGE);
        }
        match (&self.language, properties.get_mut(LANGUAGE)) {
            (Some(text), Some(property)) => property["description"] = json!(text),
            _ => {
                properties.shift_remove(LANGUAGE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::content::localized_of;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only the schema is tested")]
    struct Arguments {
        topic: Option<String>,
        page: Option<u32>,
        language: Option<String>,
    }

    #[test]
    fn an_argument_is_listed_if_the_content_has_a_use_for_it() {
        let one = localized_of(&json!({"basics": {"name": "A"}}), "language = \"en\"");
        let label = json!({"en": "Developer", "de": "Entwicklerin"});
        let two = localized_of(&json!({"basics": {"name": "A", "label": label}}), "");
        let names = |listed: Listed| {
            let schema = listed.schema::<Arguments>();
            let properties = schema["properties"].as_object().unwrap();
            properties.keys().cloned().collect::<Vec<_>>()
        };
        assert_eq!(names(Listed::of(&one)), ["topic"]);
        assert_eq!(names(Listed::of(&one).pages(true)), ["topic", "page"]);
        assert_eq!(names(Listed::of(&two)), ["topic", "language"]);
        let schema = Listed::of(&two).schema::<Arguments>();
        let text = schema["properties"]["language"]["description"].as_str();
        assert!(text.unwrap().contains("en (default), de."), "{text:?}");
    }
}
