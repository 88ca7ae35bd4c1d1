//! [`Section`]: the sections of a JSON Resume, in the schema's order.
//!
//! This is the only table of sections: their names, how each is cut out of a résumé, and how many
//! entries it has. A new section of the schema is one line here and one field of [`Resume`].

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::resume::{Basics, Meta, Resume};
use super::tokens::Size;

/// Declares the sections, each with the field of [`Resume`] that holds it.
macro_rules! sections {
    ($($variant:ident => $field:ident,)+) => {
        /// A section of a JSON Resume.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
        #[serde(rename_all = "lowercase")]
        #[expect(
            missing_docs,
            reason = "comments on the variants would become part of the schema"
        )]
        pub enum Section {
            $($variant,)+
        }

        impl Section {
            /// All sections, in the schema's order.
            pub const ALL: [Self; [$(stringify!($field)),+].len()] = [$(Self::$variant),+];

            /// The name of the member that holds the section.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($field),)+
                }
            }

            /// Returns the résumé reduced to this section, and to the language of the texts. A
            /// section that is absent from `resume` is present and empty in the result.
            pub fn cut_from(self, resume: &Resume) -> Resume {
                self.part_of(resume, 0..usize::MAX)
            }

            /// Returns the same with some of the entries, by their positions in the list. A section
            /// that is one object is whole.
            pub fn part_of(self, resume: &Resume, entries: Range<usize>) -> Resume {
                let mut part = Resume::default();
                match self {
                    $(Self::$variant => {
                        let section = resume.$field.as_ref();
                        part.$field = Some(section.map(|all| all.part(entries)).unwrap_or_default());
                    })+
                }
                if let Some(language) = resume.language() {
                    part.set_language(language);
                }
                part
            }

            /// Returns the size of each entry as JSON. None if the section is one object.
            ///
            /// # Errors
            ///
            /// An entry cannot be serialized.
            pub fn sizes(self, resume: &Resume) -> Result<Vec<Size>, serde_json::Error> {
                match self {
                    $(Self::$variant => {
                        resume.$field.as_ref().map_or_else(|| Ok(Vec::new()), Entries::sizes)
                    })+
                }
            }

            /// Returns the résumé with empty lists in place of its lists.
            pub fn without_entries(resume: &Resume) -> Resume {
                Resume {
                    schema: resume.schema.clone(),
                    $($field: resume.$field.as_ref().map(|all| all.part(0..0)),)+
                    extra: resume.extra.clone(),
                }
            }

            /// Returns the number of entries: the length of a list, or 1 for an object that has
            /// members. 0 means that the section is absent or empty.
            pub fn entries(self, resume: &Resume) -> usize {
                match self {
                    $(Self::$variant => resume.$field.as_ref().map_or(0, Entries::entries),)+
                }
            }
        }
    };
}

sections! {
    Basics => basics,
    Work => work,
    Volunteer => volunteer,
    Education => education,
    Awards => awards,
    Certificates => certificates,
    Publications => publications,
    Skills => skills,
    Languages => languages,
    Interests => interests,
    References => references,
    Projects => projects,
    Meta => meta,
}

/// What a section holds: a list, or one object.
trait Entries {
    fn entries(&self) -> usize;
    fn part(&self, entries: Range<usize>) -> Self;
    fn sizes(&self) -> Result<Vec<Size>, serde_json::Error>;
}

impl<T: Clone + Serialize> Entries for Vec<T> {
    fn entries(&self) -> usize {
        self.len()
    }

    fn part(&self, entries: Range<usize>) -> Self {
        let end = entries.end.min(self.len());
        self.get(entries.start..end).unwrap_or_default().to_vec()
    }

    fn sizes(&self) -> Result<Vec<Size>, serde_json::Error> {
        self.iter().map(Size::of_json).collect()
    }
}

impl Entries for Basics {
    fn entries(&self) -> usize {
        usize::from(*self != Self::default())
    }

    fn part(&self, _: Range<usize>) -> Self {
        self.clone()
    }

    fn sizes(&self) -> Result<Vec<Size>, serde_json::Error> {
        Ok(Vec::new())
    }
}

impl Entries for Meta {
    fn entries(&self) -> usize {
        usize::from(*self != Self::default())
    }

    fn part(&self, _: Range<usize>) -> Self {
        self.clone()
    }

    fn sizes(&self) -> Result<Vec<Size>, serde_json::Error> {
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_sections_are_those_of_the_schema_in_its_order() {
        let expected: Vec<_> = crate::sections()
            .filter(|name| *name != "$schema")
            .collect();
        assert_eq!(Section::ALL.map(Section::name).as_slice(), expected);
        let schema = schemars::schema_for!(Section).to_value();
        assert_eq!(schema["enum"], json!(expected));
    }

    #[test]
    fn a_section_is_cut_out_with_its_entries_and_an_absent_one_is_empty() {
        let document = json!({
            "basics": {"name": "A", "pronouns": "they"},
            "work": [{"name": "W"}, {"name": "X", "technologies": ["Rust"]}],
            "skills": [], "meta": {},
            "custom": {"x": 1}
        });
        let resume: Resume = serde_json::from_value(document.clone()).unwrap();
        for section in Section::ALL {
            let name = section.name();
            let is_object = matches!(section, Section::Basics | Section::Meta);
            let empty = if is_object { json!({}) } else { json!([]) };
            let expected = document.get(name).cloned().unwrap_or(empty);
            let part = serde_json::to_value(section.cut_from(&resume)).unwrap();
            assert_eq!(part, json!({ name: expected }));
            let is_written = usize::from(expected != json!({}));
            let entries = expected.as_array().map_or(is_written, Vec::len);
            assert_eq!(section.entries(&resume), entries, "{name}");
        }
    }
}
