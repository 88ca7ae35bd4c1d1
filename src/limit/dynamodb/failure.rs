//! What an error of DynamoDB means.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata as _, SdkError};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::ThrottlingReason;

use crate::error::chain;
use crate::limit::limiter::StoreError;

/// Whether the connection broke before an answer came, or could not be opened.
pub(super) fn is_broken_connection(error: &SdkError<UpdateItemError>) -> bool {
    let SdkError::DispatchFailure(failure) = error else {
        return false;
    };
    // A connection that ends within an answer is not reported as I/O, but as worth a retry.
    let kind = failure
        .as_connector_error()
        .and_then(|error| error.as_other());
    failure.is_io() || kind.is_some()
}

/// Returns why there is no decision, for the log.
pub(super) fn store_error(error: &SdkError<UpdateItemError>) -> StoreError {
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
        return StoreError::new(reason).source(chain(error));
    };
    let source = format!("{code}: {}", service.message().unwrap_or_default());
    match throttling(service) {
        None => StoreError::new("it refuses").source(source),
        Some(reasons) if reasons.iter().any(is_hot_key) => {
            StoreError::new("this counter is written too often")
                .source(source)
                .hot_key()
        }
        Some(_) => StoreError::new("it throttles").source(source),
    }
}

/// The reasons for throttling, or `None` if the error is another one.
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
