//! `completion/complete`. Specification: *Completion*.

use bytes::Bytes;
use serde_json::Value;

use super::run::{self, Ran};
use super::shape::{self, Shape};
use super::{Answer, MethodContext};
use crate::era::Call;
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;
use crate::handler::{Asks, Completer, CompletionRequest};
use crate::wire::completion::{CompleteParams, CompleteResult, Completion, MAX_VALUES, Reference};

/// Completes an argument; one that nothing completes has no suggestions.
pub(super) async fn answer(serving: &MethodContext<'_>, call: &Call<'_>) -> Answer {
    complete(serving, call).await.into()
}

async fn complete(serving: &MethodContext<'_>, call: &Call<'_>) -> Result<Bytes, ProtocolError> {
    let params: CompleteParams<'_> = super::params(call)?;
    let completers = completers(serving, &params.reference)?;
    let completer = completers
        .iter()
        .find(|c| c.argument == params.argument.name);
    let typed = params.argument.value.as_ref();
    let values = match completer {
        None => Vec::new(),
        Some(completer) => {
            let completing = CompletionRequest {
                value: typed.to_owned(),
                arguments: params.context.unwrap_or_default().arguments,
            };
            let arguments = serde_json::to_value(completing).unwrap_or(Value::Null);
            let (context, deadline) = run::context(serving, call, Asks::default());
            let name = completer.argument.as_str();
            match run::run(&completer.handler, arguments, &context, deadline).await {
                Ran::Done(values) => fitting(values, typed),
                Ran::Unfit(_) => return Err(ProtocolError::Internal),
                Ran::Broken(how) => {
                    tracing::error!(argument = name, how = how.as_str(), "a completion broke");
                    return Err(ProtocolError::Internal);
                }
            }
        }
    };
    let shown = values.get(..MAX_VALUES).unwrap_or(&values);
    let completion = Completion {
        values: shown,
        total: values.len(),
        has_more: values.len() > shown.len(),
    };
    let shape = Shape {
        version: call.version,
        server_info: &serving.prepared.server_info,
        cache: None,
        meta: None,
    };
    shape::complete(shape, &CompleteResult { completion })
}

fn completers<'s>(
    serving: &MethodContext<'s>,
    reference: &Reference<'_>,
) -> Result<&'s [Completer], ProtocolError> {
    let found = match reference {
        Reference::Prompt { name } => serving.registry.prompt(name).map(|p| &p.completers),
        Reference::Resource { uri } => {
            let mut resources = serving.registry.resources.iter();
            resources
                .find(|r| r.spec.address.as_str() == uri)
                .map(|r| &r.completers)
        }
    };
    found.map(Vec::as_slice).ok_or_else(|| {
        let (Reference::Prompt { name } | Reference::Resource { uri: name }) = reference;
        ProtocolError::invalid_params(format!(
            "`ref` names `{}`, which is not there",
            excerpt(name)
        ))
    })
}

/// The values that hold what is typed, in whatever case: those that begin with it come first.
fn fitting(values: Vec<String>, typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let (mut first, rest): (Vec<_>, Vec<_>) = values
        .into_iter()
        .partition(|value| value.to_lowercase().starts_with(&typed));
    first.extend(
        rest.into_iter()
            .filter(|value| value.to_lowercase().contains(&typed)),
    );
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_begin_with_the_text_come_first() {
        let values = ["Ruby", "TypeScript", "Rust", "JavaScript"]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(fitting(values.clone(), "ru"), ["Ruby", "Rust"]);
        assert_eq!(
            fitting(values.clone(), "script"),
            ["TypeScript", "JavaScript"]
        );
        assert_eq!(fitting(values.clone(), ""), values);
        assert_eq!(fitting(values, "go"), Vec::<String>::new());
    }
}
