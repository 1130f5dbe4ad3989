//! The line ends of a text that is changed.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Returns the text `new`, whose lines end with `\n`, with the line ends of `old`: an unchanged line has its own, and a
/// new line that of the first line. If the last line of `old` has no end, the last line of `new` has none.
pub(super) fn keep(old: &str, new: &str) -> String {
    if !old.contains('\r') && old.ends_with('\n') {
        return new.to_owned();
    }
    let old_lines: Vec<(&str, &str)> = old.split_inclusive('\n').map(split).collect();
    let old_texts: Vec<&str> = old_lines.iter().map(|(text, _)| *text).collect();
    let new_texts: Vec<&str> = new.lines().collect();
    let ends = old_lines.iter().map(|(_, end)| *end).filter(|end| !end.is_empty());
    let usual = ends.clone().next().unwrap_or("\n");
    let mut out = String::with_capacity(new.len());
    for op in capture_diff_slices(Algorithm::Myers, &old_texts, &new_texts) {
        for (offset, index) in op.new_range().enumerate() {
            let retained = match op {
                DiffOp::Equal { old_index, .. } => old_lines.get(old_index + offset),
                _ => None,
            };
            out.push_str(new_texts.get(index).copied().unwrap_or_default());
            out.push_str(
                retained.map(|(_, end)| *end).filter(|end| !end.is_empty()).unwrap_or(usual),
            );
        }
    }
    if !old.is_empty() && !old.ends_with('\n') {
        out.truncate(out.trim_end_matches(['\r', '\n']).len());
    }
    out
}

/// Splits a line into its text and its end.
fn split(line: &str) -> (&str, &str) {
    let text = line.strip_suffix('\n').map_or(line, |text| text.strip_suffix('\r').unwrap_or(text));
    line.split_at(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unchanged_line_keeps_its_end() {
        assert_eq!(keep("a\r\nb\r\n", "a\nx\nb\n"), "a\r\nx\r\nb\r\n");
        assert_eq!(keep("a\r\nb\nc\r\n", "a\nb\nc\nd\n"), "a\r\nb\nc\r\nd\r\n");
        assert_eq!(keep("a\nb", "a\nc\n"), "a\nc");
        assert_eq!(keep("a\r\nb", "a\nb\nc\n"), "a\r\nb\r\nc");
        assert_eq!(keep("a\nb\n", "b\n"), "b\n");
    }
}
