//! [`DynamoDbLimiter`]: counts in a DynamoDB table, exactly across all instances.
//!
//! Each item is updated by one conditional `UpdateItem`: the condition looks, the update counts. The
//! counters of one client share an item as far as possible; see `item.rs`.
//!
//! The items of a call are updated in parallel. If one of them limits the call, the others are taken
//! back by another write. So a limit is never exceeded, and a limited call counts for nothing.
//!
//! The exceptions are on the strict side. A write that is repeated because its answer was lost, and a
//! take-back that fails, count a call too much. Between a count and its take-back, other calls see
//! the higher count; therefore an exhausted limit of several clients is asked a second time, 50 ms
//! later.

mod failure;
mod item;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use aws_config::SdkConfig;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Builder;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::update_item::{UpdateItemError, UpdateItemOutput};
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue, ReturnValuesOnConditionCheckFailure};
use futures_util::future::join_all;
use tokio::sync::OnceCell;
use tokio::time::timeout;

use self::failure::{is_broken_connection, store_error};
use self::item::{Expressions, Item, items};
use crate::aws;
use crate::future::BoxFuture;
use crate::limit::counter::{Counter, Decision, LimitKind};
use crate::limit::limiter::{Limiter, StoreError};

/// The default timeout of a decision. An update takes milliseconds, and callers wait for it.
const DECISION_TIMEOUT: Duration = Duration::from_millis(400);
/// The additional time for the first connection: root certificates, credentials, DNS and TLS.
const FIRST_CONNECTION: Duration = Duration::from_millis(600);

/// The time after which an exhausted limit of several clients is asked again. Take-backs of other calls take
/// milliseconds.
const SECOND_LOOK: Duration = Duration::from_millis(50);

const KEY: &str = "pk";

/// A [`Limiter`] that counts in a DynamoDB table, for all instances of a function together.
///
/// The table has the partition key `pk`, a string, and no sort key. Set its time to live to the
/// attribute `expires_at`, so that DynamoDB deletes old counters. The function needs the permission
/// `dynamodb:UpdateItem`.
///
/// A call costs one write per client and one per [total](crate::limit::Rule::total), in one round
/// trip. A client with an IPv6 address costs two more, for the networks that it is part of. The windows of a client share an item, and so one write, if they nest: if the longest is a
/// multiple of the others, at most 60 times as long. Of the windows with a burst, at most 5 may
/// fit. A limited call costs one more round trip, and then none until its retry time.
///
/// Nothing is connected before the first decision. A decision takes at most 400 ms, and 600 ms more
/// until the first connection is open.
///
/// # Examples
///
/// ```
/// use lambda_mcp::limit::{DynamoDbLimiter, Limits};
///
/// let limits = Limits::new("contact=3/1h,20/1d".parse()?, DynamoDbLimiter::new("limits"));
/// # assert!(!limits.rules().is_empty());
/// # Ok::<(), lambda_mcp::limit::InvalidRules>(())
/// ```
pub struct DynamoDbLimiter {
    table: String,
    config: Option<SdkConfig>,
    client: OnceCell<Client>,
    has_connected: AtomicBool,
    timeout: Duration,
}

impl DynamoDbLimiter {
    /// Counts in `table`, with the Region and the credentials of the environment.
    #[must_use]
    pub fn new(table: impl Into<String>) -> Self {
        Self::with(table.into(), None)
    }

    /// Counts in `table`, with this configuration. It must have an HTTP client. Its retries and
    /// timeouts are ignored.
    #[must_use]
    pub fn with_config(table: impl Into<String>, config: SdkConfig) -> Self {
        Self::with(table.into(), Some(config))
    }

    fn with(table: String, config: Option<SdkConfig>) -> Self {
        Self {
            table,
            config,
            client: OnceCell::new(),
            has_connected: AtomicBool::new(false),
            timeout: DECISION_TIMEOUT,
        }
    }

    /// Sets the timeout of a decision. Defaults to 400 ms. Until the first connection is open, it is
    /// 600 ms longer.
    #[must_use]
    pub const fn decision_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Builds the client on the first call. That takes milliseconds, mostly for the certificates.
    async fn client(&self) -> &Client {
        let build = async || {
            let config = aws::config_or(self.config.as_ref()).await;
            // Time and attempts are bounded here; the client must not add its own.
            let config = Builder::from(&config)
                .retry_config(RetryConfig::standard().with_max_attempts(1))
                .timeout_config(TimeoutConfig::disabled())
                .build();
            Client::from_conf(config)
        };
        self.client.get_or_init(build).await
    }

    async fn count_all(&self, counters: &[Counter]) -> Result<Decision, StoreError> {
        let items = items(counters);
        let mut decisions = join_all(items.iter().map(|item| self.count_in(item, counters))).await;
        let is_of_several_clients =
            |item: &Item| item.indexes().all(|index| is_shared(counters, index));
        let only_shared_limit =
            items
                .iter()
                .zip(&decisions)
                .all(|(item, decision)| match decision {
                    Ok(Decision::Limited { .. }) => is_of_several_clients(item),
                    Ok(Decision::Allowed { .. }) => true,
                    Err(_) => false,
                });
        if only_shared_limit && items.len() > 1 && decisions.iter().any(is_limited) {
            tokio::time::sleep(SECOND_LOOK).await;
            for (item, decision) in items.iter().zip(&mut decisions) {
                if is_limited(decision) {
                    *decision = self.count_in(item, counters).await;
                }
            }
        }
        if decisions.iter().any(is_limited) {
            let counted = items.iter().zip(&decisions).filter(|(_, decision)| {
                let decision = decision.as_ref();
                decision.is_ok_and(Decision::is_allowed)
            });
            join_all(counted.map(|(item, _)| self.take_back(item))).await;
        }
        merge(counters.len(), &items, decisions)
    }

    /// Counts in one item, and decides for its counters.
    async fn count_in(&self, item: &Item, counters: &[Counter]) -> Result<Decision, StoreError> {
        // One attempt, and a second one on a new connection: an instance that slept wakes up with
        // connections that are closed.
        let outcome = match self.update(item, item.count()).await {
            Err(error) if is_broken_connection(&error) => self.update(item, item.count()).await,
            outcome => outcome,
        };
        match outcome {
            Ok(output) => {
                let counts = output.attributes().map(|stored| item.counts(stored));
                let counts = counts.unwrap_or_default();
                if counts.is_empty() || counts.iter().any(|count| count.window == 0) {
                    return Err(StoreError::new("its answer has no count"));
                }
                Ok(Decision::Allowed {
                    counts: counts.iter().map(|count| count.window).collect(),
                })
            }
            Err(error) => limited(&error, item, counters).ok_or_else(|| store_error(&error)),
        }
    }

    /// Takes back a call that was counted in `item` and limited elsewhere. There is no second
    /// attempt: taken back twice, a limit could be exceeded.
    async fn take_back(&self, item: &Item) {
        if let Err(error) = self.update(item, item.take_back()).await {
            let error = store_error(&error);
            tracing::warn!("a limited call stays counted: {error}");
        }
    }

    async fn update(
        &self,
        item: &Item,
        expressions: Expressions,
    ) -> Result<UpdateItemOutput, SdkError<UpdateItemError>> {
        let update = self.client().await.update_item();
        update
            .table_name(&self.table)
            .key(KEY, AttributeValue::S(item.key.clone()))
            .update_expression(expressions.update)
            .condition_expression(expressions.condition)
            .set_expression_attribute_names(Some(expressions.names))
            .set_expression_attribute_values(Some(expressions.values))
            .return_values(ReturnValue::UpdatedNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await
    }
}

impl Limiter for DynamoDbLimiter {
    fn count<'a>(
        &'a self,
        counters: &'a [Counter],
        _now: SystemTime,
    ) -> BoxFuture<'a, Result<Decision, StoreError>> {
        Box::pin(async move {
            let connection = if self.has_connected.load(Ordering::Relaxed) {
                Duration::ZERO
            } else {
                FIRST_CONNECTION
            };
            let limit = self.timeout.saturating_add(connection);
            let decision = timeout(limit, self.count_all(counters))
                .await
                .unwrap_or_else(|_| Err(StoreError::new("no answer in time")));
            if decision.is_ok() {
                self.has_connected.store(true, Ordering::Relaxed);
            }
            decision
        })
    }
}

impl fmt::Debug for DynamoDbLimiter {
    /// Leaves out the configuration, which contains credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamoDbLimiter")
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

fn is_limited(decision: &Result<Decision, StoreError>) -> bool {
    matches!(decision, Ok(Decision::Limited { .. }))
}

fn is_shared(counters: &[Counter], index: usize) -> bool {
    counters.get(index).is_some_and(Counter::is_shared)
}

/// Puts the decisions about the items together: the longest wait, else the first error, else the
/// counts of all counters.
fn merge(
    counters: usize,
    items: &[Item],
    decisions: Vec<Result<Decision, StoreError>>,
) -> Result<Decision, StoreError> {
    let mut all_counts = vec![0; counters];
    let mut longest: Option<(usize, SystemTime, LimitKind)> = None;
    let mut failure = None;
    for (item, decision) in items.iter().zip(decisions) {
        let indexes: Vec<usize> = item.indexes().collect();
        match decision {
            Ok(Decision::Allowed { counts }) => {
                for (index, count) in indexes.iter().zip(counts) {
                    if let Some(slot) = all_counts.get_mut(*index) {
                        *slot = count;
                    }
                }
            }
            Ok(Decision::Limited { index, until, kind }) => {
                if longest.is_none_or(|(_, longest, _)| until > longest)
                    && let Some(index) = indexes.get(index)
                {
                    longest = Some((*index, until, kind));
                }
            }
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match (longest, failure) {
        (Some((index, until, kind)), _) => Ok(Decision::Limited { index, until, kind }),
        (None, Some(error)) => Err(error),
        (None, None) => Ok(Decision::Allowed { counts: all_counts }),
    }
}

/// Returns the decision, if the error is that the condition of the update is false. The old item
/// says which part of it is.
fn limited(
    error: &SdkError<UpdateItemError>,
    item: &Item,
    counters: &[Counter],
) -> Option<Decision> {
    let UpdateItemError::ConditionalCheckFailedException(failed) = error.as_service_error()? else {
        return None;
    };
    let own: Vec<Counter> = item
        .indexes()
        .filter_map(|index| counters.get(index).cloned())
        .collect();
    let counts = failed.item().map(|stored| item.counts(stored));
    let decision = Decision::new(&own, &counts.unwrap_or_default());
    if !decision.is_allowed() {
        return Some(decision);
    }
    // The store does not say why: the next tenth of the shortest window is another chance.
    let window = own.iter().map(|counter| *counter.window());
    let shortest = window.min_by_key(|window| window.length())?;
    Some(Decision::Limited {
        index: 0,
        until: shortest.part_end(),
        kind: LimitKind::Burst,
    })
}
