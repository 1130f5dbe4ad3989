//! Tests of the codifier: complete errors, sources from clauses, and counts.

use contract::{
    codification::{Codification, RefusalKind},
    json::{Limits, Value},
    read,
};

fn parse(text: &str) -> Value {
    Value::parse(text.as_bytes(), &Limits::REQUEST).expect("the text is JSON")
}

fn block(clauses: &str, ledger: &str) -> Codification {
    let text = format!(
        r#"{{"source":{{"document":"Code","url":"https://law.example/code"}},
            "clauses":{clauses},"ledger":{ledger}}}"#
    );
    read::body(&parse(&text)).expect("the block can be read")
}

fn rules(text: &str) -> Vec<Value> {
    parse(text).as_array().expect("a list").to_vec()
}

const TWO_CLAUSES: &str = r#"[{"unit_id":"u1","locator":"§ 1","text":"One shall."},
    {"unit_id":"u2","locator":"§ 2","text":"Two shall."}]"#;

#[test]
fn all_codification_errors_are_reported_together() {
    let clauses = r#"[{"unit_id":"u1","locator":"1","text":"One."},
        {"unit_id":"u1","locator":"2","text":"Two."},
        {"unit_id":"u2","locator":"3","text":" \t"},
        {"unit_id":"u3","locator":"4","text":"Four."}]"#;
    let ledger = r#"[{"unit_id":"u1","disposition":"mapped","rule_code":"R9"},
        {"unit_id":"u2","disposition":"refused"},
        {"unit_id":"u9","disposition":"ambiguous"}]"#;
    let refusals =
        codify::codify(&block(clauses, ledger), &rules(r#"[{"code":"R1"}]"#)).unwrap_err();
    let errors: Vec<_> = refusals
        .iter()
        .map(|refusal| (refusal.kind, refusal.unit_id.as_deref(), refusal.rule_code.as_deref()))
        .collect();
    assert_eq!(
        errors,
        [
            (RefusalKind::DuplicateUnit, Some("u1"), None),
            (RefusalKind::EmptyClause, Some("u2"), None),
            (RefusalKind::UnknownClause, Some("u3"), None),
            (RefusalKind::UnknownRule, Some("u1"), Some("R9")),
            (RefusalKind::UnknownClause, Some("u9"), None),
            (RefusalKind::UnmappedRule, None, Some("R1")),
        ]
    );
    assert!(refusals.iter().all(|refusal| refusal.message.contains('`')));
}

#[test]
fn rule_source_is_its_first_mapped_clause() {
    let ledger = r#"[{"unit_id":"u2","disposition":"mapped","rule_code":"R1"},
        {"unit_id":"u1","disposition":"mapped","rule_code":"R1"},
        {"unit_id":"u1","disposition":"mapped","rule_code":"R2"}]"#;
    let authored = rules(
        r#"[{"code":"R1","name":"Retention","source_ref":{"document":"Blog","section":"9"}},{"code":"R2"}]"#,
    );
    let codified = codify::codify(&block(TWO_CLAUSES, ledger), &authored)
        .expect("the rules match the codification");
    let texts: Vec<String> = codified.rules.iter().map(Value::to_canonical).collect();
    assert_eq!(
        texts,
        [
            r#"{"code":"R1","name":"Retention","source_ref":{"document":"Code","section":"§ 2","url":"https://law.example/code"}}"#,
            r#"{"code":"R2","source_ref":{"document":"Code","section":"§ 1","url":"https://law.example/code"}}"#,
        ]
    );
}

#[test]
fn clause_is_counted_once_per_disposition() {
    let ledger = r#"[{"unit_id":"u1","disposition":"mapped","rule_code":"R1"},
        {"unit_id":"u1","disposition":"mapped","rule_code":"R2"},
        {"unit_id":"u1","disposition":"ambiguous"},
        {"unit_id":"u2","disposition":"non_normative","note":"a purpose"}]"#;
    let block = block(TWO_CLAUSES, ledger);
    let codified = codify::codify(&block, &rules(r#"[{"code":"R1"},{"code":"R2"}]"#)).unwrap();
    let lint = codify::lint::builtin(&block, &codified.rules, 3);
    let record = codified.record(block, lint);
    let text = serde_json::to_string(&record.counts).unwrap();
    assert_eq!(
        text,
        r#"{"clauses":2,"mapped":1,"ambiguous":1,"unsupported":0,"non_normative":1,"refused":0}"#
    );
    assert_eq!(record.ledger.len(), 4);
    assert_eq!(record.ledger[3].note.as_deref(), Some("a purpose"));
    let units: Vec<&str> = record.lint.clauses.iter().map(|lint| &*lint.unit_id).collect();
    assert_eq!((units, record.lint.elapsed_ms), (vec!["u1", "u2"], 3));
}
