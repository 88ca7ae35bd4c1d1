//! Where the tasks of the function run.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `TASK_FUNCTION` | ARN of the worker, with an alias. Unset: `contact` runs within the call |

use lambda_mcp::tasks::Tasks;

use super::reader::Reader;

pub(super) const FUNCTION: &str = "TASK_FUNCTION";

/// Reads the worker. Returns `None` if there is none.
pub(super) fn read(reader: &mut Reader<'_>) -> Option<Tasks> {
    reader.parse(FUNCTION, tasks)
}

/// AWS starts an execution only of a version or an alias.
#[cfg(feature = "durable")]
fn tasks(function: &str) -> Result<Tasks, &'static str> {
    let parts: Vec<&str> = function.split(':').collect();
    match parts[..] {
        ["arn", _, "lambda", _, _, "function", name, qualifier]
            if !name.is_empty() && !qualifier.is_empty() =>
        {
            Ok(Tasks::durable(function))
        }
        _ => Err(
            "must be the ARN of a function with an alias, such as arn:aws:lambda:…:function:worker:live",
        ),
    }
}

#[cfg(not(feature = "durable"))]
fn tasks(_: &str) -> Result<Tasks, &'static str> {
    Err("this build does not include it; build with `--features durable`")
}

#[cfg(test)]
#[cfg(feature = "durable")]
mod tests {
    use std::ffi::OsString;

    use crate::config::Config;

    fn read(variables: &[(&str, &str)]) -> Result<Config, Vec<String>> {
        let value = |name: &str| {
            let found = { variables.iter() }.find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        Config::read(value).map_err(|invalid| invalid.faults)
    }

    #[test]
    fn tasks_need_a_qualified_function_and_a_shared_key() {
        let live = "arn:aws:lambda:eu-central-1:123456789012:function:worker:live";
        assert!(read(&[]).unwrap().tasks.is_none());
        assert!(read(&[("TASK_FUNCTION", live)]).unwrap().tasks.is_some());
        let bare = live.strip_suffix(":live").unwrap();
        for function in [
            "worker",
            "worker:live",
            bare,
            &format!("{bare}:"),
            "arn:SENTINEL",
        ] {
            let faults = read(&[("TASK_FUNCTION", function)]).unwrap_err();
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(
                faults[0].starts_with("TASK_FUNCTION: must be the ARN"),
                "{faults:?}"
            );
            assert!(!faults[0].contains("SENTINEL"), "{faults:?}");
        }
        let on_lambda = [("LAMBDA_TASK_ROOT", "/var/task"), ("TASK_FUNCTION", live)];
        let faults = read(&on_lambda).unwrap_err();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(
            faults[0].starts_with("TASK_FUNCTION: needs REQUEST_STATE_TABLE"),
            "{faults:?}"
        );
        let key = ("REQUEST_STATE_KEY", "0123456789abcdef0123456789abcdef");
        assert!(read(&[on_lambda[0], on_lambda[1], key]).is_ok());
    }
}
