//! The seal of a digest, the stamp of a receipt and the line below its letterhead. All are drawn from a digest, so
//! equal digests look equal. They are decoration; the digest is the proof.

use std::{f64::consts::TAU, fmt::Write as _};

use kit::any_view;
use leptos::prelude::*;

/// The number of strokes of the seal and of notches of the line, one per byte of a digest.
const STROKES: usize = 32;

/// Returns the bytes of a hexadecimal digest.
fn bytes(digest: &str) -> Vec<f64> {
    let pairs = digest.as_bytes().chunks_exact(2).take(STROKES);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    pairs.map(|pair| byte(pair).map_or(0.0, f64::from)).collect()
}

/// Returns the seal of a digest: one stroke per byte, clockwise from the top. The length of a stroke is the
/// value of the byte.
fn seal(digest: &str) -> String {
    let mut path = String::new();
    let mut angle: f64 = 0.0;
    for byte in bytes(digest) {
        let (sin, cos) = angle.sin_cos();
        let inner = 46.0 - 3.4 - byte / 255.0 * 11.1;
        let point = |radius: f64| (80.0 + radius * sin, 80.0 - radius * cos);
        let ((x1, y1), (x2, y2)) = (point(inner), point(46.0));
        let _ = write!(path, "M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
        angle += TAU / 32.0;
    }
    path
}

/// The mark of the product, in a box of 32.
const MARK: &str = "M16 1.5A14.5 14.5 0 1 0 30.5 16.5H19.5v5H11.5V11h18.1A14.5 14.5 0 0 0 16 1.5Z";

/// The seal of a digest around the mark, next to its text.
pub fn digest_seal(digest: &str) -> AnyView {
    any_view! {
        <svg class="digest-seal" viewBox="30 30 100 100" width="88" height="88" aria-hidden="true">
            <path d=seal(digest)></path>
            <path class="core" transform="translate(61 61) scale(1.188)" d=MARK></path>
        </svg>
    }
}

/// Returns a line with one notch per byte, 720 wide.
fn notches(digest: &str) -> String {
    let mut path = "M0 .75".to_owned();
    let mut x = 6.0;
    for byte in bytes(digest) {
        let depth = 1.8 + byte / 255.0 * 6.8;
        let _ = write!(path, "H{x:.1}V{depth:.1}h7V.75");
        x += 22.5;
    }
    path + "H720"
}

/// The line below the letterhead.
pub fn notch_rule(digest: &str) -> AnyView {
    any_view! {
        <div class="notch-rule" aria-hidden="true">
            <svg viewBox="0 0 720 10" preserveAspectRatio="none" width="720" height="10">
                <path d=notches(digest)></path>
            </svg>
        </div>
    }
}

/// The stamp: what was done with the decision in fixed `words`, and `date`. It does not depend on the verdict. `label`
/// describes it for screen readers.
pub fn stamp(digest: &str, words: &str, label: &'static str, date: &str) -> AnyView {
    let width = if words.split(" · ").count() > 2 { 180 } else { 120 };
    let seal = seal(digest);
    // Numbers and fixed words only: nothing is escaped.
    let drawing = format!(
        r##"<defs><path id="stamp-above" d="M19 80a61 61 0 0 1 122 0"/><path id="stamp-below" d="M12 80a68 68 0 0 0 136 0"/></defs><g transform="rotate(-8 80 80)"><g class="stamp-line"><circle cx="80" cy="80" r="77" stroke-width="2.5"/><circle cx="80" cy="80" r="72.5"/><circle cx="80" cy="80" r="52"/><path d="{seal}" stroke-width="3.4"/></g><g class="stamp-fill"><path transform="translate(66.5 66.5) scale(.844)" d="{MARK}"/><text><textPath href="#stamp-above" startOffset="50%" text-anchor="middle" textLength="{width}" lengthAdjust="spacingAndGlyphs">{words}</textPath></text><text><textPath href="#stamp-below" startOffset="50%" text-anchor="middle" textLength="158" lengthAdjust="spacingAndGlyphs">{date}</textPath></text></g></g>"##
    );
    any_view! {
        <svg
            class="stamp"
            viewBox="0 0 160 160"
            width="148"
            height="148"
            role="img"
            aria-label=label
            inner_html=drawing
        ></svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_has_one_stroke_per_byte_and_its_length_is_the_byte() {
        let digest = "bafafe64c8a9387954278985a9ca0e0b8ac6b08ba3ce17eba1139cb930acb667";
        let seal = seal(digest);
        assert_eq!(seal.matches('M').count(), STROKES);
        assert!(seal.starts_with("M80.0 45.5L80.0 34.0M86.2 48.9L89.0 34.9"), "{seal}");
        assert_eq!(notches(digest).matches("h7").count(), STROKES);
    }

    #[test]
    fn a_text_that_is_no_digest_is_drawn_too() {
        assert_eq!(bytes("zz"), [0.0]);
        assert_eq!(seal(""), "");
        assert_eq!(notches(""), "M0 .75H720");
    }
}
