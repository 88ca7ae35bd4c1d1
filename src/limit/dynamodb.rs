//! Counts in a DynamoDB table: exact across all instances, one write a decision.
//!
//! The table has a string key `pk` and, to clean up, a time to live on `expires_at`. Each decision
//! is one conditional `UpdateItem`: the condition looks, the update counts, and nothing else ever
//! writes the item.
//!
//! A decision takes 400 ms at most. One attempt is made, but where the connection broke without an
//! answer a second one, on a new connection: instances sleep between requests, and wake up with
//! connections that are gone. If the first attempt had been counted after all, the call counts
//! twice, which errs on the strict side.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use aws_config::{BehaviorVersion, SdkConfig};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{Builder, SharedHttpClient};
use aws_sdk_dynamodb::error::{ProvideErrorMetadata as _, SdkError};
use aws_sdk_dynamodb::operation::update_item::{UpdateItemError, UpdateItemOutput};
use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnValue, ReturnValuesOnConditionCheckFailure, ThrottlingReason,
};
use aws_smithy_http_client::tls;
use futures_util::FutureExt as _;
use tokio::sync::OnceCell;
use tokio::time::timeout;

use crate::error::chain;
use crate::future::BoxFuture;
use crate::limit::caller::CallerKey;
use crate::limit::rule::Rule;
use crate::limit::window::Window;
use crate::limit::{Bound, Decision, Limiter, StoreDown};

/// What one decision may take: an update takes milliseconds, and callers wait for it.
const DECISION: Duration = Duration::from_millis(400);
/// The first connection takes certificates, credentials, a name and TLS on top.
const FIRST_CONNECTION: Duration = Duration::from_millis(600);

const KEY: &str = "pk";
const HITS: &str = "hits";
const UPDATE: &str = "ADD hits :one, #s :one SET expires_at = if_not_exists(expires_at, :t)";
const CONDITION: &str = "(attribute_not_exists(hits) OR hits < :limit) AND \
     (attribute_not_exists(#s) OR #s < :burst)";

/// A [`Limiter`] that counts in a DynamoDB table.
///
/// Nothing is read, opened or connected before the first decision.
pub struct DynamoDbLimiter {
    table: String,
    config: Option<SdkConfig>,
    client: OnceCell<Client>,
    has_connected: AtomicBool,
    longest: Duration,
}

impl DynamoDbLimiter {
    /// Counts in `table`, with region and credentials of the environment.
    #[must_use]
    pub fn new(table: impl Into<String>) -> Self {
        Self::of(table.into(), None)
    }

    /// Counts in `table`, reached as `config` says. It must bring an HTTP client; its retries and
    /// timeouts are not used.
    #[must_use]
    pub fn with_config(table: impl Into<String>, config: SdkConfig) -> Self {
        Self::of(table.into(), Some(config))
    }

    fn of(table: String, config: Option<SdkConfig>) -> Self {
        Self {
            table,
            config,
            client: OnceCell::new(),
            has_connected: AtomicBool::new(false),
            longest: DECISION,
        }
    }

    /// Sets what one decision may take, in place of 400 ms. Until there was a connection once, it is
    /// 600 ms more.
    #[must_use]
    pub fn longest_decision(mut self, longest: Duration) -> Self {
        self.longest = longest;
        self
    }

    /// The client, built on first need: it takes milliseconds, nearly all for the certificates.
    async fn client(&self) -> &Client {
        let build = async || {
            let config = match &self.config {
                Some(config) => config.clone(),
                None => {
                    let defaults = aws_config::defaults(BehaviorVersion::latest());
                    defaults.http_client(https_client()).load().await
                }
            };
            // Time and attempts are counted here, so that the client's own rules cannot add to them.
            let config = Builder::from(&config)
                .retry_config(RetryConfig::standard().with_max_attempts(1))
                .timeout_config(TimeoutConfig::disabled())
                .build();
            Client::from_conf(config)
        };
        self.client.get_or_init(build).await
    }

    async fn count(
        &self,
        rule: &Rule,
        caller: &CallerKey,
        now: SystemTime,
    ) -> Result<Decision, StoreDown> {
        let window = rule.window(now);
        let first = self.update(rule, caller, &window).await;
        let outcome = match first {
            Err(error) if is_broken_connection(&error) => self.update(rule, caller, &window).await,
            outcome => outcome,
        };
        match outcome {
            Ok(output) => output
                .attributes()
                .and_then(|item| number(item.get(HITS)?))
                .map(|hits| Decision::Admitted { hits })
                .ok_or_else(|| StoreDown::new("its answer has no count")),
            Err(error) => denied(&error, rule, &window).ok_or_else(|| down(&error)),
        }
    }

    /// Looks and counts in one step.
    async fn update(
        &self,
        rule: &Rule,
        caller: &CallerKey,
        window: &Window,
    ) -> Result<UpdateItemOutput, SdkError<UpdateItemError>> {
        let count = |n: u64| AttributeValue::N(n.to_string());
        let update = self.client().await.update_item();
        update
            .table_name(&self.table)
            .key(KEY, AttributeValue::S(rule.counter_key(caller, window)))
            .update_expression(UPDATE)
            .condition_expression(CONDITION)
            .expression_attribute_names("#s", part(window))
            .expression_attribute_values(":one", count(1))
            .expression_attribute_values(":limit", count(rule.limit().into()))
            .expression_attribute_values(":burst", count(rule.burst_limit().into()))
            .expression_attribute_values(":t", count(window.expires_at_s()))
            .return_values(ReturnValue::UpdatedNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await
    }
}

impl Limiter for DynamoDbLimiter {
    fn hit<'a>(
        &'a self,
        rule: &'a Rule,
        caller: &'a CallerKey,
        now: SystemTime,
    ) -> BoxFuture<'a, Result<Decision, StoreDown>> {
        async move {
            let connection = if self.has_connected.load(Ordering::Relaxed) {
                Duration::ZERO
            } else {
                FIRST_CONNECTION
            };
            let limit = self.longest.saturating_add(connection);
            let decision = timeout(limit, self.count(rule, caller, now))
                .await
                .unwrap_or_else(|_| Err(StoreDown::new("no answer in time")));
            if decision.is_ok() {
                self.has_connected.store(true, Ordering::Relaxed);
            }
            decision
        }
        .boxed()
    }
}

impl fmt::Debug for DynamoDbLimiter {
    /// Without the configuration, which holds credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamoDbLimiter")
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

/// TLS by rustls and ring: a third of the size of what the SDK would bring by itself.
fn https_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new()
        .tls_provider(tls::Provider::Rustls(
            tls::rustls_provider::CryptoMode::Ring,
        ))
        .build_https()
}

/// The attribute that counts the window's present tenth.
fn part(window: &Window) -> String {
    format!("s{}", window.part())
}

fn number(value: &AttributeValue) -> Option<u64> {
    value.as_n().ok()?.parse().ok()
}

/// The denial, if the error is that the condition does not hold; the item tells which half.
fn denied(error: &SdkError<UpdateItemError>, rule: &Rule, window: &Window) -> Option<Decision> {
    let UpdateItemError::ConditionalCheckFailedException(failed) = error.as_service_error()? else {
        return None;
    };
    let count = |name: &str| {
        let counted = failed.item().and_then(|item| number(item.get(name)?));
        counted.unwrap_or_default()
    };
    let decision = window.decide(rule, count(HITS), count(&part(window)));
    Some(match decision {
        Decision::Denied { .. } => decision,
        Decision::Admitted { .. } => unexplained(window),
    })
}

/// The store says that the condition does not hold, and not why: the next tenth is another chance.
fn unexplained(window: &Window) -> Decision {
    Decision::Denied {
        until: window.part_end(),
        bound: Bound::Burst,
    }
}

/// Whether no answer came because the connection broke, or could not be made.
fn is_broken_connection(error: &SdkError<UpdateItemError>) -> bool {
    let SdkError::DispatchFailure(failure) = error else {
        return false;
    };
    // The connection ended in the middle of an answer: not I/O, but marked as worth a retry.
    let kind = failure
        .as_connector_error()
        .and_then(|error| error.as_other());
    failure.is_io() || kind.is_some()
}

/// Why there was no decision, for the log.
fn down(error: &SdkError<UpdateItemError>) -> StoreDown {
    let code = error
        .as_service_error()
        .and_then(|service| Some((service, service.code()?)));
    let Some((service, code)) = code else {
        let reason = if matches!(error, SdkError::DispatchFailure(_)) {
            "no connection, or it broke"
        } else if error.raw_response().is_some() {
            "its answer cannot be read"
        } else {
            "the request could not be made"
        };
        return StoreDown::new(reason).source(chain(error));
    };
    let source = format!("{code}: {}", service.message().unwrap_or_default());
    match throttling(service) {
        None => StoreDown::new("it refuses").source(source),
        Some(reasons) if reasons.iter().any(is_hot_key) => {
            StoreDown::new("this counter is written too often")
                .source(source)
                .hot()
        }
        Some(_) => StoreDown::new("it throttles").source(source),
    }
}

/// Why it throttles; `None` if it does not.
fn throttling(error: &UpdateItemError) -> Option<&[ThrottlingReason]> {
    use UpdateItemError as E;
    if let E::ProvisionedThroughputExceededException(error) = error {
        Some(error.throttling_reasons())
    } else if let E::ThrottlingException(error) = error {
        Some(error.throttling_reasons())
    } else if let E::RequestLimitExceeded(error) = error {
        Some(error.throttling_reasons())
    } else {
        None
    }
}

fn is_hot_key(reason: &ThrottlingReason) -> bool {
    let reason = reason.reason().unwrap_or_default();
    reason.ends_with("KeyRangeThroughputExceeded")
}
