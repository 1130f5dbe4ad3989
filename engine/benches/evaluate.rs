//! Benchmark: evaluation of a parsed context of 40 fields. The README lists the targets (medians).

#![expect(clippy::unwrap_used, reason = "a bench stops where its set-up is wrong")]

use std::hint::black_box;

use contract::{json::Object, rule::Rule, time::Timestamp};
use criterion::{Criterion, criterion_group, criterion_main};
use engine::{Evidence, Input, PolicyRules, Program, evaluate};
use serde_json::{Value as Json, json};

/// The number of fields of a context; half of them are numbers.
const FIELDS: usize = 40;
/// The number of distinct values that the gates of a sparse program match; a context has four of them.
const REGIONS: usize = 400;

fn dense(c: &mut Criterion) {
    let context = context();
    let input = input(&context);
    for count in [10, 100, 1_000, 10_000] {
        let program = compile((0..count).map(|n| rule(n, None)));
        c.bench_function(&format!("dense/{count}"), |b| {
            b.iter(|| evaluate(black_box(&program), black_box(&input)));
        });
    }
}

/// Evaluates 10,000 gated rules, of which 100 apply.
fn sparse(c: &mut Criterion) {
    let context = context();
    let input = input(&context);
    let program = compile((0..10_000).map(|n| rule(n, Some(gate(n)))));
    assert_eq!(
        evaluate(&program, &input).unwrap().rules_evaluated,
        100,
        "one in a hundred applies"
    );
    c.bench_function("sparse/10000", |b| {
        b.iter(|| evaluate(black_box(&program), black_box(&input)));
    });
    c.bench_function("sparse/10000/na_rules", |b| {
        b.iter(|| {
            let evaluation = evaluate(black_box(&program), black_box(&input)).unwrap();
            evaluation.na_rules(black_box(&input))
        });
    });
    let scanned = program.without_index();
    c.bench_function("sparse/10000/without_index", |b| {
        b.iter(|| evaluate(black_box(&scanned), black_box(&input)));
    });
}

fn input(context: &Object) -> Input<'_> {
    const EVIDENCE: &[Evidence<'_>] =
        &[Evidence { kind: Some("invoice"), hash: None, data_digest: None }];
    let as_of: Timestamp = "2026-09-01T10:00:00Z".parse().unwrap();
    Input { fields: context, evidence: EVIDENCE, actor_id: Some("agent-7"), as_of }
}

fn context() -> Object {
    let mut fields = serde_json::Map::new();
    for n in 0..FIELDS / 2 {
        fields.insert(format!("amount_{n}"), json!(n * 100));
        fields.insert(format!("label_{n}"), json!(format!("Value number {n}")));
    }
    for n in 0..4 {
        fields.remove(&format!("label_{n}"));
        fields.insert(format!("region_{n}"), json!(format!("R-{n}")));
    }
    fields.remove("label_4");
    fields.insert("valid_until".to_owned(), json!("2026-12-31"));
    assert_eq!(fields.len(), FIELDS);
    serde_json::from_value(fields.into()).unwrap()
}

/// Returns rule `n` of a typical mixture of types: mostly thresholds, lists and presence. All pass.
fn rule(n: usize, when: Option<Json>) -> Json {
    let (number, label) = (n % 20, 5 + n % 15);
    let (rule_type, condition) = match n % 10 {
        0..=3 => ("threshold", json!({"field": format!("amount_{number}"), "max": 500_000})),
        4 | 5 => (
            "list",
            json!({"field": format!("label_{label}"), "forbidden": ["Alpha", "Beta", "Gamma"]}),
        ),
        6 | 7 => ("presence", json!({"required_fields": [format!("label_{label}")]})),
        8 => ("temporal", json!({"field": "valid_until", "check": "not_expired"})),
        _ => (
            "comparison",
            json!({
                "left": "amount_1", "operator": "lte", "right": format!("amount_{}", 1 + n % 19),
            }),
        ),
    };
    let code = format!("R-{n}");
    let mut rule = json!({
        "code": code, "rule_type": rule_type, "condition": condition, "severity": "high",
    });
    if let Some(when) = when {
        rule["when"] = when;
    }
    rule
}

/// Returns gate `n` on one of four fields. One in a hundred matches; they are plain, case-insensitive, lists
/// and nested.
fn gate(n: usize) -> Json {
    let (field, region) = (format!("region_{}", n % 4), format!("R-{}", n % REGIONS));
    let plain = json!({"field": field, "equals": region});
    match n / REGIONS % 4 {
        0 => plain,
        1 => json!({"field": field, "equals": region, "case_sensitive": false}),
        2 => json!({"field": field, "in": [region, format!("Q-{n}")]}),
        _ => json!({"all": [{"field": "amount_1", "exists": true}, plain]}),
    }
}

fn compile(rules: impl Iterator<Item = Json>) -> Program {
    let rules: Vec<Rule> = rules.map(|rule| serde_json::from_value(rule).unwrap()).collect();
    let policy_id = "a0000000-0000-4000-8000-000000000001".parse().unwrap();
    Program::compile(&[PolicyRules { policy_id, shadow_mode: false, rules: &rules }]).unwrap()
}

criterion_group!(benches, dense, sparse);
criterion_main!(benches);
