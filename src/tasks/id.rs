//! [`TaskId`]: what a task id contains.
//!
//! The id is a sealed text of everything that is needed to find the task and to decide who may use it,
//! so no table of tasks is kept. Specification: extension *Tasks*, *Security Considerations*.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::auth::Principal;
use crate::seal::{self, Purpose};

/// Bytes of an owner's digest: too many for a second principal with the same one.
const OWNER_BYTES: usize = 16;
/// The largest integer that clients hold exactly, since they read numbers as doubles.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// The content of a task id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TaskId {
    /// What the engine calls the task.
    #[serde(rename = "r")]
    pub(crate) reference: String,
    /// The name of the tool.
    #[serde(rename = "t")]
    pub(crate) tool: String,
    /// The digest of the principal that created it.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    /// Milliseconds since the Unix epoch.
    #[serde(rename = "c")]
    created_ms: u64,
    /// How long it is kept.
    #[serde(rename = "k")]
    ttl_ms: u64,
}

impl TaskId {
    /// The id of a task that was created at `now` and is kept for `ttl`.
    pub(crate) fn new(
        reference: String,
        tool: &str,
        owner: Option<&Principal>,
        now: SystemTime,
        ttl: Duration,
    ) -> Self {
        Self {
            reference,
            tool: tool.to_owned(),
            owner: owner.map(digest),
            created_ms: epoch_ms(now),
            ttl_ms: u64::try_from(ttl.as_millis()).map_or(MAX_SAFE, |ms| ms.min(MAX_SAFE)),
        }
    }

    /// Writes and signs the id. `None` if there is no key.
    pub(crate) fn seal(&self, key: &[u8]) -> Option<String> {
        let content = serde_json::to_vec(self).ok()?;
        seal::seal(key, Purpose::TaskId, &content)
    }

    /// Reads an id that this server signed and that has not expired. `None` for any other text.
    pub(crate) fn open(key: &[u8], text: &str, now: SystemTime) -> Option<Self> {
        let content = seal::open(key, Purpose::TaskId, text)?;
        let id: Self = serde_json::from_slice(&content).ok()?;
        let expires_ms = id.created_ms.saturating_add(id.ttl_ms);
        (epoch_ms(now) < expires_ms).then_some(id)
    }

    /// Whether `principal` created the task.
    ///
    /// "Servers MUST perform authentication and authorization checks on each task-related request."
    pub(crate) fn is_owned_by(&self, principal: Option<&Principal>) -> bool {
        self.owner == principal.map(digest)
    }

    /// When the task was created.
    pub(crate) fn created_at(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(self.created_ms)
    }

    /// How long the task exists.
    pub(crate) fn age(&self, now: SystemTime) -> Duration {
        now.duration_since(self.created_at()).unwrap_or_default()
    }

    /// How long the task is kept, in milliseconds from its creation.
    pub(crate) const fn ttl_ms(&self) -> u64 {
        self.ttl_ms
    }
}

fn digest(principal: &Principal) -> String {
    let digest = Sha256::digest(principal.id().as_bytes());
    let owner: Vec<u8> = digest.iter().copied().take(OWNER_BYTES).collect();
    URL_SAFE_NO_PAD.encode(owner)
}

fn epoch_ms(at: SystemTime) -> u64 {
    let since = at.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Scopes;

    const KEY: &[u8] = b"0123456789abcdef0123456789abcdef";

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn an_id_opens_until_it_expires() {
        let ttl = Duration::from_secs(60);
        let id = TaskId::new("r1".to_owned(), "export", None, at(1000), ttl);
        let text = id.seal(KEY).unwrap();
        assert_eq!(TaskId::open(KEY, &text, at(1059)), Some(id.clone()));
        assert_eq!(TaskId::open(KEY, &text, at(1060)), None);
        assert_eq!(TaskId::open(&[7; 32], &text, at(1001)), None);
        assert_eq!(TaskId::open(KEY, "r1", at(1001)), None);
        assert_eq!(id.age(at(1010)), Duration::from_secs(10));
        assert_eq!((id.created_at(), id.ttl_ms()), (at(1000), 60_000));
        let signed = seal::seal(KEY, Purpose::TaskId, b"[]").unwrap();
        assert_eq!(TaskId::open(KEY, &signed, at(1001)), None);
    }

    #[test]
    fn a_task_belongs_to_the_principal_that_created_it() {
        let ada = Principal::new("ada", Scopes::none());
        let foreign = ada.clone().issued_by("https://login.example.com");
        let owned = |owner| TaskId::new(String::new(), "t", owner, at(0), Duration::MAX);
        let (of_ada, of_nobody) = (owned(Some(&ada)), owned(None));
        assert_eq!(of_ada.ttl_ms(), 9_007_199_254_740_991);
        assert!(of_ada.is_owned_by(Some(&ada)) && of_nobody.is_owned_by(None));
        for other in [None, Some(&foreign)] {
            assert!(!of_ada.is_owned_by(other), "{other:?}");
        }
        assert!(!of_nobody.is_owned_by(Some(&ada)));
        let text = of_ada.seal(KEY).unwrap();
        assert!(!text.contains("ada"), "{text}");
    }
}
