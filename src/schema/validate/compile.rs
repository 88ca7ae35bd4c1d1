//! From a schema to a [`Validator`].

use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::Arc;

use serde_json::Value;

use super::assertion;
use super::budget::Budget;
use super::hash::Hashes;
use super::invalid_schema::{Fault, InvalidSchema};
use super::node::{Node, Properties, Validator};
use super::pattern::Pattern;
use super::reference;

/// The dialect that a schema may name as its own.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

impl Validator {
    /// Compiles a schema.
    ///
    /// # Errors
    ///
    /// The schema has a keyword that would not be checked, or one with an invalid value.
    pub(crate) fn compile(schema: &Value) -> Result<Self, InvalidSchema> {
        let mut compiler = Compiler {
            root: schema,
            references: Vec::new(),
            field: String::new(),
        };
        let mut root = compiler.node(schema)?;
        // The targets of references may have references themselves.
        let mut referenced = Vec::new();
        while let Some(reference) = compiler.references.get(referenced.len()).cloned() {
            let target = reference::find(schema, &reference)
                .ok_or_else(|| Fault::Reference(reference.clone()).at(""))?;
            compiler.field = reference::field(&reference);
            referenced.push(compiler.node(target)?);
        }
        let hash_state = RandomState::new();
        root.index_values(&hash_state);
        for node in &mut referenced {
            node.index_values(&hash_state);
        }
        let validator = Self {
            root: Arc::new(root),
            referenced: referenced.into(),
            hash_state,
            refuses_unknown: false,
        };
        if reference::has_cycle(&validator) {
            return Err(Fault::Cycle.at(""));
        }
        Ok(validator)
    }
}

impl Node {
    /// Hashes the values of all enumerations.
    fn index_values(&mut self, state: &RandomState) {
        if let Some(listed) = &mut self.values {
            let mut hashes = Hashes::new(state);
            let mut by_hash = HashMap::<u64, Vec<usize>>::new();
            for value in listed.values() {
                // The values of an author take no budget.
                let hash = hashes.of(value, &mut Budget::steps_only());
                by_hash
                    .entry(hash.unwrap_or(0))
                    .or_default()
                    .push(value.at());
            }
            listed.by_hash = by_hash;
        }
        self.for_each_below(&mut |node| node.index_values(state));
    }

    /// Visits the schemas directly below this one.
    fn for_each_below(&mut self, visit: &mut impl FnMut(&mut Self)) {
        let object = &mut self.object;
        object.properties.for_each_mut(visit);
        object.patterns.iter_mut().for_each(|(_, node)| visit(node));
        object
            .dependent_schemas
            .iter_mut()
            .for_each(|(_, node)| visit(node));
        let array = &mut self.array;
        let lists = [
            &mut array.prefix,
            &mut self.any_of,
            &mut self.one_of,
            &mut self.all_of,
        ];
        lists.into_iter().flatten().for_each(&mut *visit);
        let single = [
            &mut object.additional,
            &mut object.unevaluated,
            &mut object.names,
            &mut array.items,
            &mut array.contains,
            &mut self.not,
            &mut self.condition,
            &mut self.then,
            &mut self.otherwise,
        ];
        let present = single.into_iter().filter_map(Option::as_deref_mut);
        present.for_each(visit);
    }
}

/// The work of compiling one schema.
struct Compiler<'s> {
    root: &'s Value,
    /// The references met so far; a node has the index of its own.
    references: Vec<String>,
    /// The field that the current subschema describes.
    field: String,
}

impl Compiler<'_> {
    fn fail<T>(&self, fault: Fault) -> Result<T, InvalidSchema> {
        Err(fault.at(&self.field))
    }

    fn node(&mut self, schema: &Value) -> Result<Node, InvalidSchema> {
        let mut node = Node::default();
        if let Value::Bool(anything) = schema {
            node.never = !anything;
            return Ok(node);
        }
        let Some(keywords) = schema.as_object() else {
            return self.fail(Fault::Value("schema".to_owned()));
        };
        if keywords.contains_key("$id") && !std::ptr::eq(schema, self.root) {
            // References below it would be resolved against another document.
            return self.fail(Fault::Keyword("$id".to_owned()));
        }
        for (keyword, value) in keywords {
            if !self.object_keyword(&mut node, keyword, value)?
                && !self.applicator(&mut node, keyword, value)?
                && let Err(fault) = assertion::read(&mut node, keyword, value)
            {
                return self.fail(fault);
            }
        }
        if node.array.contains.is_some() && node.array.contained.min.is_none() {
            node.array.contained.min = Some(1);
        }
        Ok(node)
    }

    fn boxed(&mut self, schema: &Value) -> Result<Option<Box<Node>>, InvalidSchema> {
        Ok(Some(Box::new(self.node(schema)?)))
    }

    /// Compiles the schema of a field or item below the current one.
    fn below(&mut self, segment: &str, schema: &Value) -> Result<Node, InvalidSchema> {
        let length = self.field.len();
        if !self.field.is_empty() && !segment.starts_with('[') {
            self.field.push('.');
        }
        self.field.push_str(segment);
        let node = self.node(schema);
        self.field.truncate(length);
        node
    }

    /// Reads a keyword with schemas for the members of an object. Returns whether it is one.
    fn object_keyword(
        &mut self,
        node: &mut Node,
        keyword: &str,
        value: &Value,
    ) -> Result<bool, InvalidSchema> {
        match keyword {
            "properties" => {
                let mut list = Vec::new();
                for (name, schema) in self.named(keyword, value)? {
                    list.push((name.clone(), self.below(name, schema)?));
                }
                node.object.properties = Properties::new(list);
            }
            "patternProperties" => {
                for (pattern, schema) in self.named(keyword, value)? {
                    let compiled = match Pattern::new(pattern) {
                        Ok(compiled) => compiled,
                        Err(reason) => {
                            let pattern = pattern.clone();
                            return self.fail(Fault::Pattern { pattern, reason });
                        }
                    };
                    let below = self.below(pattern, schema)?;
                    node.object.patterns.push((compiled, below));
                }
            }
            "dependentSchemas" => {
                for (name, schema) in self.named(keyword, value)? {
                    let dependent = self.node(schema)?;
                    node.object
                        .dependent_schemas
                        .push((name.clone(), dependent));
                }
            }
            "additionalProperties" => node.object.additional = self.boxed(value)?,
            "unevaluatedProperties" => node.object.unevaluated = self.boxed(value)?,
            "propertyNames" => node.object.names = self.boxed(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads any other keyword with schemas. Returns whether it is one.
    fn applicator(
        &mut self,
        node: &mut Node,
        keyword: &str,
        value: &Value,
    ) -> Result<bool, InvalidSchema> {
        match keyword {
            "items" => node.array.items = Some(Box::new(self.below("[]", value)?)),
            "contains" => node.array.contains = Some(Box::new(self.below("[]", value)?)),
            "not" => node.not = self.boxed(value)?,
            "if" => node.condition = self.boxed(value)?,
            "then" => node.then = self.boxed(value)?,
            "else" => node.otherwise = self.boxed(value)?,
            "prefixItems" => node.array.prefix = self.nodes(keyword, value, true)?,
            "anyOf" => node.any_of = self.nodes(keyword, value, false)?,
            "oneOf" => node.one_of = self.nodes(keyword, value, false)?,
            "allOf" => node.all_of = self.nodes(keyword, value, false)?,
            "$ref" => {
                let Some(reference) = value.as_str().filter(|text| text.starts_with('#')) else {
                    return self.fail(Fault::Value(keyword.to_owned()));
                };
                node.reference = Some(self.reference(reference));
            }
            "$schema" => {
                let dialect = value.as_str().unwrap_or_default();
                if dialect.trim_end_matches('#') != DIALECT {
                    return self.fail(Fault::Dialect(dialect.to_owned()));
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn named<'v>(
        &self,
        keyword: &str,
        value: &'v Value,
    ) -> Result<&'v serde_json::Map<String, Value>, InvalidSchema> {
        match value.as_object() {
            Some(named) => Ok(named),
            None => self.fail(Fault::Value(keyword.to_owned())),
        }
    }

    fn nodes(
        &mut self,
        keyword: &str,
        value: &Value,
        are_items: bool,
    ) -> Result<Vec<Node>, InvalidSchema> {
        let Some(schemas) = value.as_array().filter(|schemas| !schemas.is_empty()) else {
            return self.fail(Fault::Value(keyword.to_owned()));
        };
        let compile = |(index, schema): (usize, &Value)| {
            if are_items {
                self.below(&format!("[{index}]"), schema)
            } else {
                self.node(schema)
            }
        };
        schemas.iter().enumerate().map(compile).collect()
    }

    fn reference(&mut self, reference: &str) -> usize {
        let known = self.references.iter().position(|known| known == reference);
        known.unwrap_or_else(|| {
            self.references.push(reference.to_owned());
            self.references.len() - 1
        })
    }
}
