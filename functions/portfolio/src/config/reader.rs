//! [`Reader`]: reads environment variables and collects all faults.

use std::ffi::OsString;
use std::fmt;

/// Reads environment variables. Each fault is one line that starts with the variable's name.
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

    /// Returns the raw value. A blank value counts as unset.
    pub(super) fn value(&self, name: &str) -> Option<OsString> {
        let is_blank = |value: &OsString| value.to_str().is_some_and(|text| text.trim().is_empty());
        (self.variable)(name).filter(|value| !is_blank(value))
    }

    /// Returns whether a variable is set, to a valid or an invalid value.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Returns the value without leading and trailing white space.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        self.parse(name, |text| Ok::<_, String>(text.to_owned()))
    }

    /// Returns the parsed value. A parse error is recorded as a fault.
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

    /// Returns the value of `read`. An error is recorded as a fault.
    pub(super) fn read<T, E: fmt::Display>(&mut self, name: &str, read: Result<T, E>) -> Option<T> {
        read.map_err(|fault| self.fault(name, &fault.to_string()))
            .ok()
    }

    /// Records a fault.
    pub(super) fn fault(&mut self, name: &str, fault: &str) {
        self.faults.push(format!("{name}: {fault}"));
    }
}
