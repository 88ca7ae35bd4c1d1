//! [`ResourceVariables`]: what the handler of a resource reads from its URI, made and checked on first need,
//! as the schemas of tools are (`tool_schemas.rs`).

use std::fmt;

use serde_json::{Map, Value};

use crate::error::ProtocolError;
use crate::handler::Reads;
use crate::schema::Validator;
use crate::server::build_error::BuildError;
use crate::server::definition;
use crate::server::on_need::OnNeed;

/// Variables after they were checked.
#[derive(Debug)]
pub(crate) struct CheckedVariables {
    /// The schema as one object.
    pub(crate) schema: Value,
    pub(crate) validator: Validator,
}

/// What the handler of a resource reads from its URI.
pub(crate) struct ResourceVariables {
    reads: fn() -> Reads,
    checked: OnNeed<CheckedVariables>,
}

impl ResourceVariables {
    /// The variables that a handler reads.
    pub(super) const fn new(reads: fn() -> Reads) -> Self {
        Self {
            reads,
            checked: OnNeed::new(),
        }
    }

    /// Makes and checks them. `known` are the variables of the resource at `uri`.
    ///
    /// # Errors
    ///
    /// The schema has a fault, or a variable that the URI does not have.
    pub(super) fn check(&self, uri: &str, known: &[&str]) -> Result<(), BuildError> {
        let variables = self.read(uri, known)?;
        self.checked.keep(variables);
        Ok(())
    }

    /// The variables; `known` as for [`check`](Self::check).
    ///
    /// # Errors
    ///
    /// They have a fault, which is logged.
    pub(super) fn get(
        &self,
        uri: &str,
        known: &[&str],
    ) -> Result<&CheckedVariables, ProtocolError> {
        self.checked.get("a resource", || self.read(uri, known))
    }

    fn read(&self, uri: &str, known: &[&str]) -> Result<CheckedVariables, BuildError> {
        let reads = (self.reads)();
        definition::check_reads(&reads, || format!("resource `{uri}`"))?;
        let fail = |reason: String| BuildError::Resource {
            uri: uri.to_owned(),
            reason,
        };
        let (validator, schema) = definition::arguments(reads).map_err(fail)?;
        if let Some((name, found)) = definition::not_text(&schema) {
            return Err(fail(format!(
                "its variable `{name}` is {found}, but variables are text; use a text, number or \
                 boolean"
            )));
        }
        let wanted = schema.get("properties").and_then(Value::as_object);
        let mut wanted = wanted.into_iter().flat_map(Map::keys);
        if let Some(name) = wanted.find(|name| !known.contains(&name.as_str())) {
            return Err(fail(not_a_variable(name)));
        }
        Ok(CheckedVariables { schema, validator })
    }
}

/// Why a name does not fit a URI.
pub(super) fn not_a_variable(name: &str) -> String {
    format!("`{name}` is not a variable of its URI")
}

impl fmt::Debug for ResourceVariables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceVariables")
            .field("checked", &self.checked)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What reads the variable `x`, which has this schema.
    fn of(x: &Value) -> Reads {
        Reads::Arguments(json!({"type": "object", "properties": {"x": x}}))
    }

    #[test]
    fn variables_are_the_same_whether_they_are_checked_before_or_made_on_need() {
        let reads = || of(&json!({"type": "integer"}));
        let (checked, lazy) = (ResourceVariables::new(reads), ResourceVariables::new(reads));
        checked.check("a:{x}", &["x"]).unwrap();
        let schema = |variables: &ResourceVariables| {
            let variables = variables.get("a:{x}", &["x"]);
            variables.unwrap().schema.clone()
        };
        assert_eq!(schema(&checked), schema(&lazy));
        assert_eq!(schema(&lazy)["properties"]["x"]["type"], "integer");
    }

    #[test]
    fn a_fault_that_is_found_on_need_is_an_internal_error() {
        type Row = (fn() -> Reads, &'static str, &'static str);
        let rows: [Row; 4] = [
            (|| Reads::Repeatedly, "x", "resource `a:{x}`"),
            (
                || Reads::Arguments(json!({"type": "object", "minProperties": "one"})),
                "x",
                "min",
            ),
            (|| of(&json!({"type": "array"})), "x", "variables are text"),
            (
                || of(&json!({"type": "string"})),
                "y",
                "`x` is not a variable of its URI",
            ),
        ];
        for (reads, known, reason) in rows {
            let variables = ResourceVariables::new(reads);
            let error = variables.check("a:{x}", &[known]).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
            assert!(variables.get("a:{x}", &[known]).is_err(), "{error}");
        }
    }
}
