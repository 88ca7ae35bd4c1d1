//! The key that signs `requestState`, shared by all instances through the limits table.
//!
//! A client can send the next round of a request to another instance than the one that asked, so all
//! instances need one key. The first instance creates it; the item never expires.

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::DisplayErrorContext;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue};
use lambda_mcp::server::RequestStateKey;
use thiserror::Error;
use tokio::time::timeout;

use crate::aws;

/// The partition key of the item. Counters begin with `rl#`, so they cannot collide with it.
const ITEM: &str = "key#request-state";
const TIMEOUT: Duration = Duration::from_secs(2);

/// The key cannot be read or created.
#[derive(Debug, Error)]
#[error("REQUEST_STATE_TABLE: the key of request states cannot be read: {0}")]
pub(crate) struct StateKeyUnavailable(String);

/// Returns the key that `table` holds, and creates it if it holds none: one atomic `UpdateItem`.
///
/// # Errors
///
/// DynamoDB does not answer within two seconds, or it refuses.
pub(crate) async fn request_state_key(table: &str) -> Result<RequestStateKey, StateKeyUnavailable> {
    let failed = |words: String| StateKeyUnavailable(words);
    let mut fresh = vec![0; RequestStateKey::MIN_BYTES];
    getrandom::fill(&mut fresh).map_err(|error| failed(error.to_string()))?;
    let client = Client::new(aws::config().await);
    let update = client
        .update_item()
        .table_name(table)
        .key("pk", AttributeValue::S(ITEM.to_owned()))
        .update_expression("SET secret = if_not_exists(secret, :fresh)")
        .expression_attribute_values(":fresh", AttributeValue::B(Blob::new(fresh)))
        .return_values(ReturnValue::AllNew)
        .send();
    let answer = timeout(TIMEOUT, update)
        .await
        .map_err(|_elapsed| failed("no answer in time".to_owned()))?
        .map_err(|error| failed(DisplayErrorContext(error).to_string()))?;
    let secret = answer.attributes.and_then(|mut item| item.remove("secret"));
    match secret {
        Some(AttributeValue::B(secret)) => {
            RequestStateKey::new(secret.into_inner()).map_err(|invalid| failed(invalid.to_string()))
        }
        _ => Err(failed(format!("the item `{ITEM}` has no `secret`"))),
    }
}
