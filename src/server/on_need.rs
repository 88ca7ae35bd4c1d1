//! [`OnNeed`]: what is made and checked on first need.

use std::sync::OnceLock;

use crate::error::ProtocolError;
use crate::server::build_error::BuildError;

/// A value of a definition, which is made by `build` or on first need, and kept.
#[derive(Debug)]
pub(super) struct OnNeed<T> {
    /// The inner `None`: the definition has a fault, which was logged.
    made: OnceLock<Option<T>>,
}

impl<T> OnNeed<T> {
    pub(super) const fn new() -> Self {
        Self {
            made: OnceLock::new(),
        }
    }

    /// Keeps a value that was made before it is needed.
    pub(super) fn keep(&self, value: T) {
        self.made.get_or_init(|| Some(value));
    }

    /// Returns the value, which `make` makes if there is none. `kind` is what cannot be used if it fails, as
    /// in "a tool".
    ///
    /// # Errors
    ///
    /// The value cannot be made. The reason is logged, once.
    pub(super) fn get(
        &self,
        kind: &str,
        make: impl FnOnce() -> Result<T, BuildError>,
    ) -> Result<&T, ProtocolError> {
        let made = self.made.get_or_init(|| {
            make()
                .inspect_err(|error| tracing::error!(%error, "{kind} cannot be used"))
                .ok()
        });
        made.as_ref().ok_or(ProtocolError::Internal)
    }
}
