//! [`ExpiringMap`]: a bounded map whose entries expire.
//!
//! No operation walks the whole map: each takes logarithmic time in its size.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;
use std::time::SystemTime;

/// A bounded map from text to values that expire.
#[derive(Debug)]
pub(super) struct ExpiringMap<V> {
    entries: HashMap<Arc<str>, Entry<V>>,
    /// Every entry with its expiry, the earliest first.
    queue: BinaryHeap<Reverse<(SystemTime, Arc<str>)>>,
    capacity: usize,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    expires_at: SystemTime,
}

impl<V> ExpiringMap<V> {
    /// Makes a map for up to `capacity` entries. It allocates on the first insertion.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            entries: HashMap::new(),
            queue: BinaryHeap::new(),
            capacity,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether `more` entries can be inserted.
    pub(super) fn has_room_for(&self, more: usize) -> bool {
        self.entries.len().saturating_add(more) <= self.capacity
    }

    pub(super) fn get(&self, key: &str) -> Option<&V> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.entries.get_mut(key).map(|entry| &mut entry.value)
    }

    /// Removes the entries that have expired.
    pub(super) fn expire(&mut self, now: SystemTime) {
        while let Some(Reverse((expires_at, _))) = self.queue.peek()
            && *expires_at <= now
            && let Some(Reverse((_, key))) = self.queue.pop()
        {
            // An entry that was replaced has another expiry, and its own place in the queue.
            if self
                .entries
                .get(&*key)
                .is_some_and(|entry| entry.expires_at <= now)
            {
                self.entries.remove(&*key);
            }
        }
    }

    /// Inserts or replaces an entry. Returns whether there was room for it.
    pub(super) fn insert(&mut self, key: &str, value: V, expires_at: SystemTime) -> bool {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.value = value;
            if entry.expires_at == expires_at {
                return true;
            }
            entry.expires_at = expires_at;
        } else if self.entries.len() >= self.capacity {
            return false;
        } else {
            let entry = Entry { value, expires_at };
            self.entries.insert(key.into(), entry);
        }
        self.queue.push(Reverse((expires_at, key.into())));
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn entries_are_removed_at_their_expiry() {
        let mut map = ExpiringMap::new(10);
        map.insert("b", 2, at(20));
        map.insert("a", 1, at(10));
        map.expire(at(9));
        assert_eq!(map.len(), 2);
        map.expire(at(10));
        assert_eq!((map.get("a"), map.get("b")), (None, Some(&2)));
        map.expire(at(100));
        assert!(map.is_empty());
    }

    #[test]
    fn a_replaced_entry_lives_until_its_new_expiry() {
        let mut map = ExpiringMap::new(10);
        map.insert("a", 1, at(10));
        map.insert("a", 2, at(30));
        map.insert("b", 1, at(30));
        map.insert("b", 2, at(10));
        map.expire(at(10));
        assert_eq!((map.get("a"), map.get("b")), (Some(&2), None));
        map.expire(at(30));
        assert!(map.is_empty());
    }

    #[test]
    fn a_full_map_replaces_entries_but_takes_no_new_ones() {
        let mut map = ExpiringMap::new(2);
        assert!(map.insert("a", 1, at(10)) && map.insert("b", 1, at(10)));
        assert!(!map.has_room_for(1));
        assert!(!map.insert("c", 1, at(10)));
        assert!(map.insert("a", 2, at(10)));
        *map.get_mut("b").unwrap() = 3;
        assert_eq!((map.get("a"), map.get("b")), (Some(&2), Some(&3)));
        map.expire(at(10));
        assert!(map.has_room_for(2) && map.insert("c", 1, at(20)));
    }

    /// The same expiry inserted again must not grow the queue.
    #[test]
    fn the_queue_is_bounded() {
        let mut map = ExpiringMap::new(1);
        for _ in 0..1000 {
            map.insert("a", 1, at(10));
        }
        assert_eq!(map.queue.len(), 1);
    }
}
