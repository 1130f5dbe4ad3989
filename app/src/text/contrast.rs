//! Checks the contrast of the color tokens in the style sheet (WCAG 2.2, 1.4.3 and 1.4.11).

use std::collections::BTreeMap;

const TOKENS: &str = include_str!("../../../style/tokens.css");

type Theme = BTreeMap<String, String>;

/// Returns the color blocks of the style sheet in order: light, dark by device setting, dark by choice.
fn themes() -> [Theme; 3] {
    let mut themes = TOKENS.split('{').map(|block| {
        let lines =
            block.lines().filter_map(|line| line.trim().strip_prefix("--")?.split_once(": "));
        lines
            .filter(|(_, value)| value.starts_with('#'))
            .map(|(name, value)| (name.to_owned(), value.trim_end_matches(';').to_owned()))
            .collect::<Theme>()
    });
    std::array::from_fn(|_| themes.find(|theme| !theme.is_empty()).expect("three themes"))
}

/// Returns the relative luminance of `#rrggbb`.
fn luminance(colour: &str) -> f64 {
    let channel = |index: usize| {
        let value = u8::from_str_radix(&colour[index..index + 2], 16).expect("two hex digits");
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(theme: &Theme, ink: &str, ground: &str) -> f64 {
    let (a, b) = (luminance(&theme[ink]), luminance(&theme[ground]));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

const GROUNDS: [&str; 4] = ["bg", "surface", "sunken", "sel"];
const TINTED: [&str; 7] = ["allow", "deny", "warn", "shadow-ink", "na", "low", "high"];

fn tint(ink: &str) -> String {
    format!("{}-bg", ink.trim_end_matches("-ink"))
}

#[test]
fn text_has_sufficient_contrast_on_every_background() {
    for theme in themes() {
        for ground in GROUNDS {
            for ink in ["text", "muted", "accent"].iter().chain(&TINTED) {
                let ratio = contrast(&theme, ink, ground);
                assert!(ratio >= 4.5, "{ink} on {ground}: {ratio:.2}");
            }
        }
        for ink in TINTED {
            for over in [ink, "text"] {
                let ratio = contrast(&theme, over, &tint(ink));
                assert!(ratio >= 4.5, "{over} on {}: {ratio:.2}", tint(ink));
            }
        }
        assert!(contrast(&theme, "on-accent", "accent") >= 4.5);
        assert!(contrast(&theme, "critical", "critical-bg") >= 4.5);
    }
}

#[test]
fn edges_and_focus_have_sufficient_contrast_on_every_background() {
    for theme in themes() {
        for ground in GROUNDS {
            for edge in ["control", "accent"] {
                let ratio = contrast(&theme, edge, ground);
                assert!(ratio >= 3.0, "{edge} on {ground}: {ratio:.2}");
            }
        }
    }
}

#[test]
fn both_dark_themes_are_equal() {
    let [light, device, chosen] = themes();
    assert_eq!(device, chosen);
    assert!(light.keys().eq(device.keys()));
}
