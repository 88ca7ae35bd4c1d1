//! [`Ssm`]: parameters read by `ssm:GetParameters`.

use std::collections::HashMap;

use aws_sdk_ssm::Client;
use aws_sdk_ssm::error::{DisplayErrorContext, SdkError};
use lambda_mcp::BoxFuture;
use tokio::sync::OnceCell;

use super::{ReadFailed, ReadParameters};
use crate::aws;

/// A client of Parameter Store in the environment's Region. It is built, and connects, at the first
/// read.
#[derive(Debug, Default)]
pub(crate) struct Ssm(OnceCell<Client>);

impl Ssm {
    async fn client(&self) -> &Client {
        let build = async || Client::new(aws::config().await);
        self.0.get_or_init(build).await
    }
}

impl ReadParameters for Ssm {
    fn read<'a>(
        &'a self,
        names: &'a [String],
    ) -> BoxFuture<'a, Result<HashMap<String, String>, ReadFailed>> {
        Box::pin(async move {
            let answer = self
                .client()
                .await
                .get_parameters()
                .set_names(Some(names.to_vec()))
                .with_decryption(true)
                .send()
                .await
                .map_err(|error| ReadFailed(words(&error)))?;
            let read = answer.parameters.unwrap_or_default().into_iter();
            Ok(read
                .filter_map(|parameter| Some((parameter.name?, parameter.value?)))
                .collect())
        })
    }
}

/// The kind of an error, without the body of a response: it could hold values.
fn words<E>(error: &SdkError<E>) -> String
where
    E: aws_sdk_ssm::error::ProvideErrorMetadata + std::error::Error + 'static,
{
    if let SdkError::ServiceError(refused) = error {
        let code = refused.err().code().unwrap_or("unknown");
        return format!("ssm: {code}, status {}", refused.raw().status());
    }
    if let SdkError::ResponseError(response) = error {
        return format!(
            "ssm: unreadable response, status {}",
            response.raw().status()
        );
    }
    format!("ssm: {}", DisplayErrorContext(error))
}
