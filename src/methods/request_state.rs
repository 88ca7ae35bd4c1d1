//! `requestState`: what the client sends back between two rounds of a request. Specification:
//! *Multi Round-Trip Requests*, section *Server Requirements*.
//!
//! The client could change it, so it carries an HMAC that is verified before its content is read,
//! and it is valid only for the same request and caller, for a limited time. It can be used more
//! than once: a tool whose effect must happen at most once has to check that itself.
//!
//! A state shows that an earlier round of the call was counted against the limits, so that the round
//! that it comes with is not. That holds once, and for [`MAX_ROUNDS`] rounds: the [`Ticket`] names the
//! state, and the store of the limits counts how often it was used.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::json::{Document, Kind, ValueRef};
use crate::seal::{self, Purpose};
use crate::server::RequestStateKey;

/// The request and caller a state is valid for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Binding<'a> {
    /// The JSON-RPC method.
    pub(super) method: &'a str,
    /// The name of the tool or prompt, or the URI of the resource.
    pub(super) target: &'a str,
    /// The arguments.
    pub(super) arguments: ValueRef<'a>,
    /// The authenticated caller, if there is one.
    pub(super) principal: Option<&'a str>,
}

/// Why a state is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// The HMAC does not match: the state was altered, or was issued by another server.
    Seal,
    /// It was issued for another request or another caller.
    Binding,
    /// It has expired.
    Expired,
}

impl Refused {
    /// Returns the error message for the client.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Seal => "`requestState` was not issued by this server; start again without it",
            Self::Binding => "`requestState` belongs to another request; start again without it",
            Self::Expired => "`requestState` has expired; start again without it",
        }
    }
}

/// The most rounds of a call that are not counted.
const MAX_ROUNDS: u8 = 16;
const ID_BYTES: usize = 16;

#[derive(Serialize, Deserialize)]
struct Payload {
    /// Seconds since the Unix epoch.
    expires_at: u64,
    binding: String,
    answers: Map<String, Value>,
    /// A random name of this state.
    id: String,
    /// The rounds since the call was counted, this one included.
    rounds: u8,
}

/// The proof that an earlier round of a call was counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ticket {
    /// The name of the state.
    pub(super) id: String,
    /// When the state expires.
    pub(super) expires_at: SystemTime,
    rounds: u8,
}

/// What a state contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Opened {
    pub(super) answers: Map<String, Value>,
    /// `None` if the round counts as a call of its own.
    pub(super) ticket: Option<Ticket>,
}

/// What a state is sealed with, besides the key and the request.
#[derive(Debug)]
pub(super) struct Contents<'a> {
    pub(super) answers: Map<String, Value>,
    /// That of the round, which was counted or had this ticket.
    pub(super) ticket: Option<&'a Ticket>,
    pub(super) expires_at: SystemTime,
}

/// Returns a sealed state with these contents. `None` without a key, or if the platform gives no random
/// bytes.
pub(super) fn seal(
    key: &RequestStateKey,
    binding: Binding<'_>,
    contents: Contents<'_>,
) -> Option<String> {
    let mut id = [0; ID_BYTES];
    getrandom::fill(&mut id).ok()?;
    let payload = Payload {
        expires_at: epoch_s(contents.expires_at),
        binding: URL_SAFE_NO_PAD.encode(binding.digest()),
        answers: contents.answers,
        id: URL_SAFE_NO_PAD.encode(id),
        rounds: contents.ticket.map_or(0, |ticket| ticket.rounds) + 1,
    };
    let payload = serde_json::to_vec(&payload).ok()?;
    seal::seal(key.bytes(), Purpose::RequestState, &payload)
}

/// Verifies a sealed state and returns its contents.
pub(super) fn open(
    key: &RequestStateKey,
    binding: Binding<'_>,
    state: &str,
    now: SystemTime,
) -> Result<Opened, Refused> {
    let payload = seal::open(key.bytes(), Purpose::RequestState, state).ok_or(Refused::Seal)?;
    let payload: Payload = serde_json::from_slice(&payload).map_err(|_| Refused::Seal)?;
    if payload.expires_at <= epoch_s(now) {
        return Err(Refused::Expired);
    }
    if payload.binding != URL_SAFE_NO_PAD.encode(binding.digest()) {
        return Err(Refused::Binding);
    }
    let ticket = (payload.rounds <= MAX_ROUNDS).then(|| Ticket {
        id: payload.id,
        expires_at: SystemTime::UNIX_EPOCH + Duration::from_secs(payload.expires_at),
        rounds: payload.rounds,
    });
    Ok(Opened {
        answers: payload.answers,
        ticket,
    })
}

fn epoch_s(at: SystemTime) -> u64 {
    at.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

impl Binding<'_> {
    fn digest(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        for text in [self.method, self.target, self.principal.unwrap_or_default()] {
            hasher.update((text.len() as u64).to_be_bytes());
            hasher.update(text.as_bytes());
        }
        hash_value(&mut hasher, self.arguments);
        hasher.finalize().into()
    }
}

/// Hashes a JSON value. The order of members and white space do not change the hash.
fn hash_value(hasher: &mut Sha256, value: ValueRef<'_>) {
    let mut tagged = |tag: u8, bytes: &[u8]| {
        hasher.update([tag]);
        hasher.update((bytes.len() as u64).to_be_bytes());
        hasher.update(bytes);
    };
    match value.kind() {
        Kind::Null => tagged(0, b""),
        Kind::Bool(flag) => tagged(1, &[u8::from(flag)]),
        Kind::Number(number) => tagged(2, number.to_string().as_bytes()),
        Kind::String(text) => tagged(3, text.as_bytes()),
        Kind::Array(items) => {
            tagged(4, &(items.len() as u64).to_be_bytes());
            items.for_each(|item| hash_value(hasher, item));
        }
        Kind::Object(members) => {
            let members = members.sorted();
            tagged(5, &(members.len() as u64).to_be_bytes());
            for (name, value) in members {
                hash_value(hasher, Document::of_text(name).root());
                hash_value(hasher, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn key() -> RequestStateKey {
        RequestStateKey::new(*b"0123456789abcdef0123456789abcdef").unwrap()
    }

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn binding<'a>(arguments: &'a Document<'a>) -> Binding<'a> {
        Binding {
            method: "tools/call",
            target: "t",
            arguments: arguments.root(),
            principal: None,
        }
    }

    fn sealed(arguments: &Document<'_>) -> (String, Map<String, Value>) {
        let Value::Object(answers) = json!({"a": {"action": "accept"}}) else {
            unreachable!()
        };
        let contents = Contents {
            answers: answers.clone(),
            ticket: None,
            expires_at: at(1060),
        };
        (seal(&key(), binding(arguments), contents).unwrap(), answers)
    }

    #[test]
    fn the_rounds_of_a_call_have_tickets_up_to_a_bound() {
        let arguments = Document::of(&json!({}));
        let mut ticket = None;
        let mut ids = Vec::new();
        for round in 1..=MAX_ROUNDS + 1 {
            let contents = Contents {
                answers: Map::new(),
                ticket: ticket.as_ref(),
                expires_at: at(1060),
            };
            let state = seal(&key(), binding(&arguments), contents).unwrap();
            ticket = open(&key(), binding(&arguments), &state, at(1000))
                .unwrap()
                .ticket;
            assert_eq!(ticket.is_some(), round <= MAX_ROUNDS, "{round}");
            let id = ticket.as_ref().map(|ticket| ticket.id.clone());
            assert!(!ids.contains(&id), "{id:?}");
            ids.push(id);
        }
    }

    #[test]
    fn a_state_opens_for_the_same_request_until_it_expires() {
        let arguments = Document::of(&json!({"x": 1, "y": {"b": 2, "a": null}}));
        let (state, answers) = sealed(&arguments);
        let reordered = Document::of(&json!({"y": {"a": null, "b": 2}, "x": 1}));
        let opened = open(&key(), binding(&reordered), &state, at(1059)).unwrap();
        assert_eq!(opened.answers, answers);
        assert_eq!(opened.ticket.unwrap().expires_at, at(1060));
        assert_eq!(
            open(&key(), binding(&arguments), &state, at(1060)),
            Err(Refused::Expired)
        );
    }

    #[test]
    fn a_state_opens_nowhere_else() {
        let arguments = Document::of(&json!({"x": 1}));
        let (state, _) = sealed(&arguments);
        let bound = binding(&arguments);
        let other = Document::of(&json!({"x": 2}));
        let elsewhere = [
            Binding {
                method: "prompts/get",
                ..bound
            },
            Binding {
                target: "u",
                ..bound
            },
            Binding {
                principal: Some("someone"),
                ..bound
            },
            Binding {
                arguments: other.root(),
                ..bound
            },
        ];
        for binding in elsewhere {
            assert_eq!(
                open(&key(), binding, &state, at(1001)),
                Err(Refused::Binding),
                "{binding:?}"
            );
        }
        let another = RequestStateKey::new(vec![7; 32]).unwrap();
        assert_eq!(open(&another, bound, &state, at(1001)), Err(Refused::Seal));
        for text in [
            "",
            ".",
            "a.b",
            &format!("{state}-TAMPERED"),
            &state.replace('.', ""),
        ] {
            assert_eq!(
                open(&key(), bound, text, at(1001)),
                Err(Refused::Seal),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_change_of_one_byte_goes_unseen(position in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let arguments = Document::of(&json!({}));
            let (state, _) = sealed(&arguments);
            let mut bytes = state.clone().into_bytes();
            let position = position.index(bytes.len());
            bytes[position] = byte;
            let Ok(changed) = String::from_utf8(bytes) else { return Ok(()) };
            let opened = open(&key(), binding(&arguments), &changed, at(1001));
            if changed != state {
                prop_assert_eq!(opened, Err(Refused::Seal));
            }
        }

        #[test]
        fn arbitrary_text_never_opens(text in ".{0,200}") {
            prop_assert_eq!(open(&key(), binding(&Document::empty_object()), &text, at(1001)), Err(Refused::Seal));
        }
    }
}
