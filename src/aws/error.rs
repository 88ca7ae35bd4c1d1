//! [`connector_error`]: what a failed request means for the retries of the AWS SDK.
//!
//! The rules are those of the SDK's own client for HTTP/1.1, `aws-smithy-http-client`.

use std::error::Error;
use std::io;

use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::error::display::DisplayErrorContext;
use aws_smithy_types::retry::ErrorKind;
use hyper_util::client::legacy;

use crate::https::{BoxError, TimedOut};

/// Returns the error of the SDK for an error of a request.
pub(super) fn connector_error(error: BoxError) -> ConnectorError {
    if source::<TimedOut>(&*error).is_some() {
        return ConnectorError::timeout(error);
    }
    if let Some(http) = source::<hyper::Error>(&*error) {
        return classify(http)(error);
    }
    let is_connection = source::<legacy::Error>(&*error)
        .is_some_and(|client| client.is_connect() || source::<io::Error>(client).is_some());
    if is_connection {
        ConnectorError::io(error)
    } else {
        ConnectorError::other(error, None)
    }
}

fn classify(error: &hyper::Error) -> fn(BoxError) -> ConnectorError {
    if error.is_timeout() {
        ConnectorError::timeout
    } else if error.is_user() {
        ConnectorError::user
    } else if error.is_closed() || error.is_canceled() || source::<io::Error>(error).is_some() {
        ConnectorError::io
    } else if error.is_incomplete_message() {
        // The connection ended within the response. Another attempt may succeed.
        |error| ConnectorError::other(error, Some(ErrorKind::TransientError))
    } else {
        tracing::warn!("unknown error of hyper: {}", DisplayErrorContext(error));
        |error| ConnectorError::other(error, None)
    }
}

/// Returns the first error of a type in a chain of errors.
fn source<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    std::iter::successors(Some(error), |&error| error.source())
        .find_map(|error| error.downcast_ref::<E>())
}
