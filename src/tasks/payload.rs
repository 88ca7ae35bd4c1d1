//! [`Payload`]: what the worker of a durable engine gets about a task.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::auth::{Principal, Scopes};
#[cfg(feature = "durable")]
use crate::tasks::engine::Start;
use crate::tasks::operations::About;
use crate::wire::capabilities::ClientCapabilities;

/// A task, as it is sent to the worker.
///
/// The service compares it if a task of the same name exists, so it has nothing that differs from
/// one call to its repetition.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Payload {
    id: String,
    /// The name of the tool.
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    principal: Option<Caller>,
    #[serde(default)]
    capabilities: ClientCapabilities,
}

/// A [`Principal`] without its claims: what is sent is stored for days.
#[derive(Debug, Serialize, Deserialize)]
struct Caller {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    issuer: Option<String>,
    subject: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    scopes: String,
}

impl Payload {
    /// The payload of a task that starts.
    #[cfg(feature = "durable")]
    pub(crate) fn new(start: &Start) -> Self {
        let About {
            id,
            principal,
            capabilities,
        } = &start.about;
        Self {
            id: id.clone(),
            tool: start.tool.clone(),
            arguments: start.arguments.clone(),
            principal: principal.as_ref().map(Caller::new),
            capabilities: capabilities.clone(),
        }
    }

    /// Who created the task.
    pub(crate) fn about(&self) -> About {
        About {
            id: self.id.clone(),
            principal: self.principal.as_ref().map(Caller::principal),
            capabilities: self.capabilities.clone(),
        }
    }
}

impl Caller {
    #[cfg(any(feature = "durable", test))]
    fn new(principal: &Principal) -> Self {
        Self {
            issuer: principal.issuer().map(str::to_owned),
            subject: principal.subject().to_owned(),
            scopes: principal.scopes().to_string(),
        }
    }

    fn principal(&self) -> Principal {
        // They were written by `new`.
        let scopes = self.scopes.parse().unwrap_or_else(|_| Scopes::none());
        let principal = Principal::new(&self.subject, scopes);
        match &self.issuer {
            Some(issuer) => principal.issued_by(issuer),
            None => principal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_is_read_back_without_claims() {
        let ada = Principal::new("ada", "a:read b".parse().unwrap());
        let foreign = ada.clone().issued_by("https://login.example.com");
        for principal in [ada, foreign, Principal::new("", Scopes::none())] {
            let claims =
                serde_json::Map::from_iter([("email".to_owned(), Value::from("SENTINEL"))]);
            let sent = serde_json::to_string(&Caller::new(&principal.clone().claiming(claims)));
            let sent = sent.unwrap();
            assert!(!sent.contains("SENTINEL"), "{sent}");
            let read: Caller = serde_json::from_str(&sent).unwrap();
            assert_eq!(read.principal(), principal);
        }
    }
}
