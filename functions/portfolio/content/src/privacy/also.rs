//! Checks the key `also` of `[publish]`.

use super::publish::{Publish, contact_switch};
use super::withhold::{PrivateMember, PrivateMembers};
use crate::finding::FileReport;
use crate::place::Place;
use crate::suggestion::did_you_mean;

/// Warns about the paths that publish nothing. They have no effect, so a misspelt one would keep
/// something withheld that the owner wants to publish.
pub(crate) fn check_also(publish: &Publish, members: &PrivateMembers, report: &mut FileReport<'_>) {
    let table = Place::Root.member("publish");
    let list = table.member("also");
    for (index, path) in publish.also().iter().enumerate() {
        let publishes = |member: &&PrivateMember| {
            let rest = member.path.strip_prefix(path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if members.published.iter().any(|member| publishes(&member)) {
            continue;
        }
        let message = if let Some(switch) = contact_switch(path) {
            format!(
                "`{path}` is a contact field; publish it with `{} = true`",
                switch.key()
            )
        } else {
            let withheld = members.withheld.iter().map(|member| member.path.as_str());
            let meant = did_you_mean(path, withheld);
            format!("`{path}` publishes nothing: it is absent, or served anyway{meant}")
        };
        report.warning(list.item(index), message);
    }
}
