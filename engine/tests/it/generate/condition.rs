//! Generators of random valid conditions of the eight rule types.

use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Value as Json, json};

use super::{
    name, names, number, object, scalar,
    strings::{DATE_FIELDS, LIMITS, NUMBER_FIELDS, TEXT_FIELDS},
    with,
};

/// Generates a valid condition of any type, with the type.
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
    let lengths = vec((name(TEXT_FIELDS), (1..4_u32).prop_map(Json::from)), 1..3).prop_map(object);
    (option::of(names(TEXT_FIELDS)), option::of(names(TEXT_FIELDS)), lengths, any::<bool>())
        .prop_map(|(required, forbidden, lengths, has_lengths)| {
            let has_lengths = has_lengths || (required.is_none() && forbidden.is_none());
            let condition = with(json!({}), "required_fields", required);
            let condition = with(condition, "forbidden_fields", forbidden);
            with(condition, "min_length", has_lengths.then_some(lengths))
        })
}

fn threshold() -> impl Strategy<Value = Json> {
    let flag = || option::of(any::<bool>());
    (name(NUMBER_FIELDS), option::of(number()), number(), flag(), flag()).prop_map(
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
    (name(TEXT_FIELDS), mode, vec(scalar(), 1..8), option::of(any::<bool>())).prop_map(
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
    (name(DATE_FIELDS), test)
        .prop_map(|(field, (member, value))| with(json!({"field": field}), member, Some(value)))
}

fn pattern() -> impl Strategy<Value = Json> {
    let patterns =
        &["^[A-Z]{3}$", "a|1", "(?i)^usd$", "\\s", "^\\w$", "^\\p{L}+$", ".", "K", "(?i)k"][..];
    (name(TEXT_FIELDS), select(&["matches", "forbids"][..]), select(patterns))
        .prop_map(|(field, mode, pattern)| with(json!({"field": field}), mode, Some(pattern)))
}

/// Generates a comparison, mostly of two fields of one kind or of a field and a value of its kind.
fn comparison() -> impl Strategy<Value = Json> {
    let kind = select(&[TEXT_FIELDS, NUMBER_FIELDS, DATE_FIELDS][..]);
    let sides = kind.prop_flat_map(|fields| (name(fields), name(fields)));
    let operator = select(&["eq", "ne", "lt", "lte", "gt", "gte"][..]);
    (sides, operator, option::of(scalar())).prop_map(|((left, right), operator, value)| {
        let condition = json!({"left": left, "operator": operator});
        match value {
            Some(value) if !value.is_boolean() || ["eq", "ne"].contains(&operator) => {
                with(condition, "right_value", Some(value))
            }
            _ => with(condition, "right", Some(right)),
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
    (
        names(TEXT_FIELDS).prop_filter("two fields", |names| names.len() > 1),
        option::of(any::<bool>()),
    )
        .prop_map(|(fields, actor)| with(json!({"fields": fields}), "include_actor", actor))
}
