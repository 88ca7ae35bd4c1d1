//! Takes out of a résumé what is not published: contact fields, members that JSON Resume does not
//! define in `basics` and `references`, and sections that it does not define.

use serde_json::{Map, Value};

use super::publish::{Publish, Switch, contact_switch};
use crate::blank::is_blank;
use crate::place::Place;
use crate::resume_shape::RESUME;
use crate::shape::{Kind, Shape};

/// Why a value is withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is in a contact field.
    Contact(Switch),
    /// JSON Resume does not define the member. It is in `basics` or `references`.
    Member,
    /// JSON Resume does not define the section.
    Section,
}

/// A value that is withheld by default.
#[derive(Debug, Clone)]
pub struct PrivateMember {
    pub reason: Reason,
    /// Where it is, as a JSON Pointer.
    pub pointer: String,
    /// Where it is, as `also` names it.
    pub path: String,
    /// The fields that JSON Resume defines beside it, if it defines any.
    pub siblings: Option<&'static Shape>,
    pub value: Value,
}

impl PrivateMember {
    /// Returns the line of `[publish]` that publishes the value.
    pub fn line(&self) -> String {
        match self.reason {
            Reason::Contact(switch) => format!("{} = true", switch.key()),
            Reason::Member | Reason::Section => format!("also = [\"{}\"]", self.path),
        }
    }

    /// Returns the switch whose kind of contact data the value belongs to.
    pub fn switch(&self) -> Option<Switch> {
        let in_references = self.path.starts_with("references.");
        match self.reason {
            Reason::Contact(switch) => Some(switch),
            Reason::Member if in_references => Some(Switch::ReferenceContacts),
            Reason::Member | Reason::Section => None,
        }
    }
}

/// The private members of a résumé.
#[derive(Debug, Default)]
pub struct PrivateMembers {
    /// What was taken out.
    pub withheld: Vec<PrivateMember>,
    /// What stays, because the owner publishes it.
    pub published: Vec<PrivateMember>,
}

/// Takes out what is not published.
pub(crate) fn withhold(resume: &mut Map<String, Value>, publish: &Publish) -> PrivateMembers {
    let mut pass = Pass {
        publish,
        found: PrivateMembers::default(),
    };
    resume.retain(|name, value| {
        let at = Place::Root.member(name);
        match (name.as_str(), RESUME.field(name)) {
            ("basics" | "references", Some(field)) => pass.keeps(value, field.kind, at),
            (_, Some(_)) => true,
            (_, None) => pass.keeps_undefined(value, at, Reason::Section, Some(&RESUME)),
        }
    });
    pass.found
}

struct Pass<'p> {
    publish: &'p Publish,
    found: PrivateMembers,
}

impl Pass<'_> {
    /// Returns whether a value of a defined field stays; takes out what is undefined in it.
    fn keeps(&mut self, value: &mut Value, kind: Kind, at: Place<'_>) -> bool {
        match (kind, value) {
            (Kind::Object(shape), Value::Object(object)) => self.members(object, shape, at),
            (Kind::List(shape), Value::Array(items)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    let at = at.item(index);
                    if let Value::Object(object) = item {
                        self.members(object, shape, at);
                    }
                }
            }
            (Kind::List(shape), Value::Object(object)) => self.members(object, shape, at),
            (Kind::Object(shape), value) if shape.text_as == Some("address") => {
                return self.keeps_contact(value, at, Switch::Address);
            }
            _ => {}
        }
        true
    }

    fn members(&mut self, object: &mut Map<String, Value>, shape: &'static Shape, at: Place<'_>) {
        let in_references = at.path().starts_with("references");
        object.retain(|name, value| {
            let at = at.member(name);
            match (contact_switch(&at.path()), shape.field(name)) {
                (Some(switch), _) => self.keeps_contact(value, at, switch),
                (None, Some(field)) => self.keeps(value, field.kind, at),
                (None, None) if in_references && self.publish.has(Switch::ReferenceContacts) => {
                    self.leave(value, at, Reason::Member)
                }
                (None, None) => self.keeps_undefined(value, at, Reason::Member, Some(shape)),
            }
        });
    }

    fn keeps_contact(&mut self, value: &mut Value, at: Place<'_>, switch: Switch) -> bool {
        if self.publish.has(switch) {
            self.leave(value, at, Reason::Contact(switch))
        } else {
            self.take(value, at, Reason::Contact(switch), None)
        }
    }

    /// Returns whether something of an undefined value stays: it, or what is in it, is named.
    fn keeps_undefined(
        &mut self,
        value: &mut Value,
        at: Place<'_>,
        reason: Reason,
        siblings: Option<&'static Shape>,
    ) -> bool {
        let path = at.path();
        if self.publish.names(&path) {
            return self.leave(value, at, reason);
        }
        if !self.publish.names_inside(&path) {
            return self.take(value, at, reason, siblings);
        }
        match value {
            Value::Object(object) => {
                object.retain(|name, value| {
                    self.keeps_undefined(value, at.member(name), reason, None)
                });
                !object.is_empty()
            }
            Value::Array(items) => {
                let mut index = 0;
                items.retain_mut(|item| {
                    let keeps = self.keeps_undefined(item, at.item(index), reason, None);
                    index += 1;
                    keeps
                });
                !items.is_empty()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                self.take(value, at, reason, None)
            }
        }
    }

    /// Records a value that stays. Returns `true`.
    fn leave(&mut self, value: &Value, at: Place<'_>, reason: Reason) -> bool {
        self.found.published.push(PrivateMember {
            reason,
            pointer: at.pointer(),
            path: at.path(),
            siblings: None,
            value: value.clone(),
        });
        true
    }

    /// Takes a value out. Returns `false`.
    fn take(
        &mut self,
        value: &mut Value,
        at: Place<'_>,
        reason: Reason,
        siblings: Option<&'static Shape>,
    ) -> bool {
        if !is_blank(Some(value)) {
            self.found.withheld.push(PrivateMember {
                reason,
                pointer: at.pointer(),
                path: at.path(),
                siblings,
                value: value.take(),
            });
        }
        false
    }
}
