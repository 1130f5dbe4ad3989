//! Checks the contrast of the color tokens in the style sheet (WCAG 2.2, 1.4.3 and 1.4.11).

use std::collections::BTreeMap;

const TOKENS: &str = include_str!("../../../../style/tokens.css");

type Theme = BTreeMap<&'static str, &'static str>;

/// Returns the colors of the style sheet in the light and in the dark theme.
fn themes() -> [Theme; 2] {
    let mut themes = [Theme::new(), Theme::new()];
    for line in TOKENS.lines() {
        let Some((name, value)) = line.trim().strip_prefix("--").and_then(|l| l.split_once(": "))
        else {
            continue;
        };
        let Some((value, _)) = value.split_once(';') else { continue };
        let both = value.strip_prefix("light-dark(").and_then(|both| both.strip_suffix(')'));
        let (light, dark) = both.and_then(|both| both.split_once(", ")).unwrap_or((value, value));
        if light.starts_with('#') && dark.starts_with('#') {
            themes[0].insert(name, light);
            themes[1].insert(name, dark);
        }
    }
    themes
}

/// Returns the relative luminance of `#rrggbb`.
fn luminance(color: &str) -> f64 {
    let channel = |index: usize| {
        let value = u8::from_str_radix(&color[index..index + 2], 16).expect("two hex digits");
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

/// Asserts the contrast of a color on a background in both themes.
fn assert_contrast(color: &str, background: &str, minimum: f64) {
    for (theme, name) in themes().iter().zip(["light", "dark"]) {
        let (a, b) = (luminance(theme[color]), luminance(theme[background]));
        let ratio = (a.max(b) + 0.05) / (a.min(b) + 0.05);
        assert!(ratio >= minimum, "--{color} on --{background}, {name}: {ratio:.2}");
    }
}

const BACKGROUNDS: [&str; 7] = ["bg", "side", "surface", "sunken", "raised", "hover", "sel"];
const VERDICTS: [&str; 5] = ["allow", "alert", "review", "deny", "na"];

#[test]
fn text_has_sufficient_contrast_on_every_background() {
    let others = [
        "text",
        "muted",
        "accent",
        "shadow-ink",
        "low",
        "medium",
        "high",
        "code-name",
        "code-text",
        "code-number",
    ];
    for background in BACKGROUNDS {
        for color in others.iter().chain(&VERDICTS) {
            assert_contrast(color, background, 4.5);
        }
    }
    for verdict in VERDICTS {
        for color in [verdict, "text"] {
            assert_contrast(color, &format!("{verdict}-bg"), 4.5);
        }
    }
    for (color, background) in [
        ("accent", "accent-bg"),
        ("text", "accent-bg"),
        ("on-accent", "accent-solid"),
        ("on-accent", "accent-hover"),
        ("critical", "critical-bg"),
        ("text", "chosen"),
        ("text", "add-word"),
        ("text", "del-word"),
    ] {
        assert_contrast(color, background, 4.5);
    }
}

#[test]
fn edges_and_chart_marks_have_sufficient_contrast() {
    for background in BACKGROUNDS {
        for edge in ["control", "accent"] {
            assert_contrast(edge, background, 3.0);
        }
    }
    let verdicts = VERDICTS.map(|verdict| format!("{verdict}-mark"));
    let verdicts = verdicts.iter().map(String::as_str);
    for mark in verdicts.chain(["data-1", "data-2", "data-3"]) {
        for background in ["bg", "surface"] {
            assert_contrast(mark, background, 3.0);
        }
    }
}
