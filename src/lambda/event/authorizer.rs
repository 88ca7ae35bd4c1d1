//! What the authorizer of a gateway writes into an event.
//!
//! AWS documents the forms under *Working with AWS Lambda proxy integrations for HTTP APIs*, *Input to
//! a Lambda function from an API Gateway Lambda authorizer*, and *Request and response payloads* of
//! Function URLs. A member of another form counts as absent.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::text::{Text, text};
use crate::auth::Claims;
use crate::server::{Authorizer, IamIdentity};

/// `requestContext.identity` of payload v1. Without IAM, `userArn` is `null`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Identity<'a> {
    #[serde(borrow)]
    pub(super) source_ip: Option<Text<'a>>,
    #[serde(borrow)]
    user_arn: Option<Text<'a>>,
    #[serde(borrow)]
    account_id: Option<Text<'a>>,
    #[serde(borrow)]
    user: Option<Text<'a>>,
    #[serde(borrow)]
    caller: Option<Text<'a>>,
    #[serde(borrow)]
    principal_org_id: Option<Text<'a>>,
    #[serde(borrow)]
    cognito_identity_id: Option<Text<'a>>,
}

impl Identity<'_> {
    /// The AWS identity, if the request was signed by one.
    fn iam(&self) -> Option<IamIdentity> {
        let owned = |member: &Option<Text<'_>>| text(member.as_ref()).map(str::to_owned);
        let mut identity = IamIdentity::new(owned(&self.user_arn)?);
        identity.account_id = owned(&self.account_id);
        identity.user_id = owned(&self.user);
        identity.caller_id = owned(&self.caller);
        identity.organization_id = owned(&self.principal_org_id);
        identity.cognito_identity_id = owned(&self.cognito_identity_id);
        Some(identity)
    }
}

/// Reads `authorizer` and `identity` of payload v1 (REST API).
///
/// A Cognito authorizer writes `claims`. A Lambda authorizer writes its context itself; its values are
/// texts, numbers and booleans, so that it has no object called `claims`.
pub(super) fn v1(
    authorizer: Option<&RawValue>,
    identity: Option<&Identity<'_>>,
) -> Option<Authorizer> {
    #[derive(Deserialize)]
    struct Cognito<'a> {
        #[serde(borrow)]
        claims: Option<&'a RawValue>,
    }
    let Some(authorizer) = authorizer.filter(|json| is_object(json)) else {
        return identity?.iam().map(Authorizer::Iam);
    };
    let cognito: Option<Cognito<'_>> = serde_json::from_str(authorizer.get()).ok();
    let claims = cognito.and_then(|cognito| cognito.claims);
    Some(match claims.filter(|json| is_object(json)) {
        Some(claims) => Authorizer::Claims(Claims::from_json(claims.get())),
        None => Authorizer::Lambda(Claims::from_json(authorizer.get())),
    })
}

/// Reads `authorizer` of payload v2 (HTTP API, Function URL).
pub(super) fn v2(authorizer: &RawValue) -> Option<Authorizer> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Sent<'a> {
        #[serde(borrow)]
        jwt: Option<Jwt<'a>>,
        #[serde(borrow)]
        lambda: Option<&'a RawValue>,
        #[serde(borrow)]
        iam: Option<Iam<'a>>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Jwt<'a> {
        #[serde(borrow)]
        claims: Option<&'a RawValue>,
    }
    let sent: Sent<'_> = serde_json::from_str(authorizer.get()).ok()?;
    let object = |json: Option<&RawValue>| {
        let json = json.filter(|json| is_object(json))?;
        Some(Claims::from_json(json.get()))
    };
    if let Some(claims) = object(sent.jwt.and_then(|jwt| jwt.claims)) {
        Some(Authorizer::Claims(claims))
    } else if let Some(context) = object(sent.lambda) {
        Some(Authorizer::Lambda(context))
    } else {
        sent.iam?.identity().map(Authorizer::Iam)
    }
}

/// `requestContext.authorizer.iam` of payload v2.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Iam<'a> {
    #[serde(borrow)]
    user_arn: Option<Text<'a>>,
    #[serde(borrow)]
    account_id: Option<Text<'a>>,
    #[serde(borrow)]
    user_id: Option<Text<'a>>,
    #[serde(borrow)]
    caller_id: Option<Text<'a>>,
    #[serde(borrow)]
    principal_org_id: Option<Text<'a>>,
    #[serde(borrow)]
    cognito_identity: Option<CognitoIdentity<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct CognitoIdentity<'a> {
    #[serde(borrow)]
    identity_id: Option<Text<'a>>,
}

impl Iam<'_> {
    fn identity(&self) -> Option<IamIdentity> {
        let owned = |member: &Option<Text<'_>>| text(member.as_ref()).map(str::to_owned);
        let mut identity = IamIdentity::new(owned(&self.user_arn)?);
        identity.account_id = owned(&self.account_id);
        identity.user_id = owned(&self.user_id);
        identity.caller_id = owned(&self.caller_id);
        identity.organization_id = owned(&self.principal_org_id);
        let cognito = self.cognito_identity.as_ref();
        identity.cognito_identity_id = cognito.and_then(|cognito| owned(&cognito.identity_id));
        Some(identity)
    }
}

fn is_object(json: &RawValue) -> bool {
    json.get().starts_with('{')
}
