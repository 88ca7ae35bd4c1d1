//! The résumé as it is served: the fields of the JSON Resume schema 1.0.0, with unknown members
//! beside them.
//!
//! These types are also the output schema that clients see: the comments on fields become its
//! descriptions. `resume_shape.rs` names the same fields for reading a file.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Declares one kind of object: every field is optional, and unknown members are kept.
macro_rules! object {
    ($(#[$about:meta])* $name:ident {
        $($(#[$field_about:meta])* $field:ident: $kind:ty,)*
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(transform = without_null)]
        pub struct $name {
            $(
                $(#[$field_about])*
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $field: Option<$kind>,
            )*
            /// Members that JSON Resume does not define, as the owner wrote them.
            #[serde(flatten)]
            pub extra: Map<String, Value>,
        }
    };
}

/// An absent field is left out and never `null`, which the derived schema would allow.
fn without_null(schema: &mut Schema) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        if let Some(Value::Array(types)) = property.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                property.insert("type".to_owned(), only);
            }
        }
        let Some(Value::Array(options)) = property.get_mut("anyOf") else {
            continue;
        };
        options.retain(|option| option.get("type") != Some(&"null".into()));
        if let [Value::Object(only)] = options.as_slice() {
            let only = only.clone();
            property.remove("anyOf");
            for (keyword, value) in only {
                property.entry(keyword).or_insert(value);
            }
        }
    }
}

object! {
    /// A JSON Resume (schema 1.0.0). Contact data that the owner does not publish is left out.
    Resume {
        /// The schema that the document follows.
        #[serde(rename = "$schema")]
        schema: String,
        /// The person.
        basics: Basics,
        /// Jobs, in the owner's order.
        work: Vec<Work>,
        /// Volunteer positions.
        volunteer: Vec<Volunteer>,
        /// Schools, studies and courses.
        education: Vec<Education>,
        /// Awards.
        awards: Vec<Award>,
        /// Certificates.
        certificates: Vec<Certificate>,
        /// Publications.
        publications: Vec<Publication>,
        /// Skills, each with its keywords.
        skills: Vec<Skill>,
        /// Spoken languages.
        languages: Vec<Language>,
        /// Interests.
        interests: Vec<Interest>,
        /// References from other people.
        references: Vec<Reference>,
        /// Projects.
        projects: Vec<Project>,
        /// Metadata of the document.
        meta: Meta,
    }
}

object! {
    /// The person.
    Basics {
        /// Full name.
        name: String,
        /// Profession, such as `Programmer`.
        label: String,
        /// Image URL.
        image: String,
        /// E-mail address, if the owner publishes it.
        email: String,
        /// Phone number, if the owner publishes it.
        phone: String,
        /// Home page URL.
        url: String,
        /// Two or three sentences about the person.
        summary: String,
        /// Where the person lives.
        location: Location,
        /// Accounts on networks.
        profiles: Vec<Profile>,
    }
}

object! {
    /// Where the person lives.
    Location {
        /// Street address, if the owner publishes it.
        address: String,
        /// Postal code, if the owner publishes it.
        postal_code: String,
        /// City.
        city: String,
        /// Country, as an ISO 3166-1 alpha-2 code.
        country_code: String,
        /// State, province or other region.
        region: String,
    }
}

object! {
    /// An account on a network.
    Profile {
        /// Network, such as `Mastodon`.
        network: String,
        /// User name.
        username: String,
        /// URL of the account.
        url: String,
    }
}

object! {
    /// A job.
    Work {
        /// Employer.
        name: String,
        /// Place of work.
        location: String,
        /// What the employer does.
        description: String,
        /// Position held.
        position: String,
        /// The employer's home page URL.
        url: String,
        /// Start date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        start_date: String,
        /// End date, in the same form. Absent if it has not ended.
        end_date: String,
        /// Summary of the job.
        summary: String,
        /// Achievements.
        highlights: Vec<String>,
    }
}

object! {
    /// A volunteer position.
    Volunteer {
        /// Organization.
        organization: String,
        /// Position held.
        position: String,
        /// The organization's home page URL.
        url: String,
        /// Start date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        start_date: String,
        /// End date, in the same form. Absent if it has not ended.
        end_date: String,
        /// Summary of the position.
        summary: String,
        /// Achievements.
        highlights: Vec<String>,
    }
}

object! {
    /// An education.
    Education {
        /// School or university.
        institution: String,
        /// Home page URL.
        url: String,
        /// Field of study.
        area: String,
        /// Kind of study, such as `Bachelor`.
        study_type: String,
        /// Start date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        start_date: String,
        /// End date, in the same form. Absent if it has not ended.
        end_date: String,
        /// Grade.
        score: String,
        /// Notable courses.
        courses: Vec<String>,
    }
}

object! {
    /// An award.
    Award {
        /// Title.
        title: String,
        /// Date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        date: String,
        /// Organization that gave the award.
        awarder: String,
        /// Reason for the award.
        summary: String,
    }
}

object! {
    /// A certificate.
    Certificate {
        /// Name.
        name: String,
        /// Date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        date: String,
        /// URL of the certificate.
        url: String,
        /// Issuer.
        issuer: String,
    }
}

object! {
    /// A publication.
    Publication {
        /// Title.
        name: String,
        /// Publisher.
        publisher: String,
        /// Date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        release_date: String,
        /// URL of the publication.
        url: String,
        /// Summary.
        summary: String,
    }
}

object! {
    /// A skill.
    Skill {
        /// Name.
        name: String,
        /// Level, in the owner's words.
        level: String,
        /// Keywords.
        keywords: Vec<String>,
    }
}

object! {
    /// A spoken language.
    Language {
        /// Name.
        language: String,
        /// Fluency, in the owner's words.
        fluency: String,
    }
}

object! {
    /// An interest.
    Interest {
        /// Name.
        name: String,
        /// Keywords.
        keywords: Vec<String>,
    }
}

object! {
    /// A reference from another person.
    Reference {
        /// Name of the person who gives the reference.
        name: String,
        /// Text of the reference.
        reference: String,
    }
}

object! {
    /// A project.
    Project {
        /// Name.
        name: String,
        /// Short description.
        description: String,
        /// Achievements and features.
        highlights: Vec<String>,
        /// Technologies and topics.
        keywords: Vec<String>,
        /// Start date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        start_date: String,
        /// End date, in the same form. Absent if it has not ended.
        end_date: String,
        /// The project's home page URL.
        url: String,
        /// The person's roles in it.
        roles: Vec<String>,
        /// The company or organization behind it.
        entity: String,
        /// Kind of project, such as `application` or `talk`.
        r#type: String,
    }
}

object! {
    /// Metadata of the document.
    Meta {
        /// URL of the newest version.
        canonical: String,
        /// Version of the schema, such as `v1.0.0`.
        version: String,
        /// Date of the last change.
        last_modified: String,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resume_shape::RESUME;
    use crate::shape::{Kind, Shape};

    /// The names of an object's fields in a schema, with the schema of what is in them.
    fn properties(root: &Value, schema: &Value) -> Vec<(String, Value)> {
        let schema = resolved(root, schema);
        schema["properties"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
        match schema.get("$ref") {
            Some(path) => root
                .pointer(path.as_str().unwrap().trim_start_matches('#'))
                .unwrap(),
            None => schema,
        }
    }

    fn compare(root: &Value, schema: &Value, shape: &Shape) {
        let fields = properties(root, schema);
        let mut typed: Vec<_> = fields.iter().map(|(name, _)| name.as_str()).collect();
        let mut shaped: Vec<_> = shape.names().collect();
        typed.sort_unstable();
        shaped.sort_unstable();
        assert_eq!(typed, shaped, "{}", shape.one);
        for field in shape.fields {
            let (_, schema) = fields.iter().find(|(name, _)| name == field.name).unwrap();
            if let Kind::List(shape) = field.kind {
                compare(root, &schema["items"], shape);
            } else if let Kind::Object(shape) = field.kind {
                compare(root, schema, shape);
            }
        }
    }

    #[test]
    fn the_types_and_the_shape_name_the_same_fields() {
        let schema = schemars::schema_for!(Resume).to_value();
        compare(&schema, &schema, &RESUME);
        assert!(!schema.to_string().contains("null"), "{schema}");
    }

    #[test]
    fn unknown_members_are_kept_at_every_level() {
        let document = serde_json::json!({
            "basics": {"name": "A", "pronouns": "they"},
            "work": [{"name": "B", "team": {"size": 3}}],
            "peerFeedback": [1, null]
        });
        let resume: Resume = serde_json::from_value(document.clone()).unwrap();
        assert_eq!(serde_json::to_value(&resume).unwrap(), document);
    }
}
