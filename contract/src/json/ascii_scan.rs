//! Finds the characters of a string that need special handling, eight bytes at a time.

/// Returns the number of leading bytes that are plain ASCII: not a control character, quote or backslash.
pub(super) fn ascii_run_len(bytes: &[u8]) -> usize {
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let mask = special_byte_mask(u64::from_le_bytes(*word));
        if mask != 0 {
            return index * 8 + (mask.trailing_zeros() >> 3) as usize;
        }
    }
    let is_plain = |byte: &&u8| matches!(**byte, 0x20..=0x7F) && !matches!(**byte, b'"' | b'\\');
    words.len() * 8 + tail.iter().take_while(is_plain).count()
}

/// Sets the high bit of the first of eight bytes that is not plain. Marks on later bytes can be wrong.
///
/// Subtracting `n` sets the high bit of every byte below `n`. It also sets the high bit of bytes from 0x80
/// up, which are not plain either. A borrow affects later bytes only.
const fn special_byte_mask(word: u64) -> u64 {
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
    fn every_byte_is_classified_at_every_offset() {
        for byte in 0..=u8::MAX {
            let is_plain = (0x20..0x80).contains(&byte) && byte != b'"' && byte != b'\\';
            for offset in 0..20 {
                let mut bytes = [b' '; 20];
                bytes.get_mut(offset).into_iter().for_each(|slot| *slot = byte);
                assert_eq!(ascii_run_len(&bytes), if is_plain { 20 } else { offset }, "{byte:02x}");
            }
        }
    }
}
