//! Finds the characters of a string that need thought, eight bytes at a time.

/// How many of the first bytes are ASCII and need no thought: no control, quote or backslash.
pub(super) fn plain_ascii(bytes: &[u8]) -> usize {
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let stops = stops(u64::from_le_bytes(*word));
        if stops != 0 {
            return index * 8 + (stops.trailing_zeros() >> 3) as usize;
        }
    }
    let is_plain = |byte: &&u8| matches!(**byte, 0x20..=0x7F) && !matches!(**byte, b'"' | b'\\');
    words.len() * 8 + tail.iter().take_while(is_plain).count()
}

/// Marks the first byte of eight that is not plain, by its high bit (later marks may be wrong).
///
/// A byte below `n` gets its high bit when `n` is taken from it. So do bytes of 0x80 and above, but
/// these are not plain either. The loan that a byte takes reaches later bytes only.
const fn stops(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xFF;
    let control = word.wrapping_sub(ONES * 0x20);
    let quote = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
    let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    (word | control | quote | backslash) & (ONES * 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_judged_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            let is_plain = (0x20..0x80).contains(&byte) && byte != b'"' && byte != b'\\';
            for place in 0..20 {
                let mut bytes = [b' '; 20];
                bytes.get_mut(place).into_iter().for_each(|there| *there = byte);
                assert_eq!(plain_ascii(&bytes), if is_plain { 20 } else { place }, "{byte:02x}");
            }
        }
    }
}
