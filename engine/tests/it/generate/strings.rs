//! Field names and values: few, so that rules and contexts often match, and with edge cases.

/// Fields that mostly contain strings.
pub(super) const TEXT_FIELDS: &[&str] = &["a", "b", "a.b"];
/// Fields that mostly contain numbers.
pub(super) const NUMBER_FIELDS: &[&str] = &["n", "m"];
/// Fields that mostly contain dates.
pub(super) const DATE_FIELDS: &[&str] = &["d", "e"];

/// All fields.
#[rustfmt::skip]
pub(super) const FIELDS: &[&str] = &[
    "a", "b", "a.b", "n", "m", "d", "e", "c", "A", "a.b.c", "c.0", "c.1.x", "c.01", "c.0.b", "é",
    "a..b", "a[\"b\"]", "c[\"a.b\"]", "[\"a.b\"].c", "actor.id", ".", "\u{FB01}", "\u{1F600}",
];

#[rustfmt::skip]
pub(super) const TEXTS: &[&str] = &[
    "", " ", "\u{2003}\t", "USD", "usd", "Usd", "GBP", "true", "false", "1", "k", "K", "\u{212A}",
    "s", "ſ", "ß", "ẞ", "SS", "Σ", "σ", "ς", "É", "é", "e\u{301}", "İ", "i", "ı", "ann", " ann ",
    "abc", "ABC-123", "12345", "\u{200B}", "\u{1F600}",
];

#[rustfmt::skip]
pub(super) const DATES: &[&str] = &[
    "2026-09-01", "2026-08-31", "2026-09-02", "2026-09-01T10:00:00Z", "2026-09-01T12:00:00+02:00",
    "2026-09-01T10:00:00.001Z", "2026-09-01T09:59:59.9999Z", "2026-09-01t00:00:00z",
    "2026-08-31T23:59:59.999Z", "2025-01-01", "2024-02-29", "2026-02-29", "2026-13-01", "0000-01-01",
    "9999-12-31T23:59:59.999Z", "0000-01-01T00:00:00+00:01", "2026-09-01T24:00:00Z", "2026-9-1",
    "2026-09-01T10:00:60Z", "2026-09-01 10:00:00Z",
];

/// Dates that are valid in rules.
#[rustfmt::skip]
pub(super) const LIMITS: &[&str] = &[
    "2026-09-01", "2026-08-31", "2026-09-01T10:00:00Z", "2026-09-01T12:00:00+02:00", "2024-02-29",
    "0000-01-01", "9999-12-31T23:59:59.999Z",
];

/// Digests of evidence data.
pub(super) const DIGESTS: &[&str] = &[
    "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
];
