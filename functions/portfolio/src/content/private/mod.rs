//! Privacy by default: takes phone numbers, e-mail addresses and street addresses out of what is
//! served, unless `[publish]` in `profile.toml` says otherwise.
//!
//! What counts, wherever it stands in the document:
//! - a member whose name says so (`email`, `x-phone`, `postalCode`, …): [`names`];
//! - text with the form of an e-mail address or a phone number, `mailto:` and `tel:` included:
//!   [`text`];
//! - a value known from such a member, repeated in other text: [`secrets`].
//!
//! City, region and country are served. Contact data of the people in `references` has a switch of
//! its own: it is not the owner's to publish.

mod names;
mod secrets;
mod text;

use serde_json::{Map, Value};

use super::finding::Pointer;
use super::shape::RESUME;
use secrets::Secrets;
use text::Scrubbed;

/// What the owner publishes: nothing, unless `profile.toml` says so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Publish {
    /// Phone numbers of the owner.
    pub(crate) phone: bool,
    /// E-mail addresses of the owner.
    pub(crate) email: bool,
    /// Street address and postal code of the owner.
    pub(crate) address: bool,
    /// How to reach the people in `references`.
    pub(crate) reference_contacts: bool,
}

/// The kinds of contact data that are kept back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contact {
    /// An e-mail address.
    Email,
    /// A phone number.
    Phone,
    /// A street address, a postal code, exact coordinates.
    Address,
}

/// Whose data a part of the document holds, and how strictly it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Area {
    /// About the person: a text that is nothing but a long number is a phone number here.
    Person,
    /// About the people in `references`, read just as strictly.
    References,
    /// Jobs, projects and the like: numbers need the form of a phone number.
    Elsewhere,
}

impl Area {
    fn of_section(name: &str) -> Self {
        match name {
            "references" => Self::References,
            "basics" => Self::Person,
            known if RESUME.field(known).is_some() => Self::Elsewhere,
            _ => Self::Person,
        }
    }
}

/// Something that was kept back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Withheld {
    /// Where it stands in the file.
    pub(crate) at: Pointer,
    /// The key of `[publish]` that would publish it.
    pub(crate) switch: &'static str,
}

/// Keeps back what the owner does not publish.
#[derive(Debug)]
pub(crate) struct Redactor {
    publish: Publish,
    secrets: Secrets,
}

impl Redactor {
    /// Learns the private values of a résumé.
    pub(crate) fn new(publish: Publish, resume: &Map<String, Value>) -> Self {
        let mut hidden = Secrets::default();
        let mut shown = Secrets::default();
        for (section, value) in resume {
            let area = Area::of_section(section);
            names::each_contact(section, value, area, &mut |contact, value| {
                let known = if is_published(publish, contact, area) {
                    &mut shown
                } else {
                    &mut hidden
                };
                known.learn(contact, value);
            });
        }
        hidden.forget(&shown);
        Self {
            publish,
            secrets: hidden,
        }
    }

    /// Takes out of a résumé what is not published, and says what that was.
    pub(crate) fn withhold_from_resume(&self, resume: &mut Map<String, Value>) -> Vec<Withheld> {
        self.withhold(resume, Area::of_section)
    }

    /// Takes out of a profile what is not published: all of it is about the person.
    pub(crate) fn withhold_from_profile(&self, profile: &mut Map<String, Value>) -> Vec<Withheld> {
        self.withhold(profile, |_| Area::Person)
    }

    fn withhold(
        &self,
        document: &mut Map<String, Value>,
        area_of: impl Fn(&str) -> Area,
    ) -> Vec<Withheld> {
        let mut withheld = Vec::new();
        document.retain(|name, value| {
            let mut pass = Pass {
                keeper: self,
                area: area_of(name),
                withheld: &mut withheld,
            };
            pass.keeps_member(name, value, &Pointer::root())
        });
        withheld
    }
}

const fn is_published(publish: Publish, contact: Contact, area: Area) -> bool {
    match (area, contact) {
        (Area::References, _) => publish.reference_contacts,
        (_, Contact::Email) => publish.email,
        (_, Contact::Phone) => publish.phone,
        (_, Contact::Address) => publish.address,
    }
}

/// One walk through a section.
struct Pass<'p> {
    keeper: &'p Redactor,
    area: Area,
    withheld: &'p mut Vec<Withheld>,
}

impl Pass<'_> {
    fn is_published(&self, contact: Contact) -> bool {
        is_published(self.keeper.publish, contact, self.area)
    }

    fn note(&mut self, at: &Pointer, contact: Contact) {
        let switch = match (self.area, contact) {
            (Area::References, _) => "reference_contacts",
            (_, Contact::Email) => "email",
            (_, Contact::Phone) => "phone",
            (_, Contact::Address) => "address",
        };
        self.withheld.push(Withheld {
            at: at.clone(),
            switch,
        });
    }

    /// Whether a member stays; what stays is cleaned on the way.
    fn keeps_member(&mut self, name: &str, value: &mut Value, parent: &Pointer) -> bool {
        let at = parent.join(name);
        let named = names::contact(name, value, self.area);
        let found = named.or_else(|| self.scrub(name).map(|(contact, _)| contact));
        match found {
            Some(contact) if !self.is_published(contact) => {
                self.note(&at, contact);
                false
            }
            _ => self.keeps(value, &at),
        }
    }

    fn keeps(&mut self, value: &mut Value, at: &Pointer) -> bool {
        match value {
            Value::Object(object) => self.keeps_object(object, at),
            Value::Array(items) => self.keeps_items(items, at),
            Value::String(text) => self.keeps_text(text, at),
            Value::Number(number) => {
                let is_secret = self.keeper.secrets.has_phone(&number.to_string());
                if is_secret {
                    self.note(at, Contact::Phone);
                }
                !is_secret
            }
            Value::Null | Value::Bool(_) => true,
        }
    }

    fn keeps_object(&mut self, object: &mut Map<String, Value>, at: &Pointer) -> bool {
        if let Some(contact) = names::contact_of_entry(object, self.area)
            && !self.is_published(contact)
        {
            self.note(at, contact);
            return false;
        }
        let was_empty = object.is_empty();
        object.retain(|name, value| self.keeps_member(name, value, at));
        was_empty || !object.is_empty()
    }

    fn keeps_items(&mut self, items: &mut Vec<Value>, at: &Pointer) -> bool {
        let was_empty = items.is_empty();
        let mut index = 0;
        items.retain_mut(|item| {
            let keeps = self.keeps(item, &at.join(index));
            index += 1;
            keeps
        });
        was_empty || !items.is_empty()
    }

    fn keeps_text(&mut self, text: &mut String, at: &Pointer) -> bool {
        match self.scrub(text) {
            None => true,
            Some((contact, scrubbed)) => {
                self.note(at, contact);
                match scrubbed {
                    Scrubbed::Nothing => false,
                    Scrubbed::Rest(rest) => {
                        *text = rest;
                        true
                    }
                }
            }
        }
    }

    fn scrub(&self, text: &str) -> Option<(Contact, Scrubbed)> {
        let hidden = text::Hidden {
            email: !self.is_published(Contact::Email),
            phone: !self.is_published(Contact::Phone),
            bare_numbers: self.area != Area::Elsewhere,
        };
        text::scrub(text, hidden, &self.keeper.secrets)
    }
}

#[cfg(test)]
mod tests;
