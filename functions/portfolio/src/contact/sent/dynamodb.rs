//! [`DynamoDbSentLog`]: a log in the table of the limits, exact across all instances.
//!
//! A claim and its end are one conditional `UpdateItem` each, the only action that the function's
//! role needs on the table. The item has the key `sent#<key of the mail>`; it holds digests and
//! times, nothing of the message.

use std::collections::HashMap;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Builder;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValuesOnConditionCheckFailure};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::OnceCell;

use super::super::failure::{Failure, Outcome, chain};
use super::{Claim, End, SentLog, Ticket};
use crate::aws;

/// Timeout of one attempt, and of a request with its retry.
const ATTEMPT: Duration = Duration::from_millis(900);
const REQUEST: Duration = Duration::from_millis(2000);
/// How long an item is kept after its window. Nothing depends on it.
const KEPT_S: u64 = 3600;
const PAUSE: Duration = Duration::from_millis(200);

/// A log in a DynamoDB table. It connects when the first mail is claimed.
#[derive(Debug)]
pub(crate) struct DynamoDbSentLog {
    table: String,
    client: OnceCell<Client>,
}

impl DynamoDbSentLog {
    pub(crate) const fn new(table: String) -> Self {
        Self {
            table,
            client: OnceCell::const_new(),
        }
    }

    async fn client(&self) -> &Client {
        let build = async || {
            let timeouts = TimeoutConfig::builder()
                .operation_attempt_timeout(ATTEMPT)
                .operation_timeout(REQUEST);
            let config = Builder::from(aws::config().await)
                .retry_config(RetryConfig::standard().with_max_attempts(2))
                .timeout_config(timeouts.build())
                .build();
            Client::from_conf(config)
        };
        self.client.get_or_init(build).await
    }

    async fn request_claim(&self, key: &str, ticket: &Ticket) -> Result<Claim, Failure> {
        let number = |n: u64| AttributeValue::N(n.to_string());
        let update = self.client().await.update_item();
        let answer = update
            .table_name(&self.table)
            .key("pk", item_key(key))
            .update_expression(
                "SET ticket = :ticket, retry_at = :retry, expires_at = :expires REMOVE is_sent",
            )
            .condition_expression("attribute_not_exists(retry_at) OR retry_at <= :now")
            .expression_attribute_values(":ticket", AttributeValue::S(ticket.id.clone()))
            .expression_attribute_values(":retry", number(ticket.retry_at_s()))
            .expression_attribute_values(":expires", number(ticket.retry_at_s() + KEPT_S))
            .expression_attribute_values(":now", number(ticket.at_s))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        match answer {
            Ok(_) => Ok(Claim::Granted),
            Err(error) => match known(&error) {
                Some(item) => Ok(claim_of(item, ticket)),
                None => Err(unreachable(&error)),
            },
        }
    }

    async fn request_end(&self, key: &str, ticket: &Ticket, end: End) {
        let update = match end {
            End::Sent => "SET is_sent = :value",
            End::NotSent => "SET retry_at = :value",
        };
        let value = match end {
            End::Sent => AttributeValue::Bool(true),
            End::NotSent => AttributeValue::N("0".to_owned()),
        };
        let request = self.client().await.update_item();
        let answer = request
            .table_name(&self.table)
            .key("pk", item_key(key))
            .update_expression(update)
            .condition_expression("ticket = :ticket")
            .expression_attribute_values(":ticket", AttributeValue::S(ticket.id.clone()))
            .expression_attribute_values(":value", value)
            .send()
            .await;
        if let Err(error) = answer {
            tracing::warn!(
                error = chain(&error),
                "the end of a mail cannot be recorded"
            );
        }
    }
}

impl SentLog for DynamoDbSentLog {
    fn claim<'a>(
        &'a self,
        key: &'a str,
        ticket: &'a Ticket,
    ) -> BoxFuture<'a, Result<Claim, Failure>> {
        self.request_claim(key, ticket).boxed()
    }

    fn settle<'a>(&'a self, key: &'a str, ticket: &'a Ticket, end: End) -> BoxFuture<'a, ()> {
        self.request_end(key, ticket, end).boxed()
    }
}

type Item = HashMap<String, AttributeValue>;

fn item_key(key: &str) -> AttributeValue {
    AttributeValue::S(format!("sent#{key}"))
}

/// The item that has the claim already.
fn known(error: &SdkError<UpdateItemError>) -> Option<&Item> {
    let UpdateItemError::ConditionalCheckFailedException(failed) = error.as_service_error()? else {
        return None;
    };
    failed.item()
}

fn claim_of(item: &Item, ticket: &Ticket) -> Claim {
    let has_ticket = item
        .get("ticket")
        .and_then(|value| value.as_s().ok())
        .is_some_and(|id| *id == ticket.id);
    let is_sent = item.get("is_sent").and_then(|value| value.as_bool().ok());
    match is_sent {
        Some(true) => Claim::Sent,
        // The answer to the first attempt was lost; the claim itself was not.
        _ if has_ticket => Claim::Granted,
        _ => Claim::Pending,
    }
}

/// Without the log nothing is sent: the message may have been sent before.
fn unreachable(error: &SdkError<UpdateItemError>) -> Failure {
    let cause = format!(
        "the log of sent messages cannot be reached: {}",
        chain(error)
    );
    Failure::new(Outcome::NotTaken, cause).again_after(PAUSE)
}
