//! Percent-encoding of URIs. RFC 3986, section 2.1.

/// Decodes `%XX` sequences. Returns `None` if one is not hexadecimal or the result is not UTF-8.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex = |b: u8| char::from(b).to_digit(16);
            let value = hex(rest.next()?)? * 16 + hex(rest.next()?)?;
            bytes.push(u8::try_from(value).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
