//! The contrasts of the tokens, recomputed from the style sheet (WCAG 2.2, 1.4.3 and 1.4.11).

use std::collections::BTreeMap;

const TOKENS: &str = include_str!("../../../style/tokens.css");

type Theme = BTreeMap<String, String>;

/// The blocks of the file, in order: light, dark by the device, dark by choice.
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

/// Relative luminance of `#rrggbb`.
fn luminance(colour: &str) -> f64 {
    let channel = |place: usize| {
        let value = u8::from_str_radix(&colour[place..place + 2], 16).expect("two hex digits");
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
fn text_stands_out_from_every_ground() {
    for theme in themes() {
        for ground in GROUNDS {
            for ink in ["text", "muted", "accent"].iter().chain(&TINTED) {
                let found = contrast(&theme, ink, ground);
                assert!(found >= 4.5, "{ink} on {ground}: {found:.2}");
            }
        }
        for ink in TINTED {
            for over in [ink, "text"] {
                let found = contrast(&theme, over, &tint(ink));
                assert!(found >= 4.5, "{over} on {}: {found:.2}", tint(ink));
            }
        }
        assert!(contrast(&theme, "on-accent", "accent") >= 4.5);
        assert!(contrast(&theme, "critical", "critical-bg") >= 4.5);
    }
}

#[test]
fn edges_and_focus_stand_out_from_every_ground() {
    for theme in themes() {
        for ground in GROUNDS {
            for edge in ["control", "accent"] {
                let found = contrast(&theme, edge, ground);
                assert!(found >= 3.0, "{edge} on {ground}: {found:.2}");
            }
        }
    }
}

#[test]
fn dark_is_the_same_however_it_is_chosen() {
    let [light, device, chosen] = themes();
    assert_eq!(device, chosen);
    assert!(light.keys().eq(device.keys()));
}
