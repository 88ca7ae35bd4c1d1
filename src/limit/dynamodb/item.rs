//! The layout of the table: which counters share an item, and the expressions that count in it.
//!
//! The counters of one owner and bucket share an item if their windows nest: an item has one write
//! and one decision, however many counters it holds. The item is keyed by its longest window. A
//! shorter window must divide it exactly, so that no window lies in two items, and must not split it
//! into too many parts, because DynamoDB bills a write by the size of the item.
//!
//! ```text
//! pk          rl#<bucket length>:<bucket>#<owner>#<longest window s>#<number>
//! hits, s<p>  calls in the longest window, and in its tenth p
//! h<w>.<n>    calls in the n-th window of w seconds; h<w>.<n>.<p> in its tenth p
//! expires_at  for DynamoDB's time to live
//! ```
//!
//! Tenths are counted only where a rule has a burst.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;

use crate::limit::counter::{Count, Counter};

/// The most attributes that a shorter window may need in an item: an item of one write unit has
/// 1 KB.
const MAX_NESTED_ATTRIBUTES: u64 = 60;
const EXPIRES_AT: &str = "expires_at";

/// An item, and the counters of a call that it holds.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) key: String,
    expires_at_s: u64,
    slots: Vec<Slot>,
}

/// A counter in an item.
#[derive(Debug)]
struct Slot {
    /// The index of the counter in the call.
    index: usize,
    /// The attribute that counts the window.
    window: String,
    window_limit: u32,
    /// The attribute that counts the tenth, and its limit, if the rule has a burst.
    part: Option<(String, u32)>,
}

/// Expressions for an update, and what their placeholders stand for.
#[derive(Debug)]
pub(super) struct Expressions {
    pub(super) update: String,
    pub(super) condition: String,
    pub(super) names: HashMap<String, String>,
    pub(super) values: HashMap<String, AttributeValue>,
}

/// Distributes the counters of a call over items.
pub(super) fn items(counters: &[Counter]) -> Vec<Item> {
    let mut order: Vec<usize> = (0..counters.len()).collect();
    let length_s = |counter: &Counter| counter.window().length().as_secs();
    // The longest window of an owner comes first and makes the item.
    order.sort_by_key(|index| counters.get(*index).map(|c| std::cmp::Reverse(length_s(c))));
    let mut items: Vec<(&Counter, Item)> = Vec::new();
    for index in order {
        let Some(counter) = counters.get(index) else {
            continue;
        };
        let home = items.iter_mut().find(|(holder, _)| fits(counter, holder));
        match home {
            Some((holder, item)) => item.slots.push(Slot::nested(index, counter, holder)),
            None => items.push((counter, Item::of(index, counter))),
        }
    }
    items.into_iter().map(|(_, item)| item).collect()
}

/// Whether a counter can share the item of a counter with a longer window.
fn fits(counter: &Counter, holder: &Counter) -> bool {
    let of_one_owner = counter.bucket() == holder.bucket() && counter.owner() == holder.owner();
    let window_s = counter.window().length().as_secs();
    let holder_s = holder.window().length().as_secs();
    let per_window = if has_burst(counter) { 11 } else { 1 };
    of_one_owner
        && window_s < holder_s
        && holder_s.is_multiple_of(window_s)
        && holder_s / window_s * per_window <= MAX_NESTED_ATTRIBUTES
}

/// Whether the tenths of a window have to be counted. Without a burst they never limit.
fn has_burst(counter: &Counter) -> bool {
    counter.burst_limit() < counter.limit()
}

impl Slot {
    fn new(index: usize, counter: &Counter, window: String, part: String) -> Self {
        Self {
            index,
            window,
            window_limit: counter.limit(),
            part: has_burst(counter).then(|| (part, counter.burst_limit())),
        }
    }

    fn nested(index: usize, counter: &Counter, holder: &Counter) -> Self {
        let window_s = counter.window().length().as_secs();
        let holder_s = holder.window().length().as_secs();
        // Both windows are counted from 1970, and the longer one starts where a shorter one does.
        let first = holder.window().number() * (holder_s / window_s.max(1));
        let number = counter.window().number().saturating_sub(first);
        let window = format!("h{window_s}.{number}");
        let part = format!("{window}.{}", counter.window().part());
        Self::new(index, counter, window, part)
    }

    /// The attributes, with the limit of each.
    fn attributes(&self) -> impl Iterator<Item = (&str, u32)> {
        let part = self.part.as_ref();
        let part = part.map(|(name, limit)| (name.as_str(), *limit));
        std::iter::once((self.window.as_str(), self.window_limit)).chain(part)
    }
}

impl Item {
    fn of(index: usize, counter: &Counter) -> Self {
        let part = format!("s{}", counter.window().part());
        Self {
            key: counter.key(),
            expires_at_s: counter.window().expires_at_s(),
            slots: vec![Slot::new(index, counter, "hits".to_owned(), part)],
        }
    }

    /// The indexes of the counters that the item holds.
    pub(super) fn indexes(&self) -> impl Iterator<Item = usize> {
        self.slots.iter().map(|slot| slot.index)
    }

    /// Reads the counts of the item's counters, in their order. Absent attributes count 0.
    pub(super) fn counts(&self, item: &HashMap<String, AttributeValue>) -> Vec<Count> {
        let read = |name: &str| item.get(name).and_then(number).unwrap_or_default();
        let count = |slot: &Slot| Count {
            window: read(&slot.window),
            part: slot.part.as_ref().map_or(0, |(name, _)| read(name)),
        };
        self.slots.iter().map(count).collect()
    }

    /// Counts one call more, if every counter of the item allows it.
    pub(super) fn count(&self) -> Expressions {
        let mut expressions = self.add(1);
        expressions
            .update
            .push_str(" SET #t = if_not_exists(#t, :t)");
        expressions
            .names
            .insert("#t".to_owned(), EXPIRES_AT.to_owned());
        let expiry = AttributeValue::N(self.expires_at_s.to_string());
        expressions.values.insert(":t".to_owned(), expiry);
        let mut conditions = Vec::new();
        for (n, (_, limit)) in self.attributes().enumerate() {
            conditions.push(format!("(attribute_not_exists(#a{n}) OR #a{n} < :l{n})"));
            let limit = AttributeValue::N(limit.to_string());
            expressions.values.insert(format!(":l{n}"), limit);
        }
        expressions.condition = conditions.join(" AND ");
        expressions
    }

    /// Counts one call less, after it was counted here and limited elsewhere.
    pub(super) fn take_back(&self) -> Expressions {
        let mut expressions = self.add(-1);
        // An item that was deleted meanwhile must not come back with a negative count.
        expressions.condition = "attribute_exists(#a0)".to_owned();
        expressions
    }

    fn add(&self, calls: i8) -> Expressions {
        let (mut sums, mut names) = (Vec::new(), HashMap::new());
        for (n, (name, _)) in self.attributes().enumerate() {
            sums.push(format!("#a{n} :d"));
            names.insert(format!("#a{n}"), name.to_owned());
        }
        let calls = AttributeValue::N(calls.to_string());
        Expressions {
            update: format!("ADD {}", sums.join(", ")),
            condition: String::new(),
            names,
            values: [(":d".to_owned(), calls)].into(),
        }
    }

    fn attributes(&self) -> impl Iterator<Item = (&str, u32)> {
        self.slots.iter().flat_map(Slot::attributes)
    }
}

fn number(value: &AttributeValue) -> Option<u64> {
    value.as_n().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use proptest::prelude::*;

    use super::*;
    use crate::limit::caller::CallerKey;
    use crate::limit::rule::Rule;

    fn counters(rules: &[&str], now: SystemTime) -> Vec<Counter> {
        let caller = CallerKey::address(None);
        let rules = rules.iter().map(|rule| rule.parse::<Rule>().unwrap());
        rules
            .flat_map(|rule| Counter::of_rule("contact", &rule, &caller, now))
            .collect()
    }

    /// The attributes of each item, in the order of the update.
    fn layout(rules: &[&str]) -> Vec<String> {
        let now = UNIX_EPOCH + Duration::from_secs(86_400 + 5 * 3600 + 1800);
        let items = items(&counters(rules, now));
        let shown = items.iter().map(|item| {
            let names: Vec<&str> = item.attributes().map(|(name, _)| name).collect();
            let (_, window) = item.key.rsplit_once('#').unwrap();
            format!("{window}: {}", names.join(" "))
        });
        shown.collect()
    }

    #[test]
    fn windows_that_nest_share_an_item() {
        let rows: &[(&[&str], &[&str])] = &[
            (&["3/1h"], &["29: hits"]),
            (&["3/1h:burst=2"], &["29: hits s5"]),
            (&["3/1h", "20/1d"], &["1: hits h3600.5"]),
            (&["3/1h", "20/1d:burst=5"], &["1: hits s2 h3600.5"]),
            // Totals have another owner.
            (
                &["3/1h", "20/1d", "total:100/1d"],
                &["1: hits h3600.5", "1: hits"],
            ),
            // Too many parts of a day: each has its item, or nests in the hour.
            (&["3/1m", "20/1d"], &["1: hits", "1770: hits"]),
            (
                &["3/1m", "9/1h", "20/1d"],
                &["1: hits h3600.5", "1770: hits"],
            ),
            (&["9/1h:burst=2", "20/1d"], &["1: hits", "29: hits s5"]),
            (&["9/6h:burst=2", "20/1d"], &["1: hits h21600.0 h21600.0.9"]),
            // Does not divide the day.
            (&["9/7h", "20/1d"], &["1: hits", "4: hits"]),
        ];
        for (rules, expected) in rows {
            assert_eq!(&layout(rules), expected, "{rules:?}");
        }
    }

    #[test]
    fn one_update_counts_and_checks_every_counter_of_an_item() {
        let counters = counters(&["3/1h", "20/1d:burst=5"], UNIX_EPOCH);
        let [item] = &items(&counters)[..] else {
            panic!("one item");
        };
        let n = |n: i64| AttributeValue::N(n.to_string());
        let count = item.count();
        assert_eq!(
            count.update,
            "ADD #a0 :d, #a1 :d, #a2 :d SET #t = if_not_exists(#t, :t)"
        );
        assert_eq!(
            count.condition,
            "(attribute_not_exists(#a0) OR #a0 < :l0) AND \
             (attribute_not_exists(#a1) OR #a1 < :l1) AND \
             (attribute_not_exists(#a2) OR #a2 < :l2)"
        );
        let limits = [":l0", ":l1", ":l2", ":d", ":t"].map(|name| count.values[name].clone());
        assert_eq!(limits, [n(20), n(5), n(3), n(1), n(2 * 86_400)]);
        let names = ["#a0", "#a1", "#a2", "#t"].map(|name| count.names[name].as_str());
        assert_eq!(names, ["hits", "s0", "h3600.0", "expires_at"]);
        let back = item.take_back();
        assert_eq!(back.update, "ADD #a0 :d, #a1 :d, #a2 :d");
        assert_eq!(back.values, [(":d".to_owned(), n(-1))].into());
        let stored = [("hits", 7), ("s0", 2), ("h3600.0", 3), ("h3600.1", 9)];
        let stored = stored.map(|(name, calls)| (name.to_owned(), n(calls)));
        let count = |window, part| Count { window, part };
        assert_eq!(item.counts(&stored.into()), [count(7, 2), count(3, 0)]);
        assert_eq!(item.indexes().collect::<Vec<_>>(), [1, 0]);
    }

    proptest! {
        /// Two moments use one attribute of one item exactly if they lie in one window.
        #[test]
        fn a_nested_window_has_one_place(
            minutes in prop::sample::select(vec![1_u64, 5, 30, 60, 360, 1440]),
            first_s in 0_u64..3 * 86_400,
            second_s in 0_u64..3 * 86_400,
        ) {
            let rule = format!("5/{minutes}m");
            let place = |seconds| {
                let now = UNIX_EPOCH + Duration::from_secs(seconds);
                let counters = counters(&[&rule, "9/2d"], now);
                let items = items(&counters);
                let item = items.iter().find(|item| item.indexes().any(|index| index == 0));
                let item = item.unwrap();
                let slot = item.slots.iter().find(|slot| slot.index == 0).unwrap();
                (item.key.clone(), slot.window.clone())
            };
            let window = |seconds| seconds / (minutes * 60);
            let same_window = window(first_s) == window(second_s);
            prop_assert_eq!(place(first_s) == place(second_s), same_window);
        }
    }
}
