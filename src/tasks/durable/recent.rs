//! [`Recent`]: states that were read a moment ago.
//!
//! AWS limits the reads of an account, and clients poll. Within a second, an instance answers from
//! here. What is remembered is right or a second old: nothing depends on it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::tasks::state::{End, State, View};

/// How long a state is remembered.
const AGE: Duration = Duration::from_secs(1);
/// The most states that are remembered.
const MOST: usize = 100;
/// The largest result that is remembered.
const LARGEST: usize = 16 * 1024;

/// States that were read a moment ago, by the reference of the task.
#[derive(Debug, Default)]
pub(super) struct Recent(Mutex<HashMap<String, (Instant, View)>>);

impl Recent {
    fn views(&self) -> MutexGuard<'_, HashMap<String, (Instant, View)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, if it was read within the last second. If `is_enough` is false, only a state that no
    /// longer changes.
    pub(super) fn get(&self, reference: &str, is_enough: bool) -> Option<View> {
        let views = self.views();
        let (at, view) = views.get(reference)?;
        let is_final = matches!(view.state, State::Ended(_));
        (at.elapsed() < AGE && (is_enough || is_final)).then(|| view.clone())
    }

    pub(super) fn put(&self, reference: &str, view: &View) {
        if let State::Ended(End::Completed(result)) = &view.state
            && result.get().len() > LARGEST
        {
            return;
        }
        let mut views = self.views();
        if views.len() >= MOST {
            views.retain(|_, (at, _)| at.elapsed() < AGE);
        }
        if views.len() < MOST {
            views.insert(reference.to_owned(), (Instant::now(), view.clone()));
        }
    }

    /// Forgets a state that a request changed.
    pub(super) fn forget(&self, reference: &str) {
        self.views().remove(reference);
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use serde_json::value::RawValue;

    use super::*;

    fn view(state: State) -> View {
        View {
            state,
            message: None,
            updated_at: SystemTime::UNIX_EPOCH,
        }
    }

    fn completed(bytes: usize) -> View {
        let text = format!("\"{}\"", "x".repeat(bytes));
        let result = RawValue::from_string(text).unwrap();
        view(State::Ended(End::Completed(result)))
    }

    #[tokio::test(start_paused = true)]
    async fn a_state_is_remembered_for_a_second() {
        let recent = Recent::default();
        recent.put("working", &view(State::Working));
        recent.put("ended", &completed(10));
        recent.put("large", &completed(LARGEST));
        assert!(recent.get("working", true).is_some());
        // A caller that waits for a change does not get an old state.
        assert!(recent.get("working", false).is_none());
        assert!(recent.get("ended", false).is_some());
        assert!(recent.get("large", true).is_none() && recent.get("other", true).is_none());
        recent.forget("ended");
        assert!(recent.get("ended", true).is_none());
        tokio::time::advance(AGE).await;
        assert!(recent.get("working", true).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn the_memory_is_bounded() {
        let recent = Recent::default();
        for number in 0..10 * MOST {
            recent.put(&number.to_string(), &view(State::Working));
        }
        assert_eq!(recent.views().len(), MOST);
        tokio::time::advance(AGE).await;
        recent.put("new", &view(State::Working));
        assert_eq!(recent.views().len(), 1);
    }
}
