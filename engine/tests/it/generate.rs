//! Generators of random policies and contexts, both typical and unusual.

mod condition;
mod strings;

use contract::rule::Rule;
use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Map, Value as Json, json};

pub(crate) use self::condition::condition;
use self::strings::{DATE_FIELDS, DATES, DIGESTS, FIELDS, NUMBER_FIELDS, TEXT_FIELDS, TEXTS};
use crate::fixtures::{self, Context, Item, Policy};

/// Generates a field name, mostly one of `likely`.
fn name(likely: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => select(likely), 1 => select(FIELDS)]
}

/// Generates distinct field names, mostly from `likely`.
fn names(likely: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    vec(name(likely), 1..5).prop_map(|mut names| {
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

/// Generates a value of a context: mostly scalars.
fn field_value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![6 => scalar(), 1 => Just(Json::Null)];
    let arbitrary = leaf.clone().prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Json::from),
            vec((select(&["a", "b", "c", "x", "0", ""][..]), inner), 0..3).prop_map(object),
        ]
    });
    let long = "[a-zß]{95,110}".prop_map(Json::from);
    prop_oneof![20 => leaf, 10 => arbitrary, 1 => long]
}

fn object(members: Vec<(&'static str, Json)>) -> Json {
    let members: Map<_, _> = members.into_iter().map(|(name, v)| (name.to_owned(), v)).collect();
    members.into()
}

/// Generates a context with typical values, some overwritten by arbitrary values.
pub(crate) fn context() -> impl Strategy<Value = Context> {
    let arbitrary = vec((select(FIELDS), field_value()), 0..6);
    let fields = (typical_fields(), arbitrary).prop_map(|(mut members, arbitrary)| {
        members.extend(arbitrary);
        fixtures::fields(&object(members))
    });
    let actor = option::of(select(TEXTS).prop_map(str::to_owned));
    let as_of = ["2026-09-01T10:00:00Z", "2026-09-01T23:59:59.999Z", "0000-01-01T00:00:00Z"];
    let as_of = select(as_of.map(|timestamp| timestamp.parse().unwrap()).to_vec());
    (fields, vec(item(), 0..3), actor, as_of).prop_map(|(fields, evidence, actor_id, as_of)| {
        Context { fields, evidence, actor_id, as_of }
    })
}

fn typical_fields() -> impl Strategy<Value = Vec<(&'static str, Json)>> {
    let text = (select(TEXT_FIELDS), select(TEXTS).prop_map(Json::from));
    let number = (select(NUMBER_FIELDS), number().prop_map(Json::from));
    let date = (select(DATE_FIELDS), select(DATES).prop_map(Json::from));
    (vec(text, 0..5), vec(number, 0..3), vec(date, 0..3))
        .prop_map(|(texts, numbers, dates)| [texts, numbers, dates].concat())
}

/// Generates an item of evidence whose hash is usually a digest in some notation.
fn item() -> impl Strategy<Value = Item> {
    let digest = || select(DIGESTS).prop_map(str::to_owned);
    let hash = prop_oneof![
        4 => digest(),
        1 => digest().prop_map(|digest| format!("sha256:{}", digest.to_uppercase())),
        1 => digest().prop_map(|digest| format!("SHA256:{digest}")),
        1 => select(&["", "sha256:", "é"][..]).prop_map(str::to_owned),
    ];
    let kind = select(&["invoice", "Invoice", "photo", ""][..]).prop_map(str::to_owned);
    (option::of(kind), option::of(hash), option::of(digest()))
        .prop_map(|(kind, hash, data_digest)| Item { kind, hash, data_digest })
}

/// Generates a gate, nested up to three levels.
pub(crate) fn gate() -> impl Strategy<Value = Json> {
    let case = option::of(any::<bool>());
    let equals = (name(TEXT_FIELDS), scalar(), case.clone()).prop_map(|(field, value, case)| {
        with(json!({"field": field, "equals": value}), "case_sensitive", case)
    });
    let one_of =
        (name(TEXT_FIELDS), vec(scalar(), 1..4), case).prop_map(|(field, values, case)| {
            with(json!({"field": field, "in": values}), "case_sensitive", case)
        });
    let exists = (name(TEXT_FIELDS), any::<bool>())
        .prop_map(|(field, exists)| json!({"field": field, "exists": exists}));
    prop_oneof![2 => equals, 2 => one_of, 2 => exists].prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..4).prop_map(|gates| json!({"all": gates})),
            vec(inner, 1..4).prop_map(|gates| json!({"any": gates})),
        ]
    })
}

/// Adds a member to `json` if there is a value.
fn with(mut json: Json, name: &str, value: Option<impl Into<Json>>) -> Json {
    if let Some(value) = value {
        json[name] = value.into();
    }
    json
}

/// Generates a rule without a code.
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
        let with_code = |(number, rule)| with(rule, "code", Some(format!("R-{number}")));
        rules.into_iter().enumerate().map(with_code).map(fixtures::rule).collect()
    })
}

/// Generates the policies of a snapshot.
pub(crate) fn policies() -> impl Strategy<Value = Vec<Policy>> {
    vec((any::<bool>(), rules()), 0..4).prop_map(|policies| {
        let with_number = |(number, (shadow, rules))| Policy::new(number, shadow, rules);
        (1..).zip(policies).map(with_number).collect()
    })
}
