//! Tests of attempts and their time, with a scripted mail service and a paused clock.

use std::sync::Mutex;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::*;
use crate::contact::sent::MemorySentLog;
use crate::contact::{EmailAddress, Mailbox, Message};

const SAFE: Outcome = Outcome::Unknown {
    is_repeatable: true,
};
const PAUSE: Duration = Duration::from_millis(200);

/// An attempt: its duration and its result.
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
            let (time, result) = self
                .steps
                .lock()
                .unwrap()
                .pop()
                .expect("a scripted attempt");
            sleep(time).await;
            result
        }
        .boxed()
    }
}

fn mail() -> Mail {
    let message = Message::new("b", "c", None).unwrap();
    let to = EmailAddress::local();
    Mail::compose(message, None, &Mailbox::from(to.clone()), &to)
}

fn failure(outcome: Outcome, pause: Option<Duration>) -> Result<Receipt, Failure> {
    Err(Failure::new(outcome, "x").again_after(pause))
}

/// Returns the number of attempts, their duration, and the outcome if they failed.
async fn run(script: &Script, time_left: Duration) -> (usize, Duration, Option<Outcome>) {
    let started = Instant::now();
    let result = deliver(script, &MemorySentLog::default(), &mail(), time_left).await;
    let keys = script.keys.lock().unwrap();
    assert!(keys.iter().all(|key| *key == mail().key));
    let outcome = result.err().map(|failure| failure.outcome());
    (keys.len(), started.elapsed(), outcome)
}

#[tokio::test(start_paused = true)]
async fn a_second_attempt_is_made_only_where_it_is_safe() {
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
async fn a_silent_service_times_out_after_four_seconds_without_a_retry() {
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
async fn both_attempts_end_within_the_time_of_the_call() {
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
    // There is too little time for a second attempt.
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

#[tokio::test(start_paused = true)]
async fn without_idempotency_keys_a_mail_is_sent_again_only_if_it_was_certainly_not_sent() {
    let ms = Duration::from_millis(10);
    let sent = || (ms, Ok(Receipt::default()));
    let rows = [
        (sent(), Ok(Delivered::Before), 1),
        ((ms, failure(UNKNOWN, None)), Err(UNKNOWN), 1),
        ((ms, failure(Outcome::Refused, None)), Ok(Delivered::Now), 2),
        (
            (ms, failure(Outcome::NotTaken, None)),
            Ok(Delivered::Now),
            2,
        ),
    ];
    for (row, (first, second, attempts)) in rows.into_iter().enumerate() {
        let mut script = Script::new([first, sent()]);
        script.knows_repeats = false;
        let log = MemorySentLog::default();
        let deliver = async || {
            let result = deliver(&script, &log, &mail(), ALL).await;
            result.map_err(|failure| failure.outcome())
        };
        let _first = deliver().await;
        assert_eq!(deliver().await, second, "row {row}");
        assert_eq!(script.keys.lock().unwrap().len(), attempts, "row {row}");
    }
}

#[tokio::test(start_paused = true)]
async fn two_calls_at_once_send_one_mail() {
    let mut script = Script::new([(Duration::from_secs(1), Ok(Receipt::default()))]);
    script.knows_repeats = false;
    let (log, mail) = (MemorySentLog::default(), mail());
    let call = || deliver(&script, &log, &mail, ALL);
    let (first, second) = tokio::join!(call(), call());
    assert_eq!(first, Ok(Delivered::Now));
    assert_eq!(second.unwrap_err().outcome(), UNKNOWN);
}
