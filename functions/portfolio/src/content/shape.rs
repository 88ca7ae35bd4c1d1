//! The shape of a JSON Resume, version 1.0.0 of the schema, as data: the sections, their fields
//! and the names the fields had in earlier drafts (2014 to 2019), which files still use.
//!
//! Fields that are not listed are unknown: they are kept as they are. See
//! <https://docs.jsonresume.org/schema>.

/// What a field holds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Text.
    Text,
    /// Text that is not quoted back in findings.
    Private,
    /// An absolute URL.
    Url,
    /// A mailbox.
    Email,
    /// A date: `2020`, `2020-03`, `2020-03-05`.
    Date,
    /// A date that may be open: `Present`, or nothing.
    EndDate,
    /// A list of texts.
    Texts,
    /// A whole number above zero.
    Count,
    /// `true` or `false`.
    Flag,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// One object.
    Object(&'static Shape),
    /// A list of objects.
    List(&'static Shape),
}

/// One field of an object.
#[derive(Debug)]
pub(crate) struct Field {
    /// Its name in version 1.0.0.
    pub(crate) name: &'static str,
    /// What it holds.
    pub(crate) kind: Kind,
    /// Names it had, or often is given.
    pub(crate) legacy_names: &'static [&'static str],
}

/// The fields of one kind of object.
#[derive(Debug)]
pub(crate) struct Shape {
    /// What one such object is, with its article.
    pub(crate) one: &'static str,
    /// The field that a bare text in the place of the object stands for.
    pub(crate) bare: Option<&'static str>,
    /// Its fields.
    pub(crate) fields: &'static [Field],
}

impl Shape {
    /// The field of this name.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The names of the fields.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().map(|field| field.name)
    }
}

pub(super) const fn field(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        legacy_names: &[],
    }
}

const fn renamed(name: &'static str, kind: Kind, legacy_names: &'static [&'static str]) -> Field {
    Field {
        name,
        kind,
        legacy_names,
    }
}

pub(super) const fn shape(one: &'static str, fields: &'static [Field]) -> Shape {
    Shape {
        one,
        bare: None,
        fields,
    }
}

const fn named(one: &'static str, bare: &'static str, fields: &'static [Field]) -> Shape {
    Shape {
        one,
        bare: Some(bare),
        fields,
    }
}

/// The whole document.
pub(crate) static RESUME: Shape = shape(
    "a JSON Resume",
    &[
        field("$schema", Kind::Url),
        renamed("basics", Kind::Object(&BASICS), &["bio"]),
        field("work", Kind::List(&WORK)),
        field("volunteer", Kind::List(&VOLUNTEER)),
        field("education", Kind::List(&EDUCATION)),
        field("awards", Kind::List(&AWARD)),
        renamed(
            "certificates",
            Kind::List(&CERTIFICATE),
            &["certifications"],
        ),
        field("publications", Kind::List(&PUBLICATION)),
        field("skills", Kind::List(&SKILL)),
        field("languages", Kind::List(&LANGUAGE)),
        renamed("interests", Kind::List(&INTEREST), &["hobbies"]),
        field("references", Kind::List(&REFERENCE)),
        field("projects", Kind::List(&PROJECT)),
        renamed("meta", Kind::Object(&META), &["metadata"]),
    ],
);

static BASICS: Shape = shape(
    "an object with the person's name",
    &[
        field("name", Kind::Text),
        field("label", Kind::Text),
        renamed("image", Kind::Url, &["picture", "pictureURL"]),
        field("email", Kind::Email),
        renamed("phone", Kind::Private, &["phoneNumber"]),
        renamed("url", Kind::Url, &["website"]),
        field("summary", Kind::Text),
        field("location", Kind::Object(&LOCATION)),
        field("profiles", Kind::List(&PROFILE)),
    ],
);

/// A bare text may well be a street address: it is taken as one, which is the private reading.
static LOCATION: Shape = named(
    "an object with `city`, `region`, `countryCode`",
    "address",
    &[
        field("address", Kind::Private),
        field("postalCode", Kind::Private),
        field("city", Kind::Text),
        field("countryCode", Kind::Text),
        renamed("region", Kind::Text, &["state"]),
    ],
);

static PROFILE: Shape = shape(
    "a profile",
    &[
        field("network", Kind::Text),
        field("username", Kind::Text),
        renamed("url", Kind::Url, &["website"]),
    ],
);

static WORK: Shape = shape(
    "a job",
    &[
        renamed("name", Kind::Text, &["company"]),
        field("location", Kind::Text),
        renamed("description", Kind::Text, &["companyDescription"]),
        field("position", Kind::Text),
        renamed("url", Kind::Url, &["website"]),
        field("startDate", Kind::Date),
        field("endDate", Kind::EndDate),
        field("summary", Kind::Text),
        field("highlights", Kind::Texts),
    ],
);

static VOLUNTEER: Shape = shape(
    "a volunteer position",
    &[
        renamed("organization", Kind::Text, &["organisation", "company"]),
        field("position", Kind::Text),
        renamed("url", Kind::Url, &["website"]),
        field("startDate", Kind::Date),
        field("endDate", Kind::EndDate),
        field("summary", Kind::Text),
        field("highlights", Kind::Texts),
    ],
);

static EDUCATION: Shape = shape(
    "an education",
    &[
        renamed("institution", Kind::Text, &["name"]),
        renamed("url", Kind::Url, &["website"]),
        field("area", Kind::Text),
        field("studyType", Kind::Text),
        field("startDate", Kind::Date),
        field("endDate", Kind::EndDate),
        renamed("score", Kind::Text, &["gpa"]),
        field("courses", Kind::Texts),
    ],
);

static AWARD: Shape = shape(
    "an award",
    &[
        renamed("title", Kind::Text, &["name"]),
        renamed("date", Kind::Date, &["awardDate"]),
        field("awarder", Kind::Text),
        field("summary", Kind::Text),
    ],
);

static CERTIFICATE: Shape = shape(
    "a certificate",
    &[
        renamed("name", Kind::Text, &["title"]),
        field("date", Kind::Date),
        renamed("url", Kind::Url, &["website"]),
        field("issuer", Kind::Text),
    ],
);

static PUBLICATION: Shape = shape(
    "a publication",
    &[
        renamed("name", Kind::Text, &["title"]),
        field("publisher", Kind::Text),
        field("releaseDate", Kind::Date),
        renamed("url", Kind::Url, &["website"]),
        field("summary", Kind::Text),
    ],
);

static SKILL: Shape = named(
    "a skill",
    "name",
    &[
        field("name", Kind::Text),
        field("level", Kind::Text),
        field("keywords", Kind::Texts),
    ],
);

static LANGUAGE: Shape = named(
    "a language",
    "language",
    &[
        renamed("language", Kind::Text, &["name"]),
        renamed("fluency", Kind::Text, &["level"]),
    ],
);

static INTEREST: Shape = named(
    "an interest",
    "name",
    &[field("name", Kind::Text), field("keywords", Kind::Texts)],
);

static REFERENCE: Shape = shape(
    "a reference",
    &[field("name", Kind::Text), field("reference", Kind::Text)],
);

static PROJECT: Shape = shape(
    "a project",
    &[
        field("name", Kind::Text),
        renamed("description", Kind::Text, &["summary"]),
        field("highlights", Kind::Texts),
        renamed("keywords", Kind::Texts, &["tech"]),
        field("startDate", Kind::Date),
        field("endDate", Kind::EndDate),
        renamed("url", Kind::Url, &["website"]),
        field("roles", Kind::Texts),
        field("entity", Kind::Text),
        field("type", Kind::Text),
    ],
);

static META: Shape = shape(
    "an object",
    &[
        renamed("canonical", Kind::Url, &["url"]),
        field("version", Kind::Text),
        field("lastModified", Kind::Text),
    ],
);
