//! Privacy by default. The rule, in one sentence:
//!
//! *Contact fields, members that JSON Resume does not define in `basics` and `references`, and
//! sections it does not define are withheld unless `[publish]` names them, and their values are
//! removed wherever they recur; everything else is served as written.*
//!
//! - [`publish`] reads `[publish]`;
//! - [`mod@withhold`] takes out what is not published;
//! - [`learn`] decides which withheld values are distinctive enough to be looked for;
//! - [`redact`] removes them wherever they recur: in text, links and numbers, however they are
//!   written ([`fold`]);
//! - [`also`] warns about paths that publish nothing.
//!
//! Texts are not searched for what looks like contact data, such as telephone numbers: only the
//! withheld values themselves are removed.

mod also;
mod decode;
mod digits;
mod fold;
mod learn;
mod publish;
mod redact;
mod search;
mod value;
mod withhold;

pub(crate) use also::check_also;
pub use publish::Switch;
pub(crate) use publish::{Publish, is_contact_field};
pub(crate) use redact::Redactor;
pub(crate) use withhold::{PrivateMember, PrivateMembers, withhold};

#[cfg(test)]
mod tests;
