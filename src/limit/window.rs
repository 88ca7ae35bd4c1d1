//! [`Window`]: the arithmetic of fixed windows. It reads no clock; the time is passed in.
//!
//! Windows are counted from 1970, so all instances agree on them. If two clocks differ by seconds,
//! calls near the end of a window may fall into different windows. Each window still holds its limit
//! exactly.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The number of parts of a window. Bursts are counted per part.
pub(super) const PARTS: u8 = 10;
/// The shortest time that a counter is kept after its window, for diagnosis.
const MIN_RETENTION_S: u64 = 3600;

/// A fixed window of time, and the tenth of it that a call falls into.
///
/// # Examples
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
///
/// use lambda_mcp::limit::Window;
///
/// let hour = Duration::from_secs(3600);
/// let window = Window::at(hour, UNIX_EPOCH + Duration::from_secs(5400));
/// assert_eq!(window.number(), 1);
/// assert_eq!(window.part(), 5);
/// assert_eq!(window.end(), UNIX_EPOCH + hour * 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    number: u64,
    part: u8,
    length_s: u64,
}

impl Window {
    /// Returns the window of this length that contains `now`. The length is in whole seconds, at
    /// least one.
    #[must_use]
    pub fn at(length: Duration, now: SystemTime) -> Self {
        let length_s = length.as_secs().max(1);
        let length_ms = length_s * 1000;
        let now_ms = since_1970_ms(now);
        let part = now_ms % length_ms * u64::from(PARTS) / length_ms;
        Self {
            number: now_ms / length_ms,
            part: u8::try_from(part).unwrap_or(PARTS - 1),
            length_s,
        }
    }

    /// The number of the window, counted from 1970.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The tenth of the window that the call falls into: 0 to 9.
    #[must_use]
    pub const fn part(&self) -> u8 {
        self.part
    }

    /// The length of the window.
    #[must_use]
    pub const fn length(&self) -> Duration {
        Duration::from_secs(self.length_s)
    }

    /// The start of the next window.
    #[must_use]
    pub fn end(&self) -> SystemTime {
        moment(self.end_s().saturating_mul(1000))
    }

    /// The start of the next tenth.
    #[must_use]
    pub fn part_end(&self) -> SystemTime {
        let part_ms = self.length_s * 1000 / u64::from(PARTS);
        let start_ms = (self.number * self.length_s).saturating_mul(1000);
        moment(start_ms.saturating_add(part_ms * (u64::from(self.part) + 1)))
    }

    /// The time from which a store may delete the counter, in seconds since 1970: at least an hour
    /// after the end of the window.
    ///
    /// Deleting late does no harm. A counter is not used again after its window.
    #[must_use]
    pub fn expires_at_s(&self) -> u64 {
        self.end_s()
            .saturating_add(self.length_s.max(MIN_RETENTION_S))
    }

    const fn end_s(&self) -> u64 {
        (self.number * self.length_s).saturating_add(self.length_s)
    }
}

/// Milliseconds since 1970, or 0 before it.
fn since_1970_ms(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn moment(ms: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(ms)
}

/// Returns the time until `until` in whole seconds, rounded up. At least 1, because 0 would invite
/// clients to loop.
pub(super) fn wait_s(now: SystemTime, until: SystemTime) -> u64 {
    let wait = until.duration_since(now).unwrap_or_default();
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    seconds.max(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at_ms(ms: u64) -> SystemTime {
        moment(ms)
    }

    #[test]
    fn the_start_of_a_window_and_of_a_tenth_belongs_to_it() {
        let hour = Duration::from_secs(3600);
        let rows = [
            (0, 0, 0),
            (359_999, 0, 0),
            (360_000, 0, 1),
            (3_599_999, 0, 9),
            (3_600_000, 1, 0),
            (7_199_999, 1, 9),
        ];
        for (ms, number, part) in rows {
            let window = Window::at(hour, at_ms(ms));
            assert_eq!((window.number(), window.part()), (number, part), "{ms}");
        }
        let last = Window::at(hour, at_ms(3_599_999));
        assert_eq!(last.end(), at_ms(3_600_000));
        assert_eq!(last.part_end(), at_ms(3_600_000));
        assert_eq!(last.expires_at_s(), 7200);
    }

    #[test]
    fn clocks_before_1970_and_far_in_the_future_are_harmless() {
        let before = UNIX_EPOCH - Duration::from_secs(5);
        assert_eq!(Window::at(Duration::from_secs(60), before).number(), 0);
        let late = at_ms(u64::MAX / 2);
        for length_s in [1, 60, 366 * 86_400] {
            let window = Window::at(Duration::from_secs(length_s), late);
            assert!(window.end() > late && window.part_end() > late);
        }
    }

    #[test]
    fn waits_are_rounded_up_to_whole_seconds() {
        let rows = [
            (0, 1000, 1),
            (0, 1001, 2),
            (0, 1, 1),
            (0, 0, 1),
            (5, 0, 1),
            (1, 60_000, 60),
        ];
        for (now, until, seconds) in rows {
            assert_eq!(
                wait_s(at_ms(now), at_ms(until)),
                seconds,
                "{now} to {until}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_window_and_its_tenth_contain_the_moment(
            window_s in 1_u64..100_000,
            ms in 0_u64..4_000_000_000_000,
        ) {
            let length = Duration::from_secs(window_s);
            let window = Window::at(length, at_ms(ms));
            let (start, now) = (window.end() - length, at_ms(ms));
            prop_assert!(start <= now && now < window.end());
            let part = length / 10;
            prop_assert_eq!(start + part * (u32::from(window.part()) + 1), window.part_end());
            prop_assert!(window.part_end() - part <= now && now < window.part_end());
            let kept_until = UNIX_EPOCH + Duration::from_secs(window.expires_at_s());
            prop_assert!(kept_until >= window.end() + length.max(Duration::from_secs(3600)));
        }
    }
}
