//! [`Reader`]: variables one by one, and every fault on the way.

use std::ffi::OsString;
use std::fmt;

/// Reads variables and keeps what is wrong with them: one line each, with the variable's name.
pub(super) struct Reader<'a> {
    variable: &'a dyn Fn(&str) -> Option<OsString>,
    pub(super) faults: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(variable: &'a dyn Fn(&str) -> Option<OsString>) -> Self {
        Self {
            variable,
            faults: Vec::new(),
        }
    }

    /// The value as it stands; one that is empty counts as not set.
    pub(super) fn value(&self, name: &str) -> Option<OsString> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    /// Whether a variable is set, right or wrong.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// The value without spaces around it.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        self.parse(name, |text| Ok::<_, String>(text.to_owned()))
    }

    /// The value, read by `parse`; what that cannot read is a fault.
    pub(super) fn parse<T, E: fmt::Display>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let value = self.value(name)?;
        let parsed = match value.to_str().map(str::trim) {
            Some(text) => parse(text).map_err(|error| error.to_string()),
            None => Err("is not valid Unicode".to_owned()),
        };
        self.read(name, parsed)
    }

    /// What was read; that it could not be is a fault.
    pub(super) fn read<T, E: fmt::Display>(&mut self, name: &str, read: Result<T, E>) -> Option<T> {
        read.map_err(|fault| self.fault(name, &fault.to_string()))
            .ok()
    }

    pub(super) fn fault(&mut self, name: &str, fault: &str) {
        self.faults.push(format!("{name}: {fault}"));
    }
}
