//! The key of a question, which contains the id of the callback that its answer completes.
//!
//! So an answer needs no look into the history, which AWS limits to 15 reads a second. The key is
//! signed for its task: a client cannot complete a callback of another task.

use super::history::Callback;
use crate::seal::{self, Purpose};
use crate::tasks::engine::Found;

/// Stands between the key that the tool gave and the signed part, which has none.
const MARK: char = '~';

/// The key that a client answers a question by. `None` if there is no key to sign with.
pub(super) fn of(task: &Found<'_>, callback: Callback<'_>) -> Option<String> {
    let content = format!("{}\n{}", task.id.reference, callback.id);
    let sealed = seal::seal(task.key, Purpose::TaskInput, content.as_bytes())?;
    Some(format!("{}{MARK}{sealed}", callback.key))
}

/// The callback that a key of this task belongs to. `None` for any other text.
pub(super) fn callback(task: &Found<'_>, key: &str) -> Option<String> {
    let (_, sealed) = key.rsplit_once(MARK)?;
    let content = seal::open(task.key, Purpose::TaskInput, sealed)?;
    let content = String::from_utf8(content).ok()?;
    let (reference, callback) = content.split_once('\n')?;
    (reference == task.id.reference).then(|| callback.to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::tasks::TaskId;

    #[test]
    fn a_key_is_that_of_one_task_and_one_secret() {
        let id = |reference: &str| {
            let reference = reference.to_owned();
            TaskId::new(reference, "t", None, SystemTime::UNIX_EPOCH, Duration::MAX)
        };
        let (one, other) = (id("one"), id("other"));
        let found = |id| Found::new(id, b"0123456789abcdef0123456789abcdef");
        let asked = Callback {
            key: "size~2",
            id: "callback-1",
        };
        let key = of(&found(&one), asked).unwrap();
        assert!(key.starts_with("size~2~"), "{key}");
        assert_eq!(callback(&found(&one), &key).as_deref(), Some("callback-1"));
        assert_eq!(callback(&found(&other), &key), None);
        assert_eq!(callback(&Found::new(&one, b"another"), &key), None);
        assert_eq!(of(&Found::new(&one, b""), asked), None);
        for key in ["size~2", "", "~", "callback-1", &key.replace('.', "")] {
            assert_eq!(callback(&found(&one), key), None, "{key}");
        }
    }
}
