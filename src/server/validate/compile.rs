//! From a schema to a [`Validator`].

use regex_lite::Regex;
use serde_json::{Map, Value};
use thiserror::Error;

use super::{Additional, Limit, Node, Type, Validator};

/// A schema that cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UncheckableSchema {
    /// A keyword that nothing here checks.
    #[error("its schema uses `{0}`, which nothing would check; describe the type without it")]
    Keyword(String),
    /// A keyword with a value it cannot have.
    #[error("its schema's `{0}` has a value that cannot be used")]
    Value(String),
    /// A reference to something that is not in `$defs`.
    #[error("its schema refers to `{0}`, which is not in its `$defs`")]
    Reference(String),
}

impl Validator {
    /// Compiles a schema.
    ///
    /// # Errors
    ///
    /// It promises something that would not be checked.
    pub(crate) fn compile(schema: &Value) -> Result<Self, UncheckableSchema> {
        let definitions = match schema.get("$defs") {
            Some(Value::Object(schemas)) => named_nodes(schemas)?,
            Some(_) => return Err(UncheckableSchema::Value("$defs".to_owned())),
            None => Vec::new(),
        };
        let validator = Self {
            root: node(schema)?,
            definitions,
        };
        let nodes = validator
            .definitions
            .iter()
            .map(|(_, node)| node)
            .chain([&validator.root]);
        nodes
            .into_iter()
            .try_for_each(|node| validator.check_references(node))?;
        Ok(validator)
    }

    fn check_references(&self, node: &Node) -> Result<(), UncheckableSchema> {
        if let Some(name) = &node.reference
            && !self.definitions.iter().any(|(defined, _)| defined == name)
        {
            return Err(UncheckableSchema::Reference(name.clone()));
        }
        let each = match &node.additional {
            Additional::Each(node) => Some(node),
            Additional::Anything | Additional::Nothing => None,
        };
        let below = node.properties.iter().map(|(_, node)| node);
        let below = below
            .chain(node.items.as_deref())
            .chain(each.map(|node| &**node));
        let below = below
            .chain(&node.prefix_items)
            .chain(&node.any_of)
            .chain(&node.one_of);
        below
            .chain(&node.all_of)
            .try_for_each(|node| self.check_references(node))
    }
}

fn node(schema: &Value) -> Result<Node, UncheckableSchema> {
    let mut node = Node::default();
    if *schema == Value::Bool(true) {
        return Ok(node);
    }
    let keywords = schema
        .as_object()
        .ok_or_else(|| UncheckableSchema::Value("schema".to_owned()))?;
    for (keyword, value) in keywords {
        read_keyword(&mut node, keyword, value)?
            .ok_or_else(|| UncheckableSchema::Value(keyword.clone()))?;
    }
    Ok(node)
}

/// Takes one keyword up. `None`: its value is not of the kind it must be.
fn read_keyword(
    node: &mut Node,
    keyword: &str,
    value: &Value,
) -> Result<Option<()>, UncheckableSchema> {
    Ok(match keyword {
        "properties" => {
            let Some(schemas) = value.as_object() else {
                return Ok(None);
            };
            node.properties = named_nodes(schemas)?;
            Some(())
        }
        "additionalProperties" => {
            node.additional = match value.as_bool() {
                Some(true) => Additional::Anything,
                Some(false) => Additional::Nothing,
                None => Additional::Each(Box::new(self::node(value)?)),
            };
            Some(())
        }
        "items" => {
            node.items = Some(Box::new(self::node(value)?));
            Some(())
        }
        "prefixItems" => nodes(&mut node.prefix_items, value)?,
        "anyOf" => nodes(&mut node.any_of, value)?,
        "oneOf" => nodes(&mut node.one_of, value)?,
        "allOf" => nodes(&mut node.all_of, value)?,
        _ => return read_assertion(node, keyword, value),
    })
}

/// Takes up a keyword that has no schema below it.
fn read_assertion(
    node: &mut Node,
    keyword: &str,
    value: &Value,
) -> Result<Option<()>, UncheckableSchema> {
    Ok(match keyword {
        "type" => types(value).map(|types| node.types = types),
        "enum" => value
            .as_array()
            .map(|values| node.values = Some(values.clone())),
        "const" => {
            node.values = Some(vec![value.clone()]);
            Some(())
        }
        "required" => strings(value).map(|names| node.required = names),
        "minLength" => bound(value).map(|n| node.length.min = Some(n)),
        "maxLength" => bound(value).map(|n| node.length.max = Some(n)),
        "minItems" => bound(value).map(|n| node.count.min = Some(n)),
        "maxItems" => bound(value).map(|n| node.count.max = Some(n)),
        "minProperties" => bound(value).map(|n| node.members.min = Some(n)),
        "maxProperties" => bound(value).map(|n| node.members.max = Some(n)),
        "minimum" => limit(value, false).map(|limit| node.minimum = Some(limit)),
        "maximum" => limit(value, false).map(|limit| node.maximum = Some(limit)),
        "exclusiveMinimum" => limit(value, true).map(|limit| node.minimum = Some(limit)),
        "exclusiveMaximum" => limit(value, true).map(|limit| node.maximum = Some(limit)),
        "multipleOf" => value
            .as_f64()
            .filter(|step| *step > 0.0)
            .map(|step| node.multiple_of = Some(step)),
        "uniqueItems" => value.as_bool().map(|unique| node.unique = unique),
        "pattern" => value
            .as_str()
            .and_then(|pattern| Regex::new(pattern).ok())
            .map(|pattern| node.pattern = Some(pattern)),
        "$ref" => value
            .as_str()
            .and_then(|reference| reference.strip_prefix("#/$defs/"))
            .map(|name| node.reference = Some(name.to_owned())),
        // These describe and assert nothing (`format` is an annotation by default in 2020-12).
        "title" | "description" | "default" | "examples" | "format" | "deprecated" | "readOnly"
        | "writeOnly" | "$comment" | "$schema" | "$defs" | "$id" | "contentEncoding"
        | "contentMediaType" => Some(()),
        _ if keyword.starts_with("x-") => Some(()),
        _ => return Err(UncheckableSchema::Keyword(keyword.to_owned())),
    })
}

fn named_nodes(schemas: &Map<String, Value>) -> Result<Vec<(String, Node)>, UncheckableSchema> {
    schemas
        .iter()
        .map(|(name, schema)| Ok((name.clone(), node(schema)?)))
        .collect()
}

fn nodes(into: &mut Vec<Node>, value: &Value) -> Result<Option<()>, UncheckableSchema> {
    let Some(schemas) = value.as_array().filter(|schemas| !schemas.is_empty()) else {
        return Ok(None);
    };
    *into = schemas.iter().map(node).collect::<Result<_, _>>()?;
    Ok(Some(()))
}

fn types(value: &Value) -> Option<Vec<Type>> {
    let one = |value: &Value| {
        Some(match value.as_str()? {
            "null" => Type::Null,
            "boolean" => Type::Boolean,
            "integer" => Type::Integer,
            "number" => Type::Number,
            "string" => Type::String,
            "array" => Type::Array,
            "object" => Type::Object,
            _ => return None,
        })
    };
    match value.as_array() {
        Some(types) => types.iter().map(one).collect(),
        None => Some(vec![one(value)?]),
    }
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value
        .as_array()?
        .iter()
        .map(|name| name.as_str().map(str::to_owned))
        .collect()
}

fn bound(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|n| usize::try_from(n).ok())
}

fn limit(value: &Value, exclusive: bool) -> Option<Limit> {
    value.as_number().map(|value| Limit {
        value: value.clone(),
        exclusive,
    })
}
