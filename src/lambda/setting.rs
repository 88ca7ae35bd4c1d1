//! Errors of settings, as an [`Error`] of the function: so that `?` takes them in `main`.

use super::Error;
use crate::auth::{InvalidApiKeys, InvalidHttpsUrl, InvalidScopes, RandomSourceError};
use crate::lambda::InvalidLogLevel;
use crate::limit::{InvalidRule, InvalidRules, InvalidTarget};
use crate::server::{
    InvalidHeaderOnlyRequests, InvalidHosts, InvalidOrigins, InvalidRequestStateKey,
};
use crate::wire::version::UnsupportedVersion;

macro_rules! settings {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::Setting(Box::new(error))
            }
        }
    )*};
}

settings!(
    InvalidApiKeys,
    InvalidHeaderOnlyRequests,
    InvalidHosts,
    InvalidHttpsUrl,
    InvalidLogLevel,
    InvalidOrigins,
    InvalidRequestStateKey,
    InvalidRule,
    InvalidRules,
    InvalidScopes,
    InvalidTarget,
    RandomSourceError,
    UnsupportedVersion,
);

#[cfg(feature = "jwt")]
settings!(crate::auth::InvalidJwtKeys);
