//! `contact`: a message to the person, by e-mail. The only tool with an effect.

use std::sync::Arc;

use lambda_mcp::auth::Principal;
use lambda_mcp::content::ToolAnnotations;
use lambda_mcp::handler::{Elicited, NeedsInput};
use lambda_mcp::protocol::Era;
use lambda_mcp::server::Tool;
use lambda_mcp::{Args, Context, Json, ToolError, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::about::About;
use crate::contact::{
    Caller, Confirm, ContactConfig, Draft, EmailAddress, Failure, Mail, Mailbox, Mailer, Message,
    Outcome, deliver,
};

pub(crate) const ABOUT: About = About {
    name: "contact",
    title: "Send a message",
    description: "Sends the person a message by e-mail: an offer, a question, \
    an invitation. Use it when somebody wants to get in touch, with what they want the person to \
    know and how they can be answered. It sends at once and cannot be undone, so call it only when \
    that is wanted, and only once for each message.",
};

/// Where messages are taken and passed on.
#[derive(Debug)]
pub(crate) struct ContactService {
    mailer: Box<dyn Mailer>,
    from: Mailbox,
    to: EmailAddress,
    confirm: Confirm,
    /// The person's name.
    person: String,
}

impl ContactService {
    /// Opens nothing and connects to nothing.
    pub(crate) fn new(config: &ContactConfig, person: String) -> Self {
        Self {
            mailer: config.mailer(),
            from: config.from.clone(),
            to: config.to.clone(),
            confirm: config.confirm,
            person,
        }
    }

    /// Asks the person behind the client, where that is configured and possible.
    fn is_agreed(&self, context: &Context, mail: &Mail) -> Result<bool, NeedsInput> {
        let can_ask = context.protocol_version().era() == Era::Modern
            && context.client_capabilities().supports_form_elicitation();
        if self.confirm == Confirm::Never || !can_ask {
            return Ok(true);
        }
        let question = format!(
            "Send this message to {}? It cannot be taken back.\n\n{}",
            self.person,
            mail.text()
        );
        let answer = context.elicit::<Consent>("consent", &question)?;
        Ok(matches!(answer, Elicited::Accept(Consent { send: true })))
    }

    /// What a model can do about a failure.
    fn words(&self, failure: &Failure) -> String {
        let person = &self.person;
        let otherwise = format!("get_manifest lists other ways to reach {person}");
        match failure.outcome() {
            Outcome::Refused => format!(
                "The message was not sent: this server's mail service does not accept it, and \
                 trying again will not help. Nothing was delivered; {otherwise}."
            ),
            Outcome::NotTaken => format!(
                "The message was not sent: this server's mail service cannot take it at the \
                 moment. Nothing was delivered. Try once more in a few minutes, or use another \
                 way; {otherwise}."
            ),
            Outcome::Unknown {
                is_repeatable: true,
            } => format!(
                "It is not known whether the message was sent: the mail service did not confirm \
                 it. Call again in a minute with exactly the same arguments: that cannot deliver \
                 it twice. If that fails too, {otherwise}."
            ),
            Outcome::Unknown {
                is_repeatable: false,
            } => format!(
                "It is not known whether the message was sent: the mail service did not confirm \
                 it. Sending it again may deliver it twice, so ask the sender first; {otherwise}."
            ),
        }
    }
}

/// Arguments of `contact`.
#[derive(Debug, Deserialize, JsonSchema)]
struct Contact {
    /// The message, in plain text: who writes, what they want, by when.
    #[schemars(length(min = 1, max = 4000))]
    brief: String,
    /// How the person can answer: best one e-mail address, which then gets the reply; or a phone
    /// number or a link.
    #[schemars(length(min = 1, max = 160))]
    contact: String,
    /// The sender's name.
    #[schemars(length(max = 100))]
    name: Option<String>,
}

/// The answer of `contact`.
#[derive(Debug, Serialize, JsonSchema)]
struct Answer {
    /// What became of the message.
    status: Status,
    /// What the message can be named by; absent if nothing was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    reference: Option<String>,
    /// What to tell the sender.
    note: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// The mail service has taken it.
    Sent,
    /// The person behind the client did not agree to it; nothing was sent.
    NotSent,
}

/// What the person behind the client answers.
#[derive(Debug, Deserialize, JsonSchema)]
struct Consent {
    /// Whether the message may be sent.
    send: bool,
}

/// The tool.
pub(crate) fn contact<S: Clone + Send + Sync + 'static>(desk: Arc<ContactService>) -> Tool<S> {
    let mut annotations = ToolAnnotations::default();
    annotations.read_only_hint = Some(false);
    annotations.destructive_hint = Some(false);
    // A repeat is recognised for a day at most, and not by every mail service.
    annotations.idempotent_hint = Some(false);
    annotations.open_world_hint = Some(true);
    let handler = move |context: Context, Args(arguments): Args<Contact>| {
        let desk = Arc::clone(&desk);
        async move { send(&desk, &context, &arguments).await }
    };
    tool(ABOUT.name, handler)
        .title(ABOUT.title)
        .description(ABOUT.description)
        .annotations(annotations)
}

async fn send(
    desk: &ContactService,
    context: &Context,
    arguments: &Contact,
) -> Result<Json<Answer>, ToolError> {
    let principal = context.principal();
    let caller_id = principal.map(Principal::id);
    let draft = Draft {
        brief: &arguments.brief,
        contact: &arguments.contact,
        name: arguments.name.as_deref(),
        caller: principal
            .zip(caller_id.as_deref())
            .map(|(caller, id)| Caller {
                id,
                name: caller.subject(),
            }),
    };
    let message = Message::check(draft).map_err(|fault| ToolError::new(fault.to_string()))?;
    let mail = Mail::compose(message, &desk.from, &desk.to);
    let person = &desk.person;
    if !desk.is_agreed(context, &mail)? {
        return Ok(Json(Answer {
            status: Status::NotSent,
            reference: None,
            note: "Nothing was sent: the person asked did not agree. Do not send it again \
                   without being told to."
                .to_owned(),
        }));
    }
    match deliver(&*desk.mailer, &mail, context.time_left()).await {
        Ok(_) => Ok(Json(Answer {
            status: Status::Sent,
            reference: Some(mail.reference().to_owned()),
            note: format!("The message is on its way to {person}. Do not send it again."),
        })),
        Err(failure) => {
            let words = desk.words(&failure);
            Err(ToolError::new(words).source(failure))
        }
    }
}
