//! [`RESUME`]: the shape of a JSON Resume, version 1.0.0 of the schema, with the names that fields
//! had in earlier drafts (2014 to 2019) and that published files still use.
//!
//! Other members are unknown. They are kept as they are, except where they are withheld
//! (`privacy`). See <https://docs.jsonresume.org/schema>.

use super::shape::{Field, Kind, Shape};

/// The whole document.
pub(crate) static RESUME: Shape = Shape::new(
    "a JSON Resume",
    &[
        Field::new("$schema", Kind::Url),
        Field::new("basics", Kind::Object(&BASICS)).legacy(&["bio"]),
        Field::new("work", Kind::List(&WORK)).legacy(&["experience", "experiences"]),
        Field::new("volunteer", Kind::List(&VOLUNTEER)),
        Field::new("education", Kind::List(&EDUCATION)),
        Field::new("awards", Kind::List(&AWARD)),
        Field::new("certificates", Kind::List(&CERTIFICATE)).legacy(&["certifications"]),
        Field::new("publications", Kind::List(&PUBLICATION)),
        Field::new("skills", Kind::List(&SKILL)),
        Field::new("languages", Kind::List(&LANGUAGE)),
        Field::new("interests", Kind::List(&INTEREST)).legacy(&["hobbies"]),
        Field::new("references", Kind::List(&REFERENCE)),
        Field::new("projects", Kind::List(&PROJECT)),
        Field::new("meta", Kind::Object(&META)).legacy(&["metadata"]),
    ],
);

static BASICS: Shape = Shape::new(
    "an object with the person's name",
    &[
        Field::new("name", Kind::Text),
        Field::new("label", Kind::Text),
        Field::new("image", Kind::Url).legacy(&["picture", "pictureURL"]),
        Field::new("email", Kind::Email),
        Field::new("phone", Kind::Private).legacy(&["phoneNumber"]),
        Field::new("url", Kind::Url).legacy(&["website"]),
        Field::new("summary", Kind::Prose),
        Field::new("location", Kind::Object(&LOCATION)),
        Field::new("profiles", Kind::List(&PROFILE)),
    ],
);

/// A text in its place may be a street address, so it is taken as one and withheld by default.
static LOCATION: Shape = Shape::new(
    "an object with `city`, `region`, `countryCode`",
    &[
        Field::new("address", Kind::Private),
        Field::new("postalCode", Kind::Private),
        Field::new("city", Kind::Text),
        Field::new("countryCode", Kind::Text),
        Field::new("region", Kind::Text).legacy(&["state"]),
    ],
)
.text_as("address");

static PROFILE: Shape = Shape::new(
    "a profile",
    &[
        Field::new("network", Kind::Text),
        Field::new("username", Kind::Text),
        Field::new("url", Kind::Url).legacy(&["website"]),
    ],
)
.text_as("url");

static WORK: Shape = Shape::new(
    "a job",
    &[
        Field::new("name", Kind::Text).legacy(&["company"]),
        Field::new("location", Kind::Location),
        Field::new("description", Kind::Prose).legacy(&["companyDescription"]),
        Field::new("position", Kind::Text),
        Field::new("url", Kind::Url).legacy(&["website"]),
        Field::new("startDate", Kind::Date),
        Field::new("endDate", Kind::EndDate),
        Field::new("summary", Kind::Prose),
        Field::new("highlights", Kind::Points),
    ],
)
.titled("name")
.text_as("summary");

static VOLUNTEER: Shape = Shape::new(
    "a volunteer position",
    &[
        Field::new("organization", Kind::Text).legacy(&["organisation", "company"]),
        Field::new("position", Kind::Text),
        Field::new("url", Kind::Url).legacy(&["website"]),
        Field::new("startDate", Kind::Date),
        Field::new("endDate", Kind::EndDate),
        Field::new("summary", Kind::Prose),
        Field::new("highlights", Kind::Points),
    ],
)
.titled("organization")
.text_as("summary");

static EDUCATION: Shape = Shape::new(
    "an education",
    &[
        Field::new("institution", Kind::Text).legacy(&["name"]),
        Field::new("url", Kind::Url).legacy(&["website"]),
        Field::new("area", Kind::Text),
        Field::new("studyType", Kind::Text),
        Field::new("startDate", Kind::Date),
        Field::new("endDate", Kind::EndDate),
        Field::new("score", Kind::Text).legacy(&["gpa"]),
        Field::new("courses", Kind::Texts),
    ],
)
.titled("institution");

static AWARD: Shape = Shape::new(
    "an award",
    &[
        Field::new("title", Kind::Text).legacy(&["name"]),
        Field::new("date", Kind::Date).legacy(&["awardDate"]),
        Field::new("awarder", Kind::Text),
        Field::new("summary", Kind::Prose),
    ],
)
.titled("title")
.text_as("title");

static CERTIFICATE: Shape = Shape::new(
    "a certificate",
    &[
        Field::new("name", Kind::Text).legacy(&["title"]),
        Field::new("date", Kind::Date),
        Field::new("url", Kind::Url).legacy(&["website"]),
        Field::new("issuer", Kind::Text),
    ],
)
.titled("name")
.text_as("name");

static PUBLICATION: Shape = Shape::new(
    "a publication",
    &[
        Field::new("name", Kind::Text).legacy(&["title"]),
        Field::new("publisher", Kind::Text),
        Field::new("releaseDate", Kind::Date),
        Field::new("url", Kind::Url).legacy(&["website"]),
        Field::new("summary", Kind::Prose),
    ],
)
.titled("name")
.text_as("name");

static SKILL: Shape = Shape::new(
    "a skill",
    &[
        Field::new("name", Kind::Text),
        Field::new("level", Kind::Text),
        Field::new("keywords", Kind::Texts),
    ],
)
.titled("name")
.text_as("name");

static LANGUAGE: Shape = Shape::new(
    "a language",
    &[
        Field::new("language", Kind::Text).legacy(&["name"]),
        Field::new("fluency", Kind::Text).legacy(&["level"]),
    ],
)
.titled("language")
.text_as("language");

static INTEREST: Shape = Shape::new(
    "an interest",
    &[
        Field::new("name", Kind::Text),
        Field::new("keywords", Kind::Texts),
    ],
)
.titled("name")
.text_as("name");

static REFERENCE: Shape = Shape::new(
    "a reference",
    &[
        Field::new("name", Kind::Text),
        Field::new("reference", Kind::Prose),
    ],
)
.text_as("reference");

static PROJECT: Shape = Shape::new(
    "a project",
    &[
        Field::new("name", Kind::Text),
        Field::new("description", Kind::Prose).legacy(&["summary"]),
        Field::new("highlights", Kind::Points),
        Field::new("keywords", Kind::Texts).legacy(&["tech"]),
        Field::new("startDate", Kind::Date),
        Field::new("endDate", Kind::EndDate),
        Field::new("url", Kind::Url).legacy(&["website"]),
        Field::new("roles", Kind::Texts),
        Field::new("entity", Kind::Text),
        Field::new("type", Kind::Text),
    ],
)
.titled("name")
.text_as("name");

static META: Shape = Shape::new(
    "an object",
    &[
        Field::new("canonical", Kind::Url).legacy(&["url"]),
        Field::new("version", Kind::Text),
        Field::new("lastModified", Kind::Text),
    ],
);
