//! [`Shape`]: the fields of one kind of object, as data. The checks of `resume.json` and of
//! `profile.toml` both use it.

/// What a field holds.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A short text, such as a name.
    Text,
    /// A text to read, in which people write Markdown.
    Prose,
    /// A text that findings do not quote.
    Private,
    /// A link: an absolute URL.
    Url,
    /// An e-mail address.
    Email,
    /// A place in one text. An object with `city`, `region` and `countryCode` is joined to one.
    Location,
    /// A date: `2020`, `2020-03` or `2020-03-05`.
    Date,
    /// A date that may be open: `Present` is the same as no date.
    EndDate,
    /// A list of short texts.
    Texts,
    /// A list of texts to read.
    Points,
    /// A whole number above zero.
    Count,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An object.
    Object(&'static Shape),
    /// A list of objects.
    List(&'static Shape),
}

impl Kind {
    /// Returns whether the value has fields of its own.
    pub const fn has_fields(self) -> bool {
        matches!(self, Self::Object(_) | Self::List(_))
    }
}

/// One field of an object.
#[derive(Debug)]
pub struct Field {
    /// The current name.
    pub name: &'static str,
    /// What the field holds.
    pub kind: Kind,
    /// Names from earlier drafts of JSON Resume, and common ones from published files.
    pub legacy_names: &'static [&'static str],
}

impl Field {
    /// Creates a field that always had this name.
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            legacy_names: &[],
        }
    }

    /// Sets the legacy names.
    pub const fn legacy(self, legacy_names: &'static [&'static str]) -> Self {
        Self {
            legacy_names,
            ..self
        }
    }
}

/// The fields of one kind of object.
#[derive(Debug)]
pub struct Shape {
    /// What one such object is, with its article: `a job`.
    pub one: &'static str,
    /// The field that names an entry. An entry without it gets a warning.
    pub title: Option<&'static str>,
    /// The field that a text in the place of the object is taken as.
    pub text_as: Option<&'static str>,
    /// The fields.
    pub fields: &'static [Field],
}

impl Shape {
    /// Creates a shape of objects that need no name and cannot be given as texts.
    pub const fn new(one: &'static str, fields: &'static [Field]) -> Self {
        Self {
            one,
            title: None,
            text_as: None,
            fields,
        }
    }

    /// Sets the field that names an entry.
    pub const fn titled(self, field: &'static str) -> Self {
        Self {
            title: Some(field),
            ..self
        }
    }

    /// Sets the field that a text in the place of the object is taken as.
    pub const fn text_as(self, field: &'static str) -> Self {
        Self {
            text_as: Some(field),
            ..self
        }
    }

    /// Returns the field with this current name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the field with this current or legacy name.
    pub fn field_by_any_name(&self, name: &str) -> Option<&Field> {
        self.field(name).or_else(|| {
            let mut fields = self.fields.iter();
            fields.find(|field| field.legacy_names.contains(&name))
        })
    }

    /// Returns the current names of the fields.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().map(|field| field.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile_shape::PROFILE;
    use crate::resume_shape::RESUME;

    fn each(shape: &Shape, visit: &mut impl FnMut(&Shape)) {
        visit(shape);
        for field in shape.fields {
            if let Kind::Object(shape) | Kind::List(shape) = field.kind {
                each(shape, visit);
            }
        }
    }

    /// An object whose names are all current has no legacy one: several passes rely on it.
    #[test]
    fn a_legacy_name_is_not_also_a_current_one() {
        for shape in [&RESUME, &PROFILE] {
            each(shape, &mut |shape| {
                let mut legacy = shape.fields.iter().flat_map(|field| field.legacy_names);
                let both = legacy.find(|name| shape.field(name).is_some());
                assert_eq!(both, None, "{}", shape.one);
            });
        }
    }
}
