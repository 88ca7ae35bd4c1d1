//! One object out of several: what a schema and the schemas that it applies to the same value say about
//! its properties.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::schema::validate::find_reference;

/// Why a schema cannot be listed as one object: an alternative accepts something else.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("one of its alternatives is {0}")]
pub(crate) struct NotAnObject(pub(super) String);

/// What a schema says about an object.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Object {
    pub(super) properties: Map<String, Value>,
    pub(super) required: Vec<String>,
    /// No other properties are allowed.
    pub(super) is_closed: bool,
}

impl Object {
    /// Reads the keywords of a schema of the document `root`.
    ///
    /// # Errors
    ///
    /// An alternative is not an object.
    pub(super) fn read(root: &Value, keywords: &Map<String, Value>) -> Result<Self, NotAnObject> {
        if let Some(other) = other_type(keywords) {
            return Err(NotAnObject(other));
        }
        let closing = ["additionalProperties", "unevaluatedProperties"];
        let mut object = Self {
            properties: object_of(keywords, "properties")
                .cloned()
                .unwrap_or_default(),
            required: names(keywords, "required"),
            is_closed: closing
                .iter()
                .any(|keyword| keywords.get(*keyword) == Some(&Value::Bool(false))),
        };
        let target = keywords.get("$ref").and_then(Value::as_str);
        if let Some(target) = target.and_then(|reference| find_reference(root, reference)) {
            object.and(Self::of(root, target)?);
        }
        for schema in list_of(keywords, "allOf") {
            object.and(Self::of(root, schema)?);
        }
        for keyword in ["oneOf", "anyOf"] {
            let schemas = list_of(keywords, keyword);
            if !schemas.is_empty() {
                object.and(Self::one_of(root, schemas)?);
            }
        }
        // These apply to some values only. Their keywords stay, so their properties must be known.
        let branches = ["then", "else"]
            .into_iter()
            .filter_map(|name| keywords.get(name));
        let dependent = object_of(keywords, "dependentSchemas");
        for schema in branches.chain(dependent.into_iter().flat_map(Map::values)) {
            let mut sometimes = Self::of(root, schema)?;
            sometimes.required.clear();
            object.and(sometimes);
        }
        Ok(object)
    }

    fn of(root: &Value, schema: &Value) -> Result<Self, NotAnObject> {
        schema.as_object().map_or_else(
            || Ok(Self::default()),
            |keywords| Self::read(root, keywords),
        )
    }

    /// Adds what another schema says about the same value. What is here already is kept: listed
    /// properties tell what to send, and need not repeat every rule.
    fn and(&mut self, other: Self) {
        for (name, schema) in other.properties {
            self.properties.entry(name).or_insert(schema);
        }
        for name in other.required {
            if !self.required.contains(&name) {
                self.required.push(name);
            }
        }
        self.is_closed |= other.is_closed;
    }

    /// The object that each alternative matches.
    fn one_of(root: &Value, schemas: &[Value]) -> Result<Self, NotAnObject> {
        let alternatives: Vec<Alternative> = schemas
            .iter()
            .map(|schema| Alternative::read(root, schema))
            .collect::<Result<_, _>>()?;
        let tag = common_tag(&alternatives);
        let mut properties = Map::new();
        let names = alternatives
            .iter()
            .flat_map(|one| one.object.properties.keys());
        for name in names {
            if !properties.contains_key(name) {
                let merged = if tag == Some(name) {
                    tag_property(name, &alternatives)
                } else {
                    property(name, tag, &alternatives)
                };
                properties.insert(name.clone(), merged);
            }
        }
        let mut required = match alternatives.first() {
            Some(first) => first.object.required.clone(),
            None => Vec::new(),
        };
        let is_required = |one: &Alternative, name: &String| one.object.required.contains(name);
        required.retain(|name| alternatives.iter().all(|one| is_required(one, name)));
        let is_closed = alternatives.iter().all(|one| one.object.is_closed);
        Ok(Self {
            properties,
            required,
            is_closed,
        })
    }
}

/// One alternative, such as a variant of an enum.
#[derive(Debug)]
struct Alternative {
    description: Option<String>,
    object: Object,
}

impl Alternative {
    fn read(root: &Value, schema: &Value) -> Result<Self, NotAnObject> {
        let description = schema.get("description").and_then(Value::as_str);
        Ok(Self {
            description: description.map(str::to_owned),
            object: Object::of(root, schema)?,
        })
    }

    /// The texts that the tag of this alternative may be.
    fn tags(&self, tag: &str) -> Vec<&str> {
        let property = self.object.properties.get(tag);
        property.and_then(texts).unwrap_or_default()
    }
}

/// The property that all alternatives require with texts of their own.
fn common_tag(alternatives: &[Alternative]) -> Option<&String> {
    let first = alternatives.first()?;
    let is_tag = |name: &&String| {
        let mut known = HashSet::new();
        alternatives.len() > 1
            && alternatives.iter().all(|one| {
                let tags = one.tags(name);
                one.object.required.contains(name)
                    && !tags.is_empty()
                    && tags.into_iter().all(|tag| known.insert(tag))
            })
    };
    first.object.properties.keys().find(is_tag)
}

/// The tag as one enumeration, which says what each value is.
fn tag_property(tag: &str, alternatives: &[Alternative]) -> Value {
    let values: Vec<&str> = alternatives.iter().flat_map(|one| one.tags(tag)).collect();
    let described = alternatives.iter().filter_map(|one| {
        let text = one.description.as_deref()?;
        Some(format!("{}: {text}", quoted(&one.tags(tag))))
    });
    let described: Vec<String> = described.collect();
    if described.is_empty() {
        return json!({ "type": "string", "enum": values });
    }
    json!({ "type": "string", "enum": values, "description": described.join(" ") })
}

/// A property that some of the alternatives have.
fn property(name: &str, tag: Option<&String>, alternatives: &[Alternative]) -> Value {
    let mut schemas: Vec<&Value> = Vec::new();
    let (mut required_by, mut allowed_by) = (Vec::new(), Vec::new());
    for one in alternatives {
        let Some(schema) = one.object.properties.get(name) else {
            continue;
        };
        if !schemas.contains(&schema) {
            schemas.push(schema);
        }
        let tags = tag.map(|tag| one.tags(tag)).unwrap_or_default();
        if one.object.required.iter().any(|required| required == name) {
            required_by.extend(tags);
        } else {
            allowed_by.extend(tags);
        }
    }
    let mut property = match schemas.as_slice() {
        [only] => (*only).clone(),
        _ => json!({ "anyOf": schemas }),
    };
    let Some(tag) = tag else {
        return property;
    };
    let all: usize = alternatives.iter().map(|one| one.tags(tag).len()).sum();
    let mut notes = Vec::new();
    if required_by.len() < all && !required_by.is_empty() {
        notes.push(format!("Required if `{tag}` is {}.", quoted(&required_by)));
    }
    if required_by.len() + allowed_by.len() < all && !allowed_by.is_empty() {
        notes.push(format!("Optional if `{tag}` is {}.", quoted(&allowed_by)));
    }
    if let (Value::Object(keywords), false) = (&mut property, notes.is_empty()) {
        let own = keywords.get("description").and_then(Value::as_str);
        let all: Vec<&str> = own
            .into_iter()
            .chain(notes.iter().map(String::as_str))
            .collect();
        let text = all.join(" ");
        keywords.insert("description".to_owned(), Value::String(text));
    }
    property
}

/// What a schema accepts if it does not accept an object.
fn other_type(keywords: &Map<String, Value>) -> Option<String> {
    let article = |name: &str| match name {
        "null" => name.to_owned(),
        "array" | "integer" => format!("an {name}"),
        _ => format!("a {name}"),
    };
    if let Some(values) = keywords.get("enum").and_then(Value::as_array)
        && let Some(text) = values.iter().find_map(Value::as_str)
    {
        return Some(format!("the text `{text}`"));
    }
    match keywords.get("type") {
        Some(Value::String(name)) if name != "object" => Some(article(name)),
        Some(Value::Array(names)) if !names.contains(&json!("object")) => {
            Some(article(names.first()?.as_str()?))
        }
        _ => None,
    }
}

/// The texts that a schema allows, if it allows nothing else.
fn texts(schema: &Value) -> Option<Vec<&str>> {
    if let Some(constant) = schema.get("const") {
        return Some(vec![constant.as_str()?]);
    }
    let values = schema.get("enum")?.as_array()?;
    values.iter().map(Value::as_str).collect()
}

fn quoted(tags: &[&str]) -> String {
    let quoted: Vec<String> = tags.iter().map(|tag| format!("`{tag}`")).collect();
    quoted.join(" or ")
}

fn object_of<'s>(keywords: &'s Map<String, Value>, name: &str) -> Option<&'s Map<String, Value>> {
    keywords.get(name).and_then(Value::as_object)
}

fn list_of<'s>(keywords: &'s Map<String, Value>, name: &str) -> &'s [Value] {
    let schemas = keywords.get(name).and_then(Value::as_array);
    schemas.map(Vec::as_slice).unwrap_or_default()
}

fn names(keywords: &Map<String, Value>, name: &str) -> Vec<String> {
    let names = list_of(keywords, name).iter().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}
