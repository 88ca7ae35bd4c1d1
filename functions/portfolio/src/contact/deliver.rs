//! [`deliver()`]: two attempts at most, and an end to both that the caller can wait for.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::{Failure, Mail, Mailer, Outcome, Receipt};

/// What one attempt may take.
const ATTEMPT: Duration = Duration::from_secs(4);
/// What everything may take: the function has 10 s, and what stands around this needs some of them.
const ALL: Duration = Duration::from_millis(8500);
/// What is kept back of the time that is left, for writing the answer.
const ANSWER: Duration = Duration::from_millis(500);
/// An attempt with less time than this is not worth it.
const LEAST: Duration = Duration::from_secs(1);

/// Hands a mail over, and tries once more where that is worth it and cannot deliver it twice.
///
/// # Errors
///
/// The failure of the last attempt.
pub(crate) async fn deliver(
    mailer: &dyn Mailer,
    mail: &Mail,
    time_left: Duration,
) -> Result<Receipt, Failure> {
    let end = Instant::now() + ALL.min(time_left.saturating_sub(ANSWER));
    let first = match attempt(mailer, mail, end).await {
        Ok(receipt) => return Ok(told(mailer, mail, receipt)),
        Err(failure) => failure,
    };
    let Some(pause) = first
        .pause()
        .filter(|pause| Instant::now() + *pause + LEAST <= end)
    else {
        return Err(first);
    };
    tracing::warn!(
        mailer = mailer.name(),
        reference = mail.reference(),
        error = %first,
        "a mail is tried again"
    );
    sleep(pause).await;
    match attempt(mailer, mail, end).await {
        Ok(receipt) => Ok(told(mailer, mail, receipt)),
        Err(second) => Err(second.second(&first)),
    }
}

async fn attempt(mailer: &dyn Mailer, mail: &Mail, end: Instant) -> Result<Receipt, Failure> {
    let time = ATTEMPT.min(end.saturating_duration_since(Instant::now()));
    timeout(time, mailer.send(mail)).await.unwrap_or_else(|_| {
        let outcome = Outcome::Unknown {
            is_repeatable: mailer.knows_repeats(),
        };
        let cause = format!("{} did not answer within {time:?}", mailer.name());
        Err(Failure::new(outcome, cause))
    })
}

fn told(mailer: &dyn Mailer, mail: &Mail, receipt: Receipt) -> Receipt {
    tracing::info!(
        mailer = mailer.name(),
        reference = mail.reference(),
        mail_id = receipt.id,
        "a mail was taken"
    );
    receipt
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use futures_util::FutureExt as _;
    use futures_util::future::BoxFuture;

    use super::*;
    use crate::contact::{Draft, EmailAddress, Mailbox, Message};

    const SAFE: Outcome = Outcome::Unknown {
        is_repeatable: true,
    };
    const PAUSE: Duration = Duration::from_millis(200);

    /// What an attempt does: how long it takes, and how it ends.
    type Step = (Duration, Result<Receipt, Failure>);

    #[derive(Debug)]
    struct Script {
        steps: Mutex<Vec<Step>>,
        keys: Mutex<Vec<String>>,
        knows_repeats: bool,
    }

    impl Script {
        fn new(steps: impl IntoIterator<Item = Step>) -> Self {
            let mut steps: Vec<_> = steps.into_iter().collect();
            steps.reverse();
            Self {
                steps: Mutex::new(steps),
                keys: Mutex::default(),
                knows_repeats: true,
            }
        }
    }

    impl Mailer for Script {
        fn name(&self) -> &'static str {
            "script"
        }

        fn knows_repeats(&self) -> bool {
            self.knows_repeats
        }

        fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<Receipt, Failure>> {
            async move {
                self.keys.lock().unwrap().push(mail.key.clone());
                let (time, result) = self.steps.lock().unwrap().pop().expect("no attempt more");
                sleep(time).await;
                result
            }
            .boxed()
        }
    }

    fn mail() -> Mail {
        let draft = Draft {
            brief: "b",
            contact: "c",
            name: None,
            caller: None,
        };
        let to = EmailAddress::local();
        Mail::compose(
            Message::check(draft).unwrap(),
            &Mailbox::from(to.clone()),
            &to,
        )
    }

    fn failure(outcome: Outcome, pause: Option<Duration>) -> Result<Receipt, Failure> {
        Err(Failure::new(outcome, "x").again_after(pause))
    }

    /// Ends with so many attempts, after so long, with this outcome.
    async fn run(script: &Script, time_left: Duration) -> (usize, Duration, Option<Outcome>) {
        let started = Instant::now();
        let result = deliver(script, &mail(), time_left).await;
        let keys = script.keys.lock().unwrap();
        assert!(keys.iter().all(|key| *key == mail().key));
        let outcome = result.err().map(|failure| failure.outcome());
        (keys.len(), started.elapsed(), outcome)
    }

    #[tokio::test(start_paused = true)]
    async fn attempts_are_two_at_most_and_only_where_a_second_one_is_safe() {
        let ms = Duration::from_millis;
        let ok = || (ms(10), Ok(Receipt::default()));
        let fails = |outcome, pause| (ms(10), failure(outcome, pause));
        let rows = [
            (vec![ok()], 1, None),
            (
                vec![fails(Outcome::Refused, None)],
                1,
                Some(Outcome::Refused),
            ),
            (vec![fails(SAFE, None)], 1, Some(SAFE)),
            (vec![fails(Outcome::NotTaken, Some(PAUSE)), ok()], 2, None),
            (vec![fails(SAFE, Some(PAUSE)), ok()], 2, None),
            (
                vec![
                    fails(Outcome::NotTaken, Some(PAUSE)),
                    fails(Outcome::NotTaken, Some(PAUSE)),
                ],
                2,
                Some(Outcome::NotTaken),
            ),
            (
                vec![fails(SAFE, Some(PAUSE)), fails(Outcome::NotTaken, None)],
                2,
                Some(SAFE),
            ),
            (
                vec![fails(SAFE, Some(PAUSE)), fails(Outcome::Refused, None)],
                2,
                Some(SAFE),
            ),
            (
                vec![
                    fails(Outcome::NotTaken, Some(PAUSE)),
                    fails(Outcome::Refused, None),
                ],
                2,
                Some(Outcome::Refused),
            ),
        ];
        for (row, (steps, attempts, outcome)) in rows.into_iter().enumerate() {
            let (made, _, ended) = run(&Script::new(steps), ALL * 2).await;
            assert_eq!((made, ended), (attempts, outcome), "row {row}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn silence_ends_after_four_seconds_and_is_not_tried_again() {
        let silent = || (Duration::from_secs(60), Ok(Receipt::default()));
        let mut script = Script::new([silent()]);
        assert_eq!(run(&script, ALL * 2).await, (1, ATTEMPT, Some(SAFE)));
        script = Script::new([silent()]);
        script.knows_repeats = false;
        let open = Outcome::Unknown {
            is_repeatable: false,
        };
        assert_eq!(run(&script, ALL * 2).await, (1, ATTEMPT, Some(open)));
    }

    #[tokio::test(start_paused = true)]
    async fn everything_ends_before_the_function_does() {
        let slow = |outcome| {
            (
                ATTEMPT - Duration::from_millis(1),
                failure(outcome, Some(PAUSE)),
            )
        };
        let longest = Duration::from_secs(2);
        let steps = [
            (
                ATTEMPT - Duration::from_millis(1),
                failure(Outcome::NotTaken, Some(longest)),
            ),
            (Duration::from_secs(60), Ok(Receipt::default())),
        ];
        let (attempts, elapsed, outcome) = run(&Script::new(steps), Duration::from_secs(25)).await;
        assert_eq!((attempts, outcome), (2, Some(SAFE)));
        assert_eq!(elapsed, ALL);
        // Too little time for a second attempt, or for the first one.
        let script = Script::new([slow(Outcome::NotTaken)]);
        let (attempts, elapsed, _) = run(&script, Duration::from_secs(5)).await;
        assert_eq!(attempts, 1);
        assert!(elapsed < Duration::from_millis(4500), "{elapsed:?}");
        let script = Script::new([(Duration::from_secs(60), Ok(Receipt::default()))]);
        let (_, elapsed, outcome) = run(&script, Duration::from_secs(2)).await;
        assert_eq!(
            (elapsed, outcome),
            (Duration::from_millis(1500), Some(SAFE))
        );
    }
}
