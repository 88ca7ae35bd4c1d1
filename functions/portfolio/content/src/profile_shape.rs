//! [`PROFILE`]: the shape of `profile.toml`.

use super::shape::{Field, Kind, Shape};

/// The words for the status of availability.
pub(crate) const STATUSES: &[&str] = &["open", "limited", "booked", "closed"];

/// The whole file.
pub(crate) static PROFILE: Shape = Shape::new(
    "a profile",
    &[
        Field::new("language", Kind::Text),
        Field::new("publish", Kind::Object(&PUBLISH)),
        Field::new("availability", Kind::Object(&AVAILABILITY)),
        Field::new("projects", Kind::Object(&PROJECTS)),
        Field::new("capabilities", Kind::Object(&CAPABILITIES)),
        Field::new("contact", Kind::Object(&CONTACT)),
        Field::new("server", Kind::Object(&SERVER)),
        Field::new("page", Kind::Object(&PAGE)),
    ],
);

static PAGE: Shape = Shape::new(
    "a table",
    &[
        Field::new("enabled", Kind::Flag),
        Field::new("accent", Kind::Text),
        Field::new("picture", Kind::Url),
        Field::new("footer", Kind::Prose),
    ],
);

static SERVER: Shape = Shape::new(
    "a table",
    &[
        Field::new("name", Kind::Text),
        Field::new("icon", Kind::Url),
        Field::new("search", Kind::Flag),
    ],
);

static PUBLISH: Shape = Shape::new(
    "a table",
    &[
        Field::new("phone", Kind::Flag),
        Field::new("email", Kind::Flag),
        Field::new("address", Kind::Flag),
        Field::new("reference_contacts", Kind::Flag),
        Field::new("also", Kind::Texts),
    ],
);

static AVAILABILITY: Shape = Shape::new(
    "a table",
    &[
        Field::new("status", Kind::Word(STATUSES)),
        Field::new("from", Kind::EndDate),
        Field::new("notice", Kind::Prose),
        Field::new("kinds", Kind::Texts),
        Field::new("arrangements", Kind::Texts),
        Field::new("hours_per_week", Kind::Count),
        Field::new("locations", Kind::Texts),
        Field::new("time_zones", Kind::Texts),
        Field::new("rate_note", Kind::Prose),
        Field::new("note", Kind::Prose),
        Field::new("updated", Kind::Date),
    ],
);

static PROJECTS: Shape = Shape::new("a table", &[Field::new("featured", Kind::Texts)]);

static CAPABILITIES: Shape = Shape::new(
    "a table",
    &[
        Field::new("summary", Kind::Prose),
        Field::new("hire_for", Kind::Points),
        Field::new("not_for", Kind::Points),
    ],
);

static CONTACT: Shape = Shape::new(
    "a table",
    &[
        Field::new("url", Kind::Url),
        Field::new("preferred", Kind::Text),
        Field::new("response_time", Kind::Prose),
        Field::new("note", Kind::Prose),
    ],
);

/// Tables in which an unknown key is an error: it would change nothing without a word.
pub(crate) const CLOSED_TABLES: &[&str] = &["publish", "projects", "server", "page"];
