//! [`Record`]: the states of a task and the changes between them. Specification: *Task Status*.
//!
//! ```text
//! working <-> input_required
//!    │              │
//!    └──────┬───────┘
//!           ▼
//! completed, failed or cancelled; nothing changes afterwards
//! ```

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::wire::tasks::TaskFailure;

/// How a task ended.
#[derive(Debug, Clone)]
pub(crate) enum End {
    /// The tool returned: its result as JSON, possibly with `isError`.
    Completed(Box<RawValue>),
    /// The call ended with a JSON-RPC error.
    Failed(TaskFailure),
    /// The client cancelled it.
    Cancelled,
}

/// The state of a task, as a client sees it.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) state: State,
    /// What the task is doing.
    pub(crate) message: Option<String>,
    /// When the state last changed.
    pub(crate) updated_at: SystemTime,
}

/// The state of a task.
#[derive(Debug, Clone)]
pub(crate) enum State {
    Working,
    /// The open questions, by key.
    InputRequired(Map<String, Value>),
    Ended(End),
}

/// Everything that is known of one task.
#[derive(Debug)]
pub(crate) struct Record {
    message: Option<String>,
    /// Questions without an answer, in the order in which they were put.
    open: Map<String, Value>,
    /// Answers that the task has not taken yet.
    answers: HashMap<String, Value>,
    end: Option<End>,
    updated_at: SystemTime,
}

impl Record {
    /// A task that starts.
    pub(crate) fn new(now: SystemTime) -> Self {
        Self {
            message: None,
            open: Map::new(),
            answers: HashMap::new(),
            end: None,
            updated_at: now,
        }
    }

    /// Sets what the task is doing.
    pub(crate) fn report(&mut self, message: String, now: SystemTime) {
        if self.end.is_none() {
            self.message = Some(message);
            self.updated_at = now;
        }
    }

    /// Puts questions.
    pub(crate) fn ask(&mut self, questions: Vec<(String, Value)>, now: SystemTime) {
        if self.end.is_none() {
            self.open.extend(questions);
            self.updated_at = now;
        }
    }

    /// Takes an answer. One that nobody waits for is ignored: it was never asked for, or answered
    /// before. Returns whether the answer was taken.
    pub(crate) fn answer(&mut self, key: &str, answer: Value, now: SystemTime) -> bool {
        if self.open.shift_remove(key).is_none() {
            return false;
        }
        self.answers.insert(key.to_owned(), answer);
        self.updated_at = now;
        true
    }

    /// Returns the answers to these questions once all of them are there.
    pub(crate) fn take_answers(&mut self, keys: &[String]) -> Option<Vec<Value>> {
        if !keys.iter().all(|key| self.answers.contains_key(key)) {
            return None;
        }
        keys.iter().map(|key| self.answers.remove(key)).collect()
    }

    /// Ends the task. The first end counts. Returns whether this is it.
    pub(crate) fn end(&mut self, end: End, now: SystemTime) -> bool {
        if self.end.is_some() {
            return false;
        }
        self.open.clear();
        self.answers.clear();
        self.end = Some(end);
        self.updated_at = now;
        true
    }

    /// The state as a client sees it.
    pub(crate) fn view(&self) -> View {
        let state = match &self.end {
            Some(end) => State::Ended(end.clone()),
            None if self.open.is_empty() => State::Working,
            None => State::InputRequired(self.open.clone()),
        };
        View {
            state,
            message: self.message.clone(),
            updated_at: self.updated_at,
        }
    }
}

/// How long a client should wait before it asks again: a tenth of the task's age, from 1 s to 30 s.
pub(crate) fn poll_interval(age: Duration) -> Duration {
    const SHORTEST: Duration = Duration::from_secs(1);
    const LONGEST: Duration = Duration::from_secs(30);
    (age / 10).clamp(SHORTEST, LONGEST)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn the_poll_interval_grows_with_age() {
        let rows = [
            (0, 1000),
            (5, 1000),
            (10, 1000),
            (50, 5000),
            (300, 30_000),
            (9000, 30_000),
        ];
        for (age_s, expected_ms) in rows {
            let interval = poll_interval(Duration::from_secs(age_s));
            assert_eq!(interval.as_millis(), expected_ms, "{age_s} s");
        }
    }

    #[derive(Debug, Clone)]
    enum Change {
        Report(u8),
        Ask(u8),
        Answer(u8),
        Take(u8),
        End(u8),
    }

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            any::<u8>().prop_map(Change::Report),
            (0_u8..4).prop_map(Change::Ask),
            (0_u8..4).prop_map(Change::Answer),
            (0_u8..4).prop_map(Change::Take),
            (0_u8..12).prop_map(Change::End),
        ]
    }

    fn name(state: &State) -> String {
        match state {
            State::Working => "working".to_owned(),
            State::InputRequired(open) => format!("input_required {:?}", open.keys()),
            State::Ended(End::Completed(json)) => format!("completed {json}"),
            State::Ended(End::Failed(failure)) => format!("failed {failure:?}"),
            State::Ended(End::Cancelled) => "cancelled".to_owned(),
        }
    }

    proptest! {
        /// A model of the record: the open keys, the answered keys and the end.
        #[test]
        fn every_sequence_of_changes_follows_the_diagram(
            changes in proptest::collection::vec(change(), 0..40),
        ) {
            let mut record = Record::new(at(0));
            let mut open: Vec<String> = Vec::new();
            let mut answered: Vec<String> = Vec::new();
            let mut ended: Option<String> = None;
            let mut message = None;
            let mut asked = 0;
            for (time, change) in (1..).zip(changes) {
                let before = record.view();
                match change {
                    Change::Report(text) => {
                        record.report(text.to_string(), at(time));
                        if ended.is_none() {
                            message = Some(text.to_string());
                        }
                    }
                    Change::Ask(count) => {
                        // Keys are unique over the life of a task.
                        let keys: Vec<String> = (0..count).map(|n| format!("q{}", asked + n)).collect();
                        asked += count;
                        record.ask(keys.iter().map(|key| (key.clone(), json!({}))).collect(), at(time));
                        if ended.is_none() {
                            open.extend(keys);
                        }
                    }
                    Change::Answer(key) => {
                        let key = format!("q{key}");
                        let taken = record.answer(&key, json!(time), at(time));
                        prop_assert_eq!(taken, open.contains(&key));
                        if taken {
                            open.retain(|known| *known != key);
                            answered.push(key);
                        }
                    }
                    Change::Take(key) => {
                        let key = format!("q{key}");
                        let taken = record.take_answers(std::slice::from_ref(&key));
                        prop_assert_eq!(taken.is_some(), answered.contains(&key));
                        answered.retain(|known| *known != key);
                    }
                    Change::End(kind) => {
                        let end = match kind {
                            0 => End::Completed(RawValue::from_string("1".to_owned()).unwrap()),
                            1 => End::Failed(TaskFailure { code: 0, message: String::new(), data: None }),
                            2 => End::Cancelled,
                            _ => continue,
                        };
                        let state = name(&State::Ended(end.clone()));
                        prop_assert_eq!(record.end(end, at(time)), ended.is_none());
                        ended.get_or_insert(state);
                        open.clear();
                        answered.clear();
                    }
                }
                let view = record.view();
                let state = name(&view.state);
                match &ended {
                    Some(ended) => prop_assert_eq!(&state, ended),
                    None if open.is_empty() => prop_assert_eq!(&state, "working"),
                    None => {
                        let State::InputRequired(shown) = &view.state else {
                            return Err(TestCaseError::fail(state));
                        };
                        prop_assert_eq!(shown.keys().collect::<Vec<_>>(), open.iter().collect::<Vec<_>>());
                    }
                }
                prop_assert_eq!(&view.message, &message);
                prop_assert!(view.updated_at >= before.updated_at);
                if state != name(&before.state) {
                    prop_assert_eq!(view.updated_at, at(time));
                }
            }
        }
    }
}
