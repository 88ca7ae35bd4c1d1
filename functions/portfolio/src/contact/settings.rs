//! [`ContactSettings`]: how messages are delivered, to whom, and who may send them.

use std::path::PathBuf;

use super::address::{EmailAddress, Mailbox};
#[cfg(feature = "resend")]
use super::https::BaseUrl;
use super::mailer::Mailer;
use super::outbox::Outbox;
#[cfg(feature = "resend")]
use super::resend::Resend;
#[cfg(feature = "resend")]
use super::secret::SecretSource;
#[cfg(feature = "dynamodb")]
use super::sent::DynamoDbSentLog;
use super::sent::{MemorySentLog, SentLog};
#[cfg(feature = "ses")]
use super::ses::Ses;

/// How messages are delivered, to whom, and who may send them.
#[derive(Debug)]
pub(crate) struct ContactSettings {
    pub(crate) provider: Provider,
    pub(crate) to: EmailAddress,
    pub(crate) from: Mailbox,
    pub(crate) confirm: Confirm,
    pub(crate) auth: ContactAuth,
    /// The DynamoDB table that recognizes repeated messages. `None`: they are recognized in the
    /// memory of this process.
    pub(crate) table: Option<String>,
}

/// Whether the user is asked to confirm a message, where the client supports it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Confirm {
    /// The user is asked.
    Ask,
    /// The user is not asked.
    #[default]
    Never,
}

/// Whether `contact` requires a credential.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ContactAuth {
    /// A bearer credential is required.
    #[default]
    Bearer,
    /// No credential is required. A valid one is recognized: its holder is named in the mail, is
    /// counted by itself, and may use the reserve of a limit.
    None,
}

/// The mail service, with its own settings.
#[derive(Debug)]
pub(crate) enum Provider {
    #[cfg(feature = "resend")]
    Resend {
        /// The URL of Resend's API.
        base_url: BaseUrl,
        api_key: SecretSource,
    },
    #[cfg(feature = "ses")]
    Ses,
    Log {
        /// The file that messages are appended to.
        outbox: PathBuf,
    },
}

impl ContactSettings {
    /// Returns a client of the mail service. It connects when the first mail is sent.
    pub(crate) fn mailer(&self) -> Box<dyn Mailer> {
        match &self.provider {
            #[cfg(feature = "resend")]
            Provider::Resend { base_url, api_key } => {
                Box::new(Resend::new(base_url.clone(), api_key.clone()))
            }
            #[cfg(feature = "ses")]
            Provider::Ses => Box::new(Ses::default()),
            Provider::Log { outbox } => Box::new(Outbox::new(outbox.clone())),
        }
    }

    /// Returns the log of sent messages. It connects when the first mail is claimed.
    pub(crate) fn sent_log(&self) -> Box<dyn SentLog> {
        match &self.table {
            #[cfg(feature = "dynamodb")]
            Some(table) => Box::new(DynamoDbSentLog::new(table.clone())),
            #[cfg(not(feature = "dynamodb"))]
            Some(_) => Box::new(MemorySentLog::default()),
            None => Box::new(MemorySentLog::default()),
        }
    }
}
