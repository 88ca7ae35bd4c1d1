//! `contact`: sends the person a message by e-mail. The only tool that has an effect.

use std::sync::Arc;

use lambda_mcp::content::ToolAnnotations;
use lambda_mcp::handler::{Elicited, NeedsInput};
use lambda_mcp::server::Tool;
use lambda_mcp::{Args, AskingContext, Context, Json, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::about::About;
use crate::contact::{
    Caller, Confirm, ContactSettings, Delivered, EmailAddress, Mail, Mailbox, Mailer, Message,
    Outcome, SentLog, Unsendable, deliver,
};

pub(crate) const ABOUT: About = About {
    name: "contact",
    title: "Send a message",
    description: "Sends the person a message by e-mail, such as an offer, a question or an \
        invitation. Use it when the user wants to get in touch. Include what the person should \
        know and how to reply. The message is sent immediately and cannot be recalled: call this \
        tool only if the user wants the message sent, and only once per message.",
};

pub(super) const NOT_CONFIRMED: &str = "Nothing was sent: the user did not confirm the message. Do \
     not send it again unless the user asks for it.";

/// Sends messages to the owner through the configured mail service.
#[derive(Debug)]
pub(crate) struct ContactService {
    pub(super) mailer: Box<dyn Mailer>,
    pub(super) sent_log: Box<dyn SentLog>,
    from: Mailbox,
    to: EmailAddress,
    pub(super) confirm: Confirm,
    /// The person's name.
    pub(super) person: String,
}

impl ContactService {
    /// Creates the service. It connects when the first message is sent.
    pub(crate) fn new(settings: &ContactSettings, person: String) -> Self {
        Self {
            mailer: settings.mailer(),
            sent_log: settings.sent_log(),
            from: settings.from.clone(),
            to: settings.to.clone(),
            confirm: settings.confirm,
            person,
        }
    }

    /// Asks the user to confirm the message, if the client can be asked.
    pub(super) fn is_confirmed(
        &self,
        context: &AskingContext,
        mail: &Mail,
    ) -> Result<bool, NeedsInput> {
        if !context.can_elicit() {
            return Ok(true);
        }
        let question = format!(
            "Send this message to {}? It cannot be recalled.\n\n{}",
            self.person,
            mail.text()
        );
        let answer = context.elicit::<Consent>("consent", &question)?;
        Ok(matches!(answer, Elicited::Accept(Consent { send: true })))
    }

    /// The e-mail of a message.
    pub(super) fn mail(&self, caller: Option<Caller>, message: Message) -> Mail {
        Mail::compose(message, caller, &self.from, &self.to)
    }

    /// The answer after a message was sent.
    pub(super) fn answer<S>(&self, mail: &Mail, delivered: Delivered, status: S) -> Answer<S> {
        let person = &self.person;
        let sent = match delivered {
            Delivered::Now => format!("The message to {person} was accepted for delivery."),
            Delivered::Before => format!(
                "The same message to {person} was sent a few minutes ago; it was not sent again."
            ),
        };
        let reply_to = mail.reply_to().map(|address| address.as_str().to_owned());
        let reply = match &reply_to {
            Some(address) => format!("A reply goes to {address}."),
            None => format!(
                "No single e-mail address was recognized in `contact`: {person} sees `contact` as \
                 it is, but cannot simply reply to the e-mail."
            ),
        };
        Answer {
            status,
            reference: Some(mail.reference().to_owned()),
            reply_to,
            note: format!("{sent} {reply} Do not send it again."),
        }
    }

    /// The tool error for a failure: what happened, and what the model can do about it.
    pub(super) fn error_text(&self, outcome: Outcome) -> String {
        let person = &self.person;
        let otherwise = format!("get_manifest lists other ways to reach {person}");
        match outcome {
            Outcome::Refused => format!(
                "The message was not sent: the mail service rejected it. Nothing was delivered. Do \
                 not retry; {otherwise}."
            ),
            Outcome::NotTaken => format!(
                "The message was not sent: the mail service is temporarily unavailable. Nothing \
                 was delivered. Retry once in a few minutes; {otherwise}."
            ),
            Outcome::Unknown {
                is_repeatable: true,
            } => format!(
                "It is not known whether the message was sent: the mail service did not confirm \
                 it. Retry in one minute with exactly the same arguments: the message cannot be \
                 delivered twice. If the retry fails, {otherwise}."
            ),
            Outcome::Unknown {
                is_repeatable: false,
            } => format!(
                "It is not known whether the message was sent: the mail service did not confirm \
                 it. The same message is not sent again for ten minutes. After that, a retry may \
                 deliver it twice: ask the user first; {otherwise}."
            ),
        }
    }
}

/// Arguments of `contact`, as the client sends them.
#[derive(Debug, Deserialize, JsonSchema)]
struct Contact {
    /// The message as plain text: who writes, what they want, and by when.
    #[schemars(length(min = 1, max = 4000))]
    brief: String,
    /// How the person can reply: preferably one e-mail address, which then receives the reply;
    /// otherwise a phone number or a link.
    #[schemars(length(min = 1, max = 160))]
    contact: String,
    /// The sender's name.
    #[schemars(length(max = 100))]
    name: Option<String>,
}

/// Arguments of `contact` after all checks.
///
/// The checks are part of reading the arguments: a message that cannot be sent does not count
/// against a limit, and the user is not asked about it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Contact")]
pub(super) struct Checked(#[schemars(with = "Contact")] pub(super) Message);

impl TryFrom<Contact> for Checked {
    type Error = Unsendable;

    fn try_from(arguments: Contact) -> Result<Self, Unsendable> {
        let Contact {
            brief,
            contact,
            name,
        } = arguments;
        Message::new(&brief, &contact, name.as_deref()).map(Self)
    }
}

/// The caller of a request, for the mail.
pub(super) fn caller(context: &Context) -> Option<Caller> {
    let principal = context.principal();
    principal.map(|principal| Caller::new(principal.id(), principal.subject()))
}

/// The answer of `contact`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Answer")]
pub(super) struct Answer<S = Status> {
    /// Whether the message was sent.
    pub(super) status: S,
    /// Reference of the message. Absent if no message was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) reference: Option<String>,
    /// The e-mail address that receives the reply. Absent if no address was recognized in
    /// `contact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) reply_to: Option<String>,
    /// What to tell the user.
    pub(super) note: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    /// The mail service accepted the message.
    Sent,
    /// The user did not confirm the message. No message was sent.
    NotSent,
}

/// The user's answer.
#[derive(Debug, Deserialize, JsonSchema)]
struct Consent {
    /// Whether the message may be sent.
    send: bool,
}

/// Builds the tool.
pub(crate) fn tool(service: Arc<ContactService>) -> Tool<()> {
    let tool = match service.confirm {
        Confirm::Ask => lambda_mcp::tool(
            ABOUT.name,
            move |context: AskingContext, Args(Checked(message)): Args<Checked>| {
                let service = Arc::clone(&service);
                async move { send_confirmed(&service, &context, message).await }
            },
        ),
        Confirm::Never => lambda_mcp::tool(
            ABOUT.name,
            move |context: Context, Args(Checked(message)): Args<Checked>| {
                let service = Arc::clone(&service);
                async move {
                    let mail = service.mail(caller(&context), message);
                    send(&service, &context, &mail).await
                }
            },
        ),
    };
    described(tool)
}

/// Adds what clients read about the tool.
pub(super) fn described(tool: Tool<()>) -> Tool<()> {
    let mut annotations = ToolAnnotations::default();
    annotations.read_only_hint = Some(false);
    annotations.destructive_hint = Some(false);
    // A repeated message is recognized for a limited time only.
    annotations.idempotent_hint = Some(false);
    annotations.open_world_hint = Some(true);
    tool.title(ABOUT.title)
        .description(ABOUT.description)
        .annotations(annotations)
}

/// Sends a message that the user confirmed.
async fn send_confirmed(
    service: &ContactService,
    context: &AskingContext,
    message: Message,
) -> Result<Json<Answer>, ToolError> {
    let mail = service.mail(caller(context), message);
    if !service.is_confirmed(context, &mail)? {
        return Ok(Json(Answer {
            status: Status::NotSent,
            reference: None,
            reply_to: None,
            note: NOT_CONFIRMED.to_owned(),
        }));
    }
    send(service, context, &mail).await
}

async fn send(
    service: &ContactService,
    context: &Context,
    mail: &Mail,
) -> Result<Json<Answer>, ToolError> {
    let (mailer, sent_log) = (&*service.mailer, &*service.sent_log);
    match deliver(mailer, sent_log, mail, context.time_left()).await {
        Ok(delivered) => Ok(Json(service.answer(mail, delivered, Status::Sent))),
        Err(failure) => {
            let text = service.error_text(failure.outcome());
            Err(ToolError::new(text).source(failure))
        }
    }
}
