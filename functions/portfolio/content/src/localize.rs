//! Texts in several languages inside one file, and the document in one of them.
//!
//! Three forms are recognized, where JSON Resume (or `profile.toml`) defines the field:
//! - an object by language in the place of a value: `"label": {"en": "Developer", "fr": …}`;
//! - a field with a language in its name: `fr_summary` or `summary_fr`, beside `summary` or not;
//! - a member by language that holds fields: `"fr": {"label": …, "summary": …}`.

use serde_json::{Map, Value};

use super::language::{lookup, tag};
use super::shape::{Field, Kind, Shape};

/// The languages found in a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Languages {
    /// The tags, in the order of the document.
    pub tags: Vec<String>,
    /// The first language of a value that is not also written without a language.
    pub default: Option<String>,
}

impl Languages {
    /// Finds the languages of a document.
    pub(crate) fn of(document: &Map<String, Value>, shape: &Shape) -> Self {
        let mut found = Self::default();
        found.object(document, shape);
        found
    }

    fn object(&mut self, object: &Map<String, Value>, shape: &Shape) {
        for (name, value) in object {
            match Member::of(name, value, shape) {
                Member::Field(field) => self.value(value, field.kind),
                Member::Variant(tag, field) => {
                    let has_plain = object.keys().any(|name| {
                        let plain = shape.field_by_any_name(name);
                        plain.is_some_and(|plain| plain.name == field.name)
                    });
                    self.add(tag, !has_plain);
                    self.value(value, field.kind);
                }
                Member::Overlay(tag, fields) => {
                    self.add(tag, true);
                    self.object(fields, shape);
                }
                Member::Unknown => {}
            }
        }
    }

    fn value(&mut self, value: &Value, kind: Kind) {
        if let Some(by_language) = by_language(value, kind) {
            for (name, value) in by_language {
                self.add(tag(name).unwrap_or_default(), true);
                self.value(value, kind);
            }
            return;
        }
        match (kind, value) {
            (Kind::Object(shape) | Kind::List(shape), Value::Object(object)) => {
                self.object(object, shape);
            }
            (Kind::List(shape), Value::Array(items)) => {
                let objects = items.iter().filter_map(Value::as_object);
                objects.for_each(|object| self.object(object, shape));
            }
            (Kind::Texts | Kind::Points, Value::Array(items)) => {
                items.iter().for_each(|item| self.value(item, Kind::Text));
            }
            _ => {}
        }
    }

    fn add(&mut self, tag: String, has_no_plain_value: bool) {
        if has_no_plain_value && self.default.is_none() {
            self.default = Some(tag.clone());
        }
        if !self.tags.contains(&tag) {
            self.tags.push(tag);
        }
    }
}

/// Returns a document in one language. A text that does not have it is in the default language,
/// else in the first one that it has.
pub(crate) fn in_language(
    document: Map<String, Value>,
    shape: &Shape,
    language: &str,
    default: &str,
) -> Map<String, Value> {
    Selection { language, default }.object(document, shape)
}

/// What a member is to the languages.
enum Member<'m> {
    /// A field.
    Field(&'m Field),
    /// A field with a language in its name.
    Variant(String, &'m Field),
    /// An object of fields, by language.
    Overlay(String, &'m Map<String, Value>),
    /// Anything else.
    Unknown,
}

impl<'m> Member<'m> {
    fn of(name: &str, value: &'m Value, shape: &'m Shape) -> Self {
        if let Some(field) = shape.field_by_any_name(name) {
            return Self::Field(field);
        }
        if let (Some(tag), Some(fields)) = (tag(name), value.as_object())
            && fields
                .keys()
                .any(|name| shape.field_by_any_name(name).is_some())
        {
            return Self::Overlay(tag, fields);
        }
        variant(name, shape).map_or(Self::Unknown, |(tag, field)| Self::Variant(tag, field))
    }
}

/// Reads a name such as `fr_summary`, `summary_fr` or `summary-pt-BR`.
fn variant<'s>(name: &str, shape: &'s Shape) -> Option<(String, &'s Field)> {
    let separators = name.match_indices(['_', '-', '.', '@', ':']);
    separators.into_iter().find_map(|(at, separator)| {
        let first = name.get(..at)?;
        let second = name.get(at + separator.len()..)?;
        let read =
            |language: &str, field: &str| Some((tag(language)?, shape.field_by_any_name(field)?));
        read(first, second).or_else(|| read(second, first))
    })
}

/// Returns the members of an object by language that is in the place of a value of this kind.
fn by_language(value: &Value, kind: Kind) -> Option<&Map<String, Value>> {
    let object = value.as_object()?;
    let fits = |value: &Value| {
        if matches!(kind, Kind::Object(_)) {
            value.is_object()
        } else if matches!(kind, Kind::List(_)) {
            value.is_array()
        } else {
            !value.is_object()
        }
    };
    let mut members = object.iter();
    let is_by_language =
        members.all(|(name, value)| tag(name).is_some() && (value.is_null() || fits(value)));
    (is_by_language && !object.is_empty()).then_some(object)
}

/// The languages to choose, in order of preference.
#[derive(Debug, Clone, Copy)]
struct Selection<'l> {
    language: &'l str,
    default: &'l str,
}

impl Selection<'_> {
    /// Returns the position of the value to use, if one is in either language.
    fn choose(self, tags: &[String]) -> Option<usize> {
        let tags = || tags.iter().map(String::as_str);
        lookup(self.language, &tags()).or_else(|| lookup(self.default, &tags()))
    }

    fn object(self, object: Map<String, Value>, shape: &Shape) -> Map<String, Value> {
        let mut fields: Map<String, Value> = Map::new();
        let mut variants: Vec<(String, String, Value)> = Vec::new();
        for (name, value) in object {
            match Member::of(&name, &value, shape) {
                Member::Variant(tag, field) => {
                    fields.entry(field.name).or_insert(Value::Null);
                    variants.push((field.name.to_owned(), tag, value));
                }
                Member::Overlay(tag, members) => {
                    for (name, value) in members {
                        let field = shape.field_by_any_name(name);
                        let name = field.map_or(name.as_str(), |field| field.name);
                        fields.entry(name).or_insert(Value::Null);
                        variants.push((name.to_owned(), tag.clone(), value.clone()));
                    }
                }
                Member::Field(_) | Member::Unknown => {
                    fields.insert(name, value);
                }
            }
        }
        self.apply(variants, &mut fields);
        let localized = fields.into_iter().map(|(name, value)| {
            let value = match shape.field_by_any_name(&name) {
                Some(field) => self.value(value, field.kind),
                None => value,
            };
            (name, value)
        });
        localized.collect()
    }

    /// Puts the variant in the right language in the place of each field that has one.
    fn apply(self, variants: Vec<(String, String, Value)>, fields: &mut Map<String, Value>) {
        let mut by_field: Map<String, Value> = Map::new();
        for (name, tag, value) in variants {
            let values = by_field.entry(name).or_insert_with(|| Map::new().into());
            if let Value::Object(values) = values {
                values.insert(tag, value);
            }
        }
        for (name, values) in by_field {
            let Value::Object(values) = values else {
                continue;
            };
            let tags: Vec<String> = values.keys().cloned().collect();
            let has_plain = fields.get(&name).is_some_and(|plain| !plain.is_null());
            // The value without a language is the default one.
            let exact = lookup(self.language, &tags.iter().map(String::as_str));
            let chosen = if has_plain {
                exact
            } else {
                Some(self.choose(&tags).unwrap_or(0))
            };
            let value = chosen.and_then(|at| values.into_iter().nth(at));
            if let Some((_, value)) = value {
                fields.insert(name, value);
            }
        }
    }

    fn value(self, value: Value, kind: Kind) -> Value {
        if let Some(values) = by_language(&value, kind) {
            let said = values
                .iter()
                .filter(|(_, value)| !super::blank::is_blank(Some(value)));
            let (tags, values): (Vec<String>, Vec<Value>) = said
                .map(|(name, value)| (tag(name).unwrap_or_default(), value.clone()))
                .unzip();
            let chosen = self.choose(&tags).unwrap_or(0);
            let value = values.into_iter().nth(chosen).unwrap_or_default();
            return self.value(value, kind);
        }
        match (kind, value) {
            (Kind::Object(shape) | Kind::List(shape), Value::Object(object)) => {
                Value::Object(self.object(object, shape))
            }
            (Kind::List(shape), Value::Array(items)) => {
                let mut items = items;
                for item in &mut items {
                    if let Value::Object(object) = item {
                        *object = self.object(std::mem::take(object), shape);
                    }
                }
                Value::Array(items)
            }
            (Kind::Texts | Kind::Points, Value::Array(items)) => {
                let items = items.into_iter();
                items.map(|item| self.value(item, Kind::Text)).collect()
            }
            (_, value) => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::resume_shape::RESUME;

    fn map(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn found(document: &Value) -> (Vec<String>, Option<String>) {
        let Languages { tags, default } = Languages::of(&map(document), &RESUME);
        (tags, default)
    }

    fn in_one(document: &Value, language: &str) -> Value {
        Value::Object(in_language(map(document), &RESUME, language, "en"))
    }

    #[test]
    fn each_form_of_texts_by_language_is_recognized() {
        let english = json!({"basics": {"name": "A", "label": "Developer"}});
        let french = json!({"basics": {"name": "A", "label": "Développeuse"}});
        for document in [
            json!({"basics": {"name": "A", "label": {"en": "Developer", "fr": "Développeuse"}}}),
            json!({"basics": {"name": "A", "en_label": "Developer", "fr_label": "Développeuse"}}),
            json!({"basics": {"name": "A", "label_en": "Developer", "label-fr-FR": "Développeuse"}}),
            json!({"basics": {"name": "A", "label": "Developer", "fr_label": "Développeuse"}}),
            json!({"basics": {"name": "A", "en": {"label": "Developer"}, "fr": {"label": "Développeuse"}}}),
            json!({"basics": {"name": "A", "label": "Developer", "fr": {"label": "Développeuse"}}}),
            json!({"en": english, "fr": french}),
            json!({"basics": {"en": {"name": "A", "label": "Developer"}, "fr": {"name": "A", "label": "Développeuse"}}}),
        ] {
            assert_eq!(in_one(&document, "en"), english, "{document}");
            assert_eq!(in_one(&document, "fr"), french, "{document}");
            assert_eq!(in_one(&document, "de"), english, "{document}");
        }
    }

    #[test]
    fn lists_and_sections_can_be_by_language() {
        let document = json!({
            "work": [{"company": "C", "highlights": {"en": ["a"], "fr": ["b", "c"]}}],
            "projects": [{"roles": [{"en": "Author", "fr": "Autrice"}], "keywords": ["k"]}],
            "interests": [{"name": "Sea"}],
            "fr_interests": [{"name": "Mer"}],
            "skills": {"en": [{"name": "S"}], "fr": [{"name": "T"}]}
        });
        assert_eq!(found(&document).0, ["en", "fr"]);
        assert_eq!(
            in_one(&document, "fr"),
            json!({
                "work": [{"company": "C", "highlights": ["b", "c"]}],
                "projects": [{"roles": ["Autrice"], "keywords": ["k"]}],
                "interests": [{"name": "Mer"}],
                "skills": [{"name": "T"}]
            })
        );
    }

    #[test]
    fn a_text_without_the_language_is_in_the_default_or_the_first_one() {
        let document =
            json!({"basics": {"label": {"fr": "", "de": "Entwicklerin"}, "summary": {"it": "x"}}});
        let expected = json!({"basics": {"label": "Entwicklerin", "summary": "x"}});
        assert_eq!(in_one(&document, "fr"), expected);
        assert_eq!(
            found(&document),
            (
                vec!["fr".into(), "de".into(), "it".into()],
                Some("fr".into())
            )
        );
    }

    #[test]
    fn a_plain_value_is_in_the_default_language() {
        let document = json!({"basics": {"summary": "Plain", "fr_summary": "Simple"}});
        assert_eq!(found(&document), (vec!["fr".into()], None));
    }

    #[test]
    fn other_objects_are_no_texts_by_language() {
        for document in [
            json!({"basics": {"location": {"city": "C"}, "url": {"href": "x"}}}),
            json!({"basics": {"name": "A", "id_card": "x", "de": "text", "to": {"x": 1}}}),
            json!({"work": [{"x": {"en": "served as written"}}], "languages": {"en": "native"}}),
            json!({"basics": {"label": {}}}),
        ] {
            assert_eq!(found(&document), (vec![], None), "{document}");
            assert_eq!(in_one(&document, "fr"), document);
        }
    }
}
