//! From a schema to a [`Validator`].

use regex_lite::Regex;
use serde_json::Value;
use thiserror::Error;

use super::{Additional, Limit, Node, Type, Validator, reference};

/// A schema that cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidSchema {
    /// A keyword that nothing here checks.
    #[error("its schema uses `{0}`, which nothing would check; describe the type without it")]
    Keyword(String),
    /// A keyword with a value it cannot have.
    #[error("its schema's `{0}` has a value that cannot be used")]
    Value(String),
    /// A reference to something that is not in the schema.
    #[error("its schema refers to `{0}`, which is not in it")]
    Reference(String),
    /// A reference that leads back to itself.
    #[error("its schema refers back to itself without going deeper, so no check of it would end")]
    Circle,
}

impl Validator {
    /// Compiles a schema.
    ///
    /// # Errors
    ///
    /// It promises something that would not be checked.
    pub(crate) fn compile(schema: &Value) -> Result<Self, InvalidSchema> {
        let mut compiler = Compiler {
            root: schema,
            references: Vec::new(),
        };
        let root = compiler.node(schema)?;
        // What is referred to may refer to more.
        let mut referenced = Vec::new();
        while let Some(reference) = compiler.references.get(referenced.len()) {
            let found = reference::find(schema, reference)
                .ok_or_else(|| InvalidSchema::Reference(reference.clone()))?;
            referenced.push(compiler.node(found)?);
        }
        let validator = Self { root, referenced };
        validator.check_references_end()?;
        Ok(validator)
    }
}

/// The work of compiling one schema.
struct Compiler<'s> {
    root: &'s Value,
    /// The references met so far; a node keeps the index of its own.
    references: Vec<String>,
}

impl Compiler<'_> {
    fn node(&mut self, schema: &Value) -> Result<Node, InvalidSchema> {
        let mut node = Node::default();
        if let Value::Bool(anything) = schema {
            node.never = !anything;
            return Ok(node);
        }
        let keywords = schema
            .as_object()
            .ok_or_else(|| InvalidSchema::Value("schema".to_owned()))?;
        if keywords.contains_key("$id") && !std::ptr::eq(schema, self.root) {
            // References below it would lead somewhere else.
            return Err(InvalidSchema::Keyword("$id".to_owned()));
        }
        for (keyword, value) in keywords {
            self.read_keyword(&mut node, keyword, value)?
                .ok_or_else(|| InvalidSchema::Value(keyword.clone()))?;
        }
        Ok(node)
    }

    /// Takes one keyword up. `None`: its value is not of the kind it must be.
    fn read_keyword(
        &mut self,
        node: &mut Node,
        keyword: &str,
        value: &Value,
    ) -> Result<Option<()>, InvalidSchema> {
        match keyword {
            "properties" => {
                let Some(schemas) = value.as_object() else {
                    return Ok(None);
                };
                node.properties = schemas
                    .iter()
                    .map(|(name, schema)| Ok((name.clone(), self.node(schema)?)))
                    .collect::<Result<_, _>>()?;
            }
            "additionalProperties" => {
                node.additional = match value.as_bool() {
                    Some(true) => Additional::Anything,
                    Some(false) => Additional::Nothing,
                    None => Additional::Each(Box::new(self.node(value)?)),
                };
            }
            "items" => node.items = Some(Box::new(self.node(value)?)),
            "not" => node.not = Some(Box::new(self.node(value)?)),
            "if" => node.condition = Some(Box::new(self.node(value)?)),
            "then" => node.then = Some(Box::new(self.node(value)?)),
            "else" => node.otherwise = Some(Box::new(self.node(value)?)),
            "prefixItems" => return self.nodes(&mut node.prefix_items, value),
            "anyOf" => return self.nodes(&mut node.any_of, value),
            "oneOf" => return self.nodes(&mut node.one_of, value),
            "allOf" => return self.nodes(&mut node.all_of, value),
            "$ref" => {
                let Some(reference) = value.as_str().filter(|text| text.starts_with('#')) else {
                    return Ok(None);
                };
                node.reference = Some(self.reference(reference));
            }
            _ => return read_assertion(node, keyword, value),
        }
        Ok(Some(()))
    }

    fn nodes(&mut self, into: &mut Vec<Node>, value: &Value) -> Result<Option<()>, InvalidSchema> {
        let Some(schemas) = value.as_array().filter(|schemas| !schemas.is_empty()) else {
            return Ok(None);
        };
        let nodes = schemas.iter().map(|schema| self.node(schema));
        *into = nodes.collect::<Result<_, _>>()?;
        Ok(Some(()))
    }

    fn reference(&mut self, reference: &str) -> usize {
        let known = self.references.iter().position(|known| known == reference);
        known.unwrap_or_else(|| {
            self.references.push(reference.to_owned());
            self.references.len() - 1
        })
    }
}

/// Takes up a keyword that has no schema below it.
fn read_assertion(
    node: &mut Node,
    keyword: &str,
    value: &Value,
) -> Result<Option<()>, InvalidSchema> {
    Ok(match keyword {
        "type" => types(value).map(|types| node.types = types),
        "enum" => value.as_array().map(|values| one_of(node, values)),
        "const" => {
            one_of(node, std::slice::from_ref(value));
            Some(())
        }
        "required" => strings(value).map(|names| node.required = names),
        "minLength" => bound(value).map(|n| node.length.min = Some(n)),
        "maxLength" => bound(value).map(|n| node.length.max = Some(n)),
        "minItems" => bound(value).map(|n| node.count.min = Some(n)),
        "maxItems" => bound(value).map(|n| node.count.max = Some(n)),
        "minProperties" => bound(value).map(|n| node.members.min = Some(n)),
        "maxProperties" => bound(value).map(|n| node.members.max = Some(n)),
        "minimum" => limit(value, false).map(|limit| node.minimum.push(limit)),
        "maximum" => limit(value, false).map(|limit| node.maximum.push(limit)),
        "exclusiveMinimum" => limit(value, true).map(|limit| node.minimum.push(limit)),
        "exclusiveMaximum" => limit(value, true).map(|limit| node.maximum.push(limit)),
        "multipleOf" => value
            .as_f64()
            .filter(|step| *step > 0.0)
            .map(|step| node.multiple_of = Some(step)),
        "uniqueItems" => value.as_bool().map(|unique| node.unique = unique),
        "pattern" => value
            .as_str()
            .and_then(|pattern| Regex::new(pattern).ok())
            .map(|pattern| node.pattern = Some(pattern)),
        // What is defined asserts nothing by itself; it is compiled where something refers to it.
        "$defs" => value.is_object().then_some(()),
        "$anchor" => value.is_string().then_some(()),
        // These describe and assert nothing (`format` is an annotation by default in 2020-12).
        "title" | "description" | "default" | "examples" | "format" | "deprecated" | "readOnly"
        | "writeOnly" | "$comment" | "$schema" | "$id" | "contentEncoding" | "contentMediaType" => {
            Some(())
        }
        _ if keyword.starts_with("x-") => Some(()),
        _ => return Err(InvalidSchema::Keyword(keyword.to_owned())),
    })
}

/// `enum` and `const` may stand side by side: both hold.
fn one_of(node: &mut Node, values: &[Value]) {
    let mut values = values.to_vec();
    if let Some(known) = &node.values {
        values.retain(|value| known.contains(value));
    }
    node.values = Some(values);
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
