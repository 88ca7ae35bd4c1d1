//! Who the person is, and what `profile.toml` adds to a résumé: what the person can be hired for,
//! when, and how to make contact.

use super::block::Block;
use super::builder::{Blocks, linked, listed, shown, some};
use super::text::{inline, link};
use crate::content::resume::{Basics, Profile as Account};
use crate::content::{Content, Status, Switch};

pub(super) fn basics(content: &Content) -> Vec<Block> {
    let mut blocks = Blocks::default();
    let Some(basics) = &content.resume.basics else {
        return blocks.into_inner();
    };
    blocks.facts([
        basics
            .label
            .as_ref()
            .map(|label| format!("**{}**", inline(label))),
        place(basics),
        linked(basics.url.as_ref()),
    ]);
    blocks.text(basics.summary.as_deref());
    let location = basics.location.as_ref();
    let no_extra = serde_json::Map::new();
    let address = location.and_then(|location| {
        let parts = [&location.address, &location.postal_code];
        let parts: Vec<String> = parts.into_iter().flatten().map(|p| inline(p)).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    });
    blocks.named(
        [("Address", address)],
        location.map_or(&no_extra, |location| &location.extra),
    );
    blocks.named([("Picture", linked(basics.image.as_ref()))], &basics.extra);
    let accounts = basics.profiles.as_deref().unwrap_or_default();
    blocks.bullets(accounts.iter().map(account).collect());
    blocks.into_inner()
}

fn place(basics: &Basics) -> Option<String> {
    let location = basics.location.as_ref()?;
    let parts = [&location.city, &location.region, &location.country_code];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .map(|part| inline(part))
        .collect();
    Some(parts.join(", "))
}

fn account(account: &Account) -> String {
    let network = some(account.network.as_ref()).map(|network| format!("{network}:"));
    let more = shown(&serde_json::Value::Object(account.extra.clone()));
    let parts = [
        network,
        some(account.username.as_ref()),
        linked(account.url.as_ref()),
        (!more.is_empty()).then(|| format!("({more})")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

pub(super) fn capabilities(content: &Content) -> Vec<Block> {
    let words = &content.profile.capabilities;
    let mut blocks = Blocks::default();
    blocks.text(words.summary.as_deref());
    for (intro, points) in [
        ("Can be hired for:", &words.hire_for),
        ("Does not take on:", &words.not_for),
    ] {
        if !points.is_empty() {
            blocks.text(Some(intro));
            blocks.points(Some(points));
        }
    }
    blocks.named([], &words.extra);
    blocks.into_inner()
}

pub(super) fn availability(content: &Content) -> Vec<Block> {
    let words = &content.profile.availability;
    let status = words.status.map(|status| match status {
        Status::Open => "open to offers",
        Status::Limited => "limited: some work fits in",
        Status::Booked => "booked",
        Status::Closed => "takes no offers",
        Status::Unknown => "unknown",
    });
    let mut blocks = Blocks::default();
    blocks.named(
        [
            ("Status", status.map(str::to_owned)),
            ("From", some(words.from.as_ref())),
            ("Notice", some(words.notice.as_ref())),
            ("Kinds of work", listed(Some(&words.kinds))),
            ("Arrangements", listed(Some(&words.arrangements))),
            (
                "Hours a week",
                words.hours_per_week.map(|hours| hours.to_string()),
            ),
            ("Places", listed(Some(&words.locations))),
            ("Time zones", listed(Some(&words.time_zones))),
            ("Rates", some(words.rate_note.as_ref())),
            ("Note", some(words.note.as_ref())),
            ("Last confirmed", some(words.updated.as_ref())),
        ],
        &words.extra,
    );
    blocks.into_inner()
}

pub(super) fn contact(content: &Content) -> Vec<Block> {
    let words = &content.profile.contact;
    let basics = content.resume.basics.as_ref();
    let withheld: Vec<&str> = content.withheld.iter().map(|kind| named(*kind)).collect();
    let mut blocks = Blocks::default();
    blocks.named(
        [
            ("Page", words.url.as_ref().map(|url| link(url))),
            (
                "E-mail",
                some(basics.and_then(|basics| basics.email.as_ref())),
            ),
            (
                "Phone",
                some(basics.and_then(|basics| basics.phone.as_ref())),
            ),
            ("Preferred", some(words.preferred.as_ref())),
            ("Answers within", some(words.response_time.as_ref())),
            ("Note", some(words.note.as_ref())),
            (
                "Not published",
                (!withheld.is_empty()).then(|| withheld.join(", ")),
            ),
        ],
        &words.extra,
    );
    blocks.into_inner()
}

/// A kind of contact data, by its key in `[publish]`, in words.
const fn named(kind: Switch) -> &'static str {
    match kind {
        Switch::Email => "e-mail address",
        Switch::Phone => "phone number",
        Switch::Address => "street address",
        Switch::ReferenceContacts => "contact data of the people who recommend",
    }
}
