//! Percent-encoded texts, read strictly.

/// Returns a percent-encoded text, or `None` if a `%` does not start an encoded byte, or the bytes are not UTF-8.
pub(crate) fn decoded(body: &[u8]) -> Option<String> {
    let mut parts = body.split(|byte| *byte == b'%');
    let mut bytes = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        let (digits, rest) = part.split_first_chunk::<2>()?;
        let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
        bytes.push(u8::try_from(high? * 16 + low?).ok()?);
        bytes.extend_from_slice(rest);
    }
    String::from_utf8(bytes).ok()
}
