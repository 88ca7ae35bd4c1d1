//! Responses that are larger than the edge, or the budget of a batch, allows.

use super::answer::{Answer, Failure};
use super::context::{MethodContext, Request};
use super::tools_call;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::reply::Budget;

/// Replaces an answer whose response does not fit into the budget by advice to ask for less: a tool
/// error for the model, or a protocol error if the request did not reach a tool.
pub(crate) fn too_large(
    context: &MethodContext<'_>,
    call: &Call<'_>,
    answer: Answer,
    budget: &Budget,
) -> Answer {
    let size = size(budget);
    let request = Request {
        context,
        call,
        limit_target: None,
    };
    let replaced: Answer = if call.method == "tools/call" && answer.result.is_ok() {
        let text = if budget.is_batch() {
            format!(
                "The results of the batch are larger than {size} together, so this one is left \
                 out. Call the tool by itself, or ask for less."
            )
        } else {
            format!("The result is larger than {size} and cannot be sent. Ask for less of it.")
        };
        tools_call::error(&request, &text)
            .map_err(Failure::from)
            .into()
    } else if budget.is_batch() {
        ProtocolError::response_too_large(format!(
            "the responses to the batch are larger than {size} together, so this one is left out; \
             send the request by itself, or ask for less"
        ))
        .into()
    } else {
        ProtocolError::response_too_large(format!(
            "the response is larger than {size} and cannot be sent; ask for less"
        ))
        .into()
    };
    Answer {
        headers: answer.headers,
        ..replaced
    }
}

/// The answer to a request of a batch whose budget is spent. The request had no effect.
pub(crate) fn not_processed(budget: &Budget) -> Answer {
    ProtocolError::response_too_large(format!(
        "the responses to the batch are larger than {} together, so this request was not \
         processed; send it by itself",
        size(budget)
    ))
    .into()
}

fn size(budget: &Budget) -> String {
    let limit = budget.limit().map(|limit| limit.to_string());
    limit.unwrap_or_else(|| "the limit".to_owned())
}
