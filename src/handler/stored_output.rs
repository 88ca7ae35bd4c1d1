//! [`StoredOutput`]: what [`Stored`](super::Stored) shares.

use std::sync::OnceLock;

use serde_json::value::RawValue;

use crate::reply::SharedJson;
use crate::wire::version::ProtocolVersion;

/// Structured content, and the results that were written of it.
#[derive(Debug)]
pub(crate) struct StoredOutput {
    json: Box<RawValue>,
    results: [OnceLock<Written>; ProtocolVersion::ALL.len()],
}

/// A result, and the identity of the server that it names.
#[derive(Debug)]
struct Written {
    server_info: Box<RawValue>,
    result: SharedJson,
}

impl StoredOutput {
    pub(super) fn new(json: Box<RawValue>) -> Self {
        Self {
            json,
            results: std::array::from_fn(|_| OnceLock::new()),
        }
    }

    /// The structured content.
    pub(crate) fn json(&self) -> &RawValue {
        &self.json
    }

    /// Returns the result of a call in a version, for the server with this identity. `write` writes it on
    /// the first call. Where several servers return the same value, the results of the first are kept.
    ///
    /// # Errors
    ///
    /// That of `write`.
    pub(crate) fn result<E>(
        &self,
        version: ProtocolVersion,
        server_info: &RawValue,
        write: impl Fn() -> Result<SharedJson, E>,
    ) -> Result<SharedJson, E> {
        let versions = ProtocolVersion::ALL.iter();
        let cell = versions
            .zip(&self.results)
            .find(|(known, _)| **known == version);
        let Some((_, cell)) = cell else {
            return write();
        };
        let kept = match cell.get() {
            Some(kept) => kept,
            None => {
                let written = Written {
                    server_info: server_info.to_owned(),
                    result: write()?,
                };
                cell.get_or_init(|| written)
            }
        };
        if kept.server_info.get() == server_info.get() {
            return Ok(kept.result.clone());
        }
        write()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::value::to_raw_value;

    use super::*;

    #[test]
    fn a_result_is_written_once_for_each_version_of_the_first_server() {
        let stored = StoredOutput::new(to_raw_value(&[1, 2]).unwrap());
        assert_eq!(stored.json().get(), "[1,2]");
        let (first, second) = (to_raw_value("a").unwrap(), to_raw_value("b").unwrap());
        let count = Cell::new(0);
        let result = |version, server: &RawValue| {
            let written = stored.result(version, server, || {
                count.set(count.get() + 1);
                let text = format!("{version} {}", server.get());
                Ok::<_, ()>(SharedJson::new(text.into()))
            });
            let text = String::from_utf8(written.unwrap().json().to_vec());
            (text.unwrap(), count.get())
        };
        let [newest, older, ..] = ProtocolVersion::ALL;
        for (version, server, calls) in [
            (newest, &first, 1),
            (newest, &first, 1),
            (older, &first, 2),
            (older, &first, 2),
            (newest, &second, 3),
            (newest, &second, 4),
        ] {
            let expected = format!("{version} {}", server.get());
            assert_eq!(result(version, server), (expected, calls));
        }
    }
}
