//! Random policies and contexts. Few names and values, so that rules and contexts meet often.

use contract::rule::Rule;
use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Map, Value as Json, json};

use crate::given::{self, Context, Item, Policy};

const NAMES: &[&str] = &[
    "a",
    "b",
    "c",
    "A",
    "a.b",
    "a.b.c",
    "c.0",
    "c.1.x",
    "c.01",
    "d",
    "é",
    "a..b",
    "actor.id",
    ".",
    "c.0.b",
    "\u{FB01}",
    "\u{1F600}",
];

const TEXTS: &[&str] = &[
    "",
    " ",
    "\u{2003}\t",
    "USD",
    "usd",
    "Usd",
    "GBP",
    "true",
    "false",
    "1",
    "k",
    "K",
    "\u{212A}",
    "s",
    "ſ",
    "ß",
    "ẞ",
    "SS",
    "Σ",
    "σ",
    "ς",
    "É",
    "é",
    "e\u{301}",
    "İ",
    "i",
    "ı",
    "ann",
    " ann ",
    "abc",
    "ABC-123",
    "12345",
    "\u{200B}",
    "\u{1F600}",
];

const DATES: &[&str] = &[
    "2026-09-01",
    "2026-08-31",
    "2026-09-02",
    "2026-09-01T10:00:00Z",
    "2026-09-01T12:00:00+02:00",
    "2026-09-01T10:00:00.001Z",
    "2026-09-01T09:59:59.9999Z",
    "2026-09-01t00:00:00z",
    "2026-08-31T23:59:59.999Z",
    "2025-01-01",
    "2024-02-29",
    "2026-02-29",
    "2026-13-01",
    "0000-01-01",
    "9999-12-31T23:59:59.999Z",
    "0000-01-01T00:00:00+00:01",
    "2026-09-01T24:00:00Z",
    "2026-9-1",
    "2026-09-01T10:00:60Z",
    "2026-09-01 10:00:00Z",
];

/// Those of [`DATES`] that a rule may name.
const LIMITS: &[&str] = &[
    "2026-09-01",
    "2026-08-31",
    "2026-09-01T10:00:00Z",
    "2026-09-01T12:00:00+02:00",
    "2024-02-29",
    "0000-01-01",
    "9999-12-31T23:59:59.999Z",
];

const DIGEST: &str = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
const OTHER: &str = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945";

fn name() -> impl Strategy<Value = &'static str> {
    // The first few more often, so that rules and contexts meet.
    prop_oneof![3 => select(&NAMES[..5]), 2 => select(NAMES)]
}

fn names(min: usize) -> impl Strategy<Value = Vec<&'static str>> {
    vec(name(), min..5).prop_map(|mut names| {
        names.sort_unstable();
        names.dedup();
        names
    })
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        5 => select(&[-1.0, 0.0, -0.0, 0.5, 1.0, 2.0, 3.0, 5.0][..]),
        1 => select(&[500_000.0, 0.1, 1e-7, 9_007_199_254_740_991.0][..]),
        1 => -10.0..10.0_f64,
    ]
}

fn scalar() -> impl Strategy<Value = Json> {
    prop_oneof![
        5 => select(TEXTS).prop_map(Json::from),
        2 => select(DATES).prop_map(Json::from),
        1 => "\\PC{0,3}".prop_map(Json::from),
        3 => number().prop_map(Json::from),
        2 => any::<bool>().prop_map(Json::from),
    ]
}

/// A value of a context: scalars, and the wild rest.
fn field_value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![6 => scalar(), 1 => Just(Json::Null)];
    let wild = leaf.clone().prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Json::from),
            vec((select(&["a", "b", "c", "x", "0", ""][..]), inner), 0..3).prop_map(object),
        ]
    });
    let long = "[a-zß]{95,110}".prop_map(Json::from);
    prop_oneof![20 => leaf, 10 => wild, 1 => long]
}

fn object(members: Vec<(&'static str, Json)>) -> Json {
    let members: Map<_, _> = members.into_iter().map(|(name, v)| (name.to_owned(), v)).collect();
    members.into()
}

/// A context: mostly plain, sometimes wild.
pub(crate) fn context() -> impl Strategy<Value = Context> {
    let fields = vec((name(), field_value()), 0..8).prop_map(object);
    let hash = select(&[DIGEST, OTHER, "SHA256:x", "sha256:", ""][..]);
    let hash = prop_oneof![
        hash.prop_map(str::to_owned),
        Just(format!("sha256:{}", DIGEST.to_uppercase())),
        Just(format!("SHA256:{DIGEST}")),
    ];
    let digest = select(&[DIGEST, OTHER][..]).prop_map(str::to_owned);
    let item = (option::of(kind()), option::of(hash), option::of(digest)).prop_map(
        |(kind, hash, data_digest)| Item { kind: kind.map(str::to_owned), hash, data_digest },
    );
    let actor = option::of(select(TEXTS).prop_map(str::to_owned));
    let as_of =
        select(&["2026-09-01T10:00:00Z", "2026-09-01T23:59:59.999Z", "0000-01-01T00:00:00Z"][..]);
    (fields, vec(item, 0..3), actor, as_of).prop_map(|(fields, evidence, actor_id, as_of)| {
        Context {
            fields: given::fields(&fields),
            evidence,
            actor_id,
            as_of: as_of.parse().unwrap(),
        }
    })
}

fn kind() -> impl Strategy<Value = &'static str> {
    select(&["invoice", "Invoice", "photo", ""][..])
}

/// A gate, nested up to three deep.
pub(crate) fn gate() -> impl Strategy<Value = Json> {
    let case = option::of(any::<bool>());
    let equals = (name(), scalar(), case.clone()).prop_map(|(field, value, case)| {
        with(json!({"field": field, "equals": value}), "case_sensitive", case)
    });
    let among = (name(), vec(scalar(), 1..4), case).prop_map(|(field, values, case)| {
        with(json!({"field": field, "in": values}), "case_sensitive", case)
    });
    let exists = (name(), any::<bool>())
        .prop_map(|(field, wanted)| json!({"field": field, "exists": wanted}));
    prop_oneof![2 => equals, 2 => among, 2 => exists].prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..4).prop_map(|gates| json!({"all": gates})),
            vec(inner, 1..4).prop_map(|gates| json!({"any": gates})),
        ]
    })
}

/// `json` with one more member, if there is a value for it.
fn with(mut json: Json, name: &str, value: Option<impl Into<Json>>) -> Json {
    if let Some(value) = value {
        json[name] = value.into();
    }
    json
}

/// A valid condition of any type, and the type.
pub(crate) fn condition() -> impl Strategy<Value = (&'static str, Json)> {
    prop_oneof![
        presence().prop_map(|condition| ("presence", condition)),
        threshold().prop_map(|condition| ("threshold", condition)),
        list().prop_map(|condition| ("list", condition)),
        temporal().prop_map(|condition| ("temporal", condition)),
        pattern().prop_map(|condition| ("pattern", condition)),
        comparison().prop_map(|condition| ("comparison", condition)),
        evidence().prop_map(|condition| ("evidence", condition)),
        distinct().prop_map(|condition| ("distinct", condition)),
    ]
}

fn presence() -> impl Strategy<Value = Json> {
    let lengths = vec((name(), (1..4_u32).prop_map(Json::from)), 1..3).prop_map(object);
    (option::of(names(1)), option::of(names(1)), lengths, any::<bool>()).prop_map(
        |(required, forbidden, lengths, has_lengths)| {
            let has_lengths = has_lengths || (required.is_none() && forbidden.is_none());
            let condition = with(json!({}), "required_fields", required);
            let condition = with(condition, "forbidden_fields", forbidden);
            with(condition, "min_length", has_lengths.then_some(lengths))
        },
    )
}

fn threshold() -> impl Strategy<Value = Json> {
    let flag = || option::of(any::<bool>());
    (name(), option::of(number()), number(), flag(), flag()).prop_map(
        |(field, min, other, exclusive_min, exclusive_max)| {
            let condition = json!({"field": field});
            match min {
                Some(min) if min < other => {
                    let condition = with(condition, "min", Some(min));
                    let condition = with(condition, "max", Some(other));
                    let condition = with(condition, "exclusive_min", exclusive_min);
                    with(condition, "exclusive_max", exclusive_max)
                }
                Some(min) => {
                    with(with(condition, "min", Some(min)), "exclusive_min", exclusive_min)
                }
                None => with(with(condition, "max", Some(other)), "exclusive_max", exclusive_max),
            }
        },
    )
}

fn list() -> impl Strategy<Value = Json> {
    let mode = select(&["allowed", "forbidden"][..]);
    (name(), mode, vec(scalar(), 1..8), option::of(any::<bool>())).prop_map(
        |(field, mode, values, case)| {
            with(with(json!({"field": field}), mode, Some(values)), "case_sensitive", case)
        },
    )
}

fn temporal() -> impl Strategy<Value = Json> {
    let test = prop_oneof![
        select(&["not_expired", "not_future"][..]).prop_map(|check| ("check", Json::from(check))),
        select(&[0, 1, 30, 600, 800_000, u32::MAX][..]).prop_map(|n| ("max_age_days", n.into())),
        select(LIMITS).prop_map(|limit| ("not_before", limit.into())),
        select(LIMITS).prop_map(|limit| ("not_after", limit.into())),
    ];
    (name(), test)
        .prop_map(|(field, (member, value))| with(json!({"field": field}), member, Some(value)))
}

fn pattern() -> impl Strategy<Value = Json> {
    let patterns = &["^[A-Z]{3}$", "a|1", "(?i)^usd$", "\\s", "^\\p{L}+$", ".", "K", "(?i)k"][..];
    (name(), select(&["matches", "forbids"][..]), select(patterns))
        .prop_map(|(field, mode, pattern)| with(json!({"field": field}), mode, Some(pattern)))
}

fn comparison() -> impl Strategy<Value = Json> {
    let operator = select(&["eq", "ne", "lt", "lte", "gt", "gte"][..]);
    (name(), operator, name(), option::of(scalar())).prop_map(|(left, operator, right, value)| {
        let condition = json!({"left": left, "operator": operator});
        match value {
            Some(Json::Bool(_)) if !["eq", "ne"].contains(&operator) => {
                with(condition, "right", Some(right))
            }
            Some(value) => with(condition, "right_value", Some(value)),
            None => with(condition, "right", Some(right)),
        }
    })
}

fn evidence() -> impl Strategy<Value = Json> {
    let kinds = vec(select(&["invoice", "Invoice", "photo"][..]), 1..4).prop_map(|mut kinds| {
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    });
    (kinds, option::of(any::<bool>()))
        .prop_map(|(kinds, verify)| with(json!({"required_kinds": kinds}), "verify_hash", verify))
}

fn distinct() -> impl Strategy<Value = Json> {
    (names(2).prop_filter("two fields", |names| names.len() > 1), option::of(any::<bool>()))
        .prop_map(|(fields, actor)| with(json!({"fields": fields}), "include_actor", actor))
}

/// A rule without its code.
fn rule() -> impl Strategy<Value = Json> {
    let severity = select(&["low", "medium", "high", "critical"][..]);
    let active = prop_oneof![6 => Just(None), 1 => Just(Some(true)), 1 => Just(Some(false))];
    (condition(), severity, option::weighted(0.6, gate()), active).prop_map(
        |((rule_type, condition), severity, when, is_active)| {
            let rule =
                json!({"rule_type": rule_type, "condition": condition, "severity": severity});
            with(with(rule, "when", when), "is_active", is_active)
        },
    )
}

fn rules() -> impl Strategy<Value = Vec<Rule>> {
    vec(rule(), 0..8).prop_map(|rules| {
        let coded = |(number, rule)| with(rule, "code", Some(format!("R-{number}")));
        rules.into_iter().enumerate().map(coded).map(given::rule).collect()
    })
}

/// A snapshot of some policies.
pub(crate) fn policies() -> impl Strategy<Value = Vec<Policy>> {
    vec((any::<bool>(), rules()), 0..4).prop_map(|policies| {
        let numbered = |(number, (shadow, rules))| Policy::new(number, shadow, rules);
        (1..).zip(policies).map(numbered).collect()
    })
}
