//! How often tools may be called, and where calls are counted.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `RATE_LIMITS` | limits such as `contact=3/1h,20/1d,total:100/1d:reserve=20; get_resume=60/1m` |
//! | `RATE_LIMIT_TABLE` | DynamoDB table that counts calls. Required on AWS Lambda |

#[cfg(feature = "dynamodb")]
use lambda_mcp::limit::DynamoDbLimiter;
use lambda_mcp::limit::{Limits, MemoryLimiter, Rules};

use super::reader::Reader;

const RULES: &str = "RATE_LIMITS";
pub(super) const TABLE: &str = "RATE_LIMIT_TABLE";

/// Reads the limits. The limits in `default` apply to tools that `RATE_LIMITS` does not name.
/// Returns `None` if no tool has a limit.
///
/// A limit of `contact` is ignored while the tool is off, so that it can be turned off and on again by
/// one setting. Any other name that nothing has is an error of the server.
///
/// On Lambda, calls are counted in a table only: in memory, each instance would count from zero, and
/// no limit would hold.
pub(super) fn read(
    reader: &mut Reader<'_>,
    default: &str,
    has_contact: bool,
    is_on_lambda: bool,
) -> Option<Limits> {
    let default: Rules = reader.read(RULES, default.parse())?;
    let rules = match reader.parse(RULES, |text| offered(text, has_contact).parse::<Rules>()) {
        Some(rules) => reader.read(RULES, rules.with_defaults(&default))?,
        None if reader.is_set(RULES) => return None,
        None => default,
    };
    let table = reader.text(TABLE);
    if rules.is_empty() {
        return None;
    }
    let Some(table) = table else {
        if is_on_lambda {
            let fault = "is missing; on AWS Lambda, limits need a DynamoDB table";
            reader.fault(TABLE, fault);
            return None;
        }
        return Some(Limits::new(rules, MemoryLimiter::new()));
    };
    counted_in(reader, rules, table)
}

/// Returns the limits without those of a tool that is off.
fn offered(limits: &str, has_contact: bool) -> String {
    let is_of_contact = |limit: &&str| limit.split('=').next().map(str::trim) == Some("contact");
    let kept: Vec<&str> = limits
        .split(';')
        .filter(|limit| has_contact || !is_of_contact(limit))
        .collect();
    kept.join(";")
}

#[cfg(feature = "dynamodb")]
#[expect(
    clippy::unnecessary_wraps,
    reason = "a build without the feature has none"
)]
fn counted_in(_: &mut Reader<'_>, rules: Rules, table: String) -> Option<Limits> {
    Some(Limits::new(rules, DynamoDbLimiter::new(table)))
}

#[cfg(not(feature = "dynamodb"))]
fn counted_in(reader: &mut Reader<'_>, _: Rules, _: String) -> Option<Limits> {
    reader.fault(
        TABLE,
        "this build does not include it; build with `--features dynamodb`",
    );
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCAL: bool = false;
    const ON_LAMBDA: bool = true;

    fn limits(
        variables: &[(&str, &str)],
        default: &str,
        is_on_lambda: bool,
    ) -> Result<Option<Limits>, Vec<String>> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        };
        let mut reader = Reader::new(&variable);
        let limits = read(&mut reader, default, !default.is_empty(), is_on_lambda);
        if reader.faults.is_empty() {
            Ok(limits)
        } else {
            assert!(limits.is_none());
            Err(reader.faults)
        }
    }

    fn rules(variables: &[(&str, &str)], default: &str) -> String {
        let limits = limits(variables, default, LOCAL).unwrap();
        limits.map_or_else(String::new, |limits| limits.rules().to_string())
    }

    #[test]
    fn a_configured_limit_replaces_only_the_default_of_its_tool() {
        let default = "contact=3/1h";
        assert_eq!(rules(&[], ""), "");
        assert_eq!(rules(&[], default), "contact=3/1h");
        assert_eq!(rules(&[(RULES, "contact=9/1d")], default), "contact=9/1d");
        assert_eq!(
            rules(&[(RULES, "get_resume=9/1m")], default),
            "get_resume=9/1m; contact=3/1h"
        );
    }

    #[test]
    fn a_limit_of_contact_is_ignored_while_it_is_off() {
        let both = "contact = 9/1d; get_resume=9/1m";
        assert_eq!(rules(&[(RULES, both)], ""), "get_resume=9/1m");
        assert_eq!(rules(&[(RULES, "contact=9/1d")], ""), "");
        let invalid = limits(&[(RULES, "contact=9/1d; get_resume=x")], "", LOCAL);
        assert!(invalid.is_err(), "the rest is read");
    }

    #[test]
    fn calls_are_counted_in_memory_only_in_local_runs() {
        let limit = [(RULES, "get_resume=9/1m")];
        let local = limits(&limit, "", LOCAL).unwrap().unwrap();
        assert!(format!("{local:?}").contains("MemoryLimiter"));
        assert_eq!(
            limits(&limit, "", ON_LAMBDA).unwrap_err(),
            ["RATE_LIMIT_TABLE: is missing; on AWS Lambda, limits need a DynamoDB table"]
        );
        assert!(limits(&[], "", ON_LAMBDA).unwrap().is_none());
    }

    #[cfg(feature = "dynamodb")]
    #[test]
    fn a_table_counts_wherever_it_is_configured() {
        let table = [(RULES, "get_resume=9/1m"), (TABLE, "limits")];
        for is_on_lambda in [LOCAL, ON_LAMBDA] {
            let limits = limits(&table, "", is_on_lambda).unwrap().unwrap();
            assert!(format!("{limits:?}").contains("DynamoDbLimiter"));
        }
        assert!(limits(&table[1..], "", ON_LAMBDA).unwrap().is_none());
    }

    #[test]
    fn an_invalid_limit_is_named_in_the_fault() {
        let faults = limits(&[(RULES, "contact=3/1w")], "contact=3/1h", ON_LAMBDA).unwrap_err();
        assert_eq!(
            faults,
            [
                "RATE_LIMITS: `3/1w` of `contact`: `1w` is not a period; write it like `30s`, `15m`, `1h` or `1d`"
            ]
        );
    }
}
