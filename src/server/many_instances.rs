//! [`ManyInstancesError`]: why a server runs only as one process.

use std::fmt;

use thiserror::Error;

use crate::server::state_key::NoSharedKey;

/// Why a server cannot run as several instances.
///
/// Returned by [`Server::check_for_many_instances`](crate::Server::check_for_many_instances).
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ManyInstancesError {
    /// Its handlers ask their clients, and the instances share no key.
    #[error(transparent)]
    NoSharedKey(#[from] NoSharedKey),
    /// Its tasks run in one process: other instances do not know them, and they end with it.
    #[error(
        "the tasks of the server run in the memory of one process, which other instances do not know \
         and AWS Lambda stops after each response: use another engine than `Tasks::local`"
    )]
    LocalTasks,
}

/// A program whose `main` returns the error prints it in this form: the message says what to do.
impl fmt::Debug for ManyInstancesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
