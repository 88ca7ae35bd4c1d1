//! [`Authorizer`]: what the authorizer of a gateway found out about a caller.

use super::Claims;

/// What the authorizer in front of the function found out about the caller.
///
/// API Gateway and Function URLs can check callers before they invoke the function: with a JWT or
/// Cognito authorizer, a Lambda authorizer, or IAM. [`Invocation::authorizer`] has the result. Only the
/// gateway writes it; no header of a client can.
///
/// It is not a [`Principal`](crate::auth::Principal) by default: rules such as
/// [`requires_scope`](crate::server::Tool::requires_scope) look at bearer tokens only.
/// [`Auth::gateway`](crate::auth::Auth::gateway) makes it one.
///
/// [`Invocation::authorizer`]: crate::server::Invocation::authorizer
///
/// # Examples
///
/// ```
/// use lambda_mcp::server::Authorizer;
/// use lambda_mcp::{Context, Server, ToolError, tool};
/// use serde::Deserialize;
///
/// /// What the Lambda authorizer of this API returns in its `context`.
/// #[derive(Deserialize)]
/// struct Tenant {
///     tenant: String,
/// }
///
/// async fn tenant(context: Context) -> Result<String, ToolError> {
///     match &context.invocation().authorizer {
///         Some(Authorizer::Lambda(context)) => Ok(context.read::<Tenant>()?.tenant),
///         Some(Authorizer::Iam(caller)) => Ok(caller.user_arn.clone()),
///         _ => Err(ToolError::new("This server has no authorizer.")),
///     }
/// }
///
/// assert!(Server::builder("tenants", "1.0.0").tool(tool("tenant", tenant)).build().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Authorizer {
    /// The claims of a token that the gateway verified: the JWT authorizer of an HTTP API, or the
    /// Cognito authorizer of a REST API. API Gateway sends most values as text, numbers included.
    Claims(Claims),
    /// What a Lambda authorizer returned as its `context`. Payload v1 (REST API) adds `principalId`
    /// and `integrationLatency`, and has texts, numbers and booleans only.
    Lambda(Claims),
    /// The AWS identity that signed the request (Signature Version 4).
    Iam(IamIdentity),
}

/// The AWS identity that signed a request.
///
/// # Examples
///
/// ```
/// use lambda_mcp::server::IamIdentity;
///
/// let ada = IamIdentity::new("arn:aws:iam::123456789012:user/ada");
/// assert_eq!(ada.account_id, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IamIdentity {
    /// The ARN of the user or of the assumed role, such as `arn:aws:iam::123456789012:user/ada`.
    pub user_arn: String,
    /// The account, 12 digits.
    pub account_id: Option<String>,
    /// The unique id of the user.
    pub user_id: Option<String>,
    /// The unique id of the caller: for a role, with the name of the session.
    pub caller_id: Option<String>,
    /// The organization of the account.
    pub organization_id: Option<String>,
    /// The id in an Amazon Cognito identity pool, if the credentials come from one.
    pub cognito_identity_id: Option<String>,
}

impl IamIdentity {
    /// Makes an identity of which only the ARN is known. Use it in tests.
    #[must_use]
    pub fn new(user_arn: impl Into<String>) -> Self {
        Self {
            user_arn: user_arn.into(),
            ..Self::default()
        }
    }
}
