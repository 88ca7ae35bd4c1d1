//! What crawlers read: the person as schema.org JSON-LD. Google, *`ProfilePage` structured data*.

use serde_json::{Map, Value, json};

use crate::content::resume::Basics;
use crate::content::{Content, is_web_uri};

/// The most entries of a list, and characters of a text: crawlers need no more.
const MAX_ENTRIES: usize = 40;
const MAX_CHARS: usize = 300;

/// Returns the document. `page` is the URL of the page, if it is known.
pub(super) fn json_ld(content: &Content, page: Option<&str>) -> Value {
    let mut person = Map::new();
    let mut put = |name: &str, value: Value| {
        let is_empty = match &value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(entries) => entries.is_empty(),
            Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
        };
        if !is_empty {
            person.insert(name.to_owned(), value);
        }
    };
    put("@type", json!("Person"));
    put("name", text(Some(&content.person())));
    let resume = &content.resume;
    if let Some(basics) = &resume.basics {
        put("jobTitle", text(basics.label.as_ref()));
        put("description", text(basics.summary.as_ref()));
        put("email", text(basics.email.as_ref()));
        put("telephone", text(basics.phone.as_ref()));
        put("image", url(basics.image.as_ref()));
        put("url", url(basics.url.as_ref()));
        let accounts = basics.profiles.iter().flatten();
        put(
            "sameAs",
            list(accounts.map(|account| url(account.url.as_ref()))),
        );
        put("address", address(basics));
    }
    let jobs = resume.work.iter().flatten();
    let current = jobs.filter(|job| job.end_date.is_none() && job.name.is_some());
    put(
        "worksFor",
        list(current.map(|job| organization(job.name.as_ref(), job.url.as_ref()))),
    );
    let schools = resume.education.iter().flatten();
    let schools = schools.filter(|school| school.institution.is_some());
    put(
        "alumniOf",
        list(schools.map(|school| organization(school.institution.as_ref(), school.url.as_ref()))),
    );
    let skills = resume.skills.iter().flatten();
    put(
        "knowsAbout",
        list(skills.map(|skill| text(skill.name.as_ref()))),
    );
    let languages = resume.languages.iter().flatten();
    put(
        "knowsLanguage",
        list(languages.map(|language| text(language.language.as_ref()))),
    );
    let mut document = Map::new();
    document.insert("@context".to_owned(), json!("https://schema.org"));
    document.insert("@type".to_owned(), json!("ProfilePage"));
    if let Some(page) = page {
        document.insert("url".to_owned(), json!(page));
    }
    document.insert("mainEntity".to_owned(), Value::Object(person));
    Value::Object(document)
}

/// Where the person lives, as far as it is published.
fn address(basics: &Basics) -> Value {
    let Some(location) = &basics.location else {
        return Value::Null;
    };
    let members = [
        ("streetAddress", &location.address),
        ("postalCode", &location.postal_code),
        ("addressLocality", &location.city),
        ("addressRegion", &location.region),
        ("addressCountry", &location.country_code),
    ];
    let known = members.into_iter().filter(|(_, value)| value.is_some());
    let known = known.map(|(name, value)| (name.to_owned(), text(value.as_ref())));
    let mut address: Map<String, Value> = known.collect();
    if address.is_empty() {
        return Value::Null;
    }
    address.insert("@type".to_owned(), json!("PostalAddress"));
    Value::Object(address)
}

/// Returns a document as the text of a `script` element. No text can end the element.
pub(super) fn as_script(document: &Value) -> String {
    document.to_string().replace('<', "\\u003c")
}

fn organization(name: Option<&String>, link: Option<&String>) -> Value {
    let mut organization = Map::new();
    organization.insert("@type".to_owned(), json!("Organization"));
    organization.insert("name".to_owned(), text(name));
    let link = url(link);
    if !link.is_null() {
        organization.insert("url".to_owned(), link);
    }
    Value::Object(organization)
}

fn text(text: Option<&String>) -> Value {
    let cut = |text: &String| text.chars().take(MAX_CHARS).collect::<String>();
    text.map(cut).map_or(Value::Null, Value::from)
}

fn url(url: Option<&String>) -> Value {
    let url = url.filter(|url| is_web_uri(url) && url.len() <= MAX_CHARS);
    url.map_or(Value::Null, |url| json!(url))
}

fn list(values: impl Iterator<Item = Value>) -> Value {
    values
        .filter(|value| !value.is_null())
        .take(MAX_ENTRIES)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::content_of;

    #[test]
    fn the_person_is_described_with_what_is_published() {
        let content = content_of(
            &json!({"basics": {"name": "A", "label": "L", "email": "a@b.example", "url": "https://a.example",
                "profiles": [{"url": "https://c.example/a"}, {"url": "mailto:x"}], "location": {"city": "C", "address": "S"}},
                "work": [{"name": "W"}, {"name": "Old", "endDate": "2020"}], "skills": [{"name": "Rust"}]}),
            "",
        );
        let document = json_ld(&content, Some("https://mcp.example.com/"));
        let expected = json!({
            "@context": "https://schema.org", "@type": "ProfilePage", "url": "https://mcp.example.com/",
            "mainEntity": {
                "@type": "Person", "name": "A", "jobTitle": "L", "url": "https://a.example",
                "sameAs": ["https://c.example/a"],
                "address": {"@type": "PostalAddress", "addressLocality": "C"},
                "worksFor": [{"@type": "Organization", "name": "W"}], "knowsAbout": ["Rust"],
            },
        });
        assert_eq!(document, expected);
    }

    #[test]
    fn no_text_ends_the_script_element() {
        let name = "</script><script>alert(1)</script><!--";
        let content = content_of(&json!({"basics": {"name": name}}), "");
        let text = as_script(&json_ld(&content, None));
        assert!(!text.contains('<'), "{text}");
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["mainEntity"]["name"], name);
    }
}
