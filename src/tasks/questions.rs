//! [`Questions`]: several questions that are put together.

use serde_json::Value;

use crate::error::{ProtocolError, ToolError};
use crate::handler::{Question, Unusable};
use crate::tasks::stop::Stop;
use crate::wire::capabilities::ClientCapabilities;

/// One [`Question`], or several that are put at once: a tuple of up to four, or a `Vec` of one type.
///
/// [`Task::ask_all`](crate::Task::ask_all) takes it. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of questions",
    note = "`ask_all` takes a tuple of two to four `Question`s, or a `Vec` of `Question`s"
)]
pub trait Questions: sealed::Questions {}

impl<Q: sealed::Questions> Questions for Q {}

/// A question without the type of its answer.
pub(crate) trait Ask: Sync {
    fn key(&self) -> &str;
    fn needs(&self) -> &ClientCapabilities;
    fn fault(&self) -> Option<&str>;
    fn request(&self, wrong: Option<&str>) -> Value;
    /// Whether an answer can be used.
    fn check(&self, answer: &Value) -> Result<(), Unusable>;
}

impl<T> Ask for Question<T> {
    fn key(&self) -> &str {
        self.key()
    }

    fn needs(&self) -> &ClientCapabilities {
        self.needs()
    }

    fn fault(&self) -> Option<&str> {
        self.fault()
    }

    fn request(&self, wrong: Option<&str>) -> Value {
        self.request(wrong)
    }

    fn check(&self, answer: &Value) -> Result<(), Unusable> {
        self.read(answer).map(drop)
    }
}

/// Checks that the client can be asked.
pub(super) fn check(
    questions: &[&dyn Ask],
    supported: &ClientCapabilities,
) -> Result<(), ToolError> {
    let mut missing = ClientCapabilities::default();
    for question in questions {
        if let Some(fault) = question.fault() {
            tracing::error!(fault, "a question cannot be put to a client");
            return Err(Stop::from(ProtocolError::Internal).into());
        }
        if !supported.covers(question.needs()) {
            missing.merge(question.needs().clone());
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(Stop::from(ProtocolError::MissingClientCapability { required: missing }).into())
}

pub(crate) mod sealed {
    use super::{Ask, Question, Value};
    use crate::handler::{Context, NeedsInput};

    /// What the crate does with [`Questions`](super::Questions).
    pub trait Questions: Send + Sync {
        /// The answers, in the order of the questions.
        type Answers;

        /// The questions, in their order.
        #[expect(private_interfaces, reason = "the trait is sealed")]
        fn each(&self) -> Vec<&dyn Ask>;

        /// Reads answers that were checked. `None` if one is missing or cannot be read.
        fn read(&self, answers: &[Value]) -> Option<Self::Answers>;

        /// Puts the questions within the call, all of them in one round.
        ///
        /// # Errors
        ///
        /// An answer is missing.
        fn put(&self, context: &Context) -> Result<Self::Answers, NeedsInput>;
    }

    impl<T> Questions for Question<T> {
        type Answers = T;

        #[expect(private_interfaces, reason = "the trait is sealed")]
        fn each(&self) -> Vec<&dyn Ask> {
            vec![self]
        }

        fn read(&self, answers: &[Value]) -> Option<T> {
            self.read(answers.first()?).ok()
        }

        fn put(&self, context: &Context) -> Result<T, NeedsInput> {
            context.put(self)
        }
    }

    impl<T> Questions for Vec<Question<T>> {
        type Answers = Vec<T>;

        #[expect(private_interfaces, reason = "the trait is sealed")]
        fn each(&self) -> Vec<&dyn Ask> {
            self.iter().map(|question| question as _).collect()
        }

        fn read(&self, answers: &[Value]) -> Option<Vec<T>> {
            let pairs = self.iter().zip(answers);
            let read: Option<Vec<T>> = pairs.map(|(q, answer)| q.read(answer).ok()).collect();
            read.filter(|read| read.len() == self.len())
        }

        fn put(&self, context: &Context) -> Result<Vec<T>, NeedsInput> {
            // All are put before the first error is passed on.
            let put: Vec<_> = self.iter().map(|question| context.put(question)).collect();
            put.into_iter().collect()
        }
    }

    macro_rules! tuple {
        ($($answer:ident $place:tt),+) => {
            impl<$($answer),+> Questions for ($(Question<$answer>,)+) {
                type Answers = ($($answer,)+);

                #[expect(private_interfaces, reason = "the trait is sealed")]
                fn each(&self) -> Vec<&dyn Ask> {
                    vec![$(&self.$place),+]
                }

                fn read(&self, answers: &[Value]) -> Option<Self::Answers> {
                    Some(($(self.$place.read(answers.get($place)?).ok()?,)+))
                }

                fn put(&self, context: &Context) -> Result<Self::Answers, NeedsInput> {
                    let put = ($(context.put(&self.$place),)+);
                    Ok(($(put.$place?,)+))
                }
            }
        };
    }

    tuple!(A 0, B 1);
    tuple!(A 0, B 1, C 2);
    tuple!(A 0, B 1, C 2, D 3);
}
