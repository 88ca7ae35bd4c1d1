//! Bounds on the work of one check.
//!
//! The work is proportional to the size of the value and of the schema. The bounds are for what is
//! large in both, and keep a check within the deadline of its call.

use std::time::Instant;

/// Maximum number of steps of one check. A step takes 100 to 400 instructions for most keywords
/// (`make bench-validation`), so the steps alone bound a check to some seconds; the deadline of the call
/// ends it sooner. A body of 6 MB takes at most 10 million steps against a schema of one type.
const MAX_STEPS: u64 = 20_000_000;

/// The clock is read once in this many steps, which is every few milliseconds.
const CLOCK_INTERVAL: u64 = 1 << 14;

/// The work that one check may do.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    left: u64,
    deadline: Option<Instant>,
}

/// Why a check stops early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The value does not match.
    Mismatch,
    /// The budget is spent.
    Exhausted,
}

impl Budget {
    /// A budget for a check within a call that ends at `deadline`.
    pub(crate) const fn until(deadline: Instant) -> Self {
        Self {
            left: MAX_STEPS,
            deadline: Some(deadline),
        }
    }

    /// A budget for a check outside a call.
    pub(crate) const fn steps_only() -> Self {
        Self {
            left: MAX_STEPS,
            deadline: None,
        }
    }

    /// Takes `steps` out of the budget.
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), Stop> {
        let before = self.left;
        self.left = before.checked_sub(steps).ok_or(Stop::Exhausted)?;
        if before / CLOCK_INTERVAL != self.left / CLOCK_INTERVAL
            && self.deadline.is_some_and(|end| Instant::now() >= end)
        {
            self.left = 0;
            return Err(Stop::Exhausted);
        }
        Ok(())
    }

    /// The steps taken so far.
    #[cfg(test)]
    pub(super) const fn spent(&self) -> u64 {
        MAX_STEPS - self.left
    }
}

/// The steps that reading a text takes.
pub(super) const fn text_steps(text: &str) -> u64 {
    1 + text.len() as u64 / 32
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn steps_run_out() {
        let mut budget = Budget::steps_only();
        assert_eq!(budget.spend(MAX_STEPS), Ok(()));
        assert_eq!(budget.spend(1), Err(Stop::Exhausted));
    }

    #[test]
    fn time_runs_out_before_the_steps() {
        let mut budget = Budget::until(Instant::now());
        let spent = (0..=CLOCK_INTERVAL).find(|_| budget.spend(1).is_err());
        assert!(spent.is_some());
        let mut budget = Budget::until(Instant::now() + Duration::from_secs(3600));
        assert_eq!(budget.spend(MAX_STEPS), Ok(()));
    }
}
