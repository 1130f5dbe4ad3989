//! Bodies that are no JSON, and JSON that is no request.

use std::fmt::Write as _;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, text},
    routes::{self, Ids},
    service::{TestService, payment, policy, request, world},
};

async fn evaluate(world: &TestService, body: impl Into<Vec<u8>>) -> TestResponse {
    world.key.call("POST", "/v1/decisions/evaluate").body("application/json", body).await
}

/// A request whose fields hold `fields`.
fn with_fields(fields: &str) -> String {
    format!(r#"{{"context":{{"decision_type":"payment","fields":{{{fields}}}}}}}"#)
}

#[tokio::test]
async fn what_is_not_json_as_the_contract_reads_it_says_why() {
    let world = world().await;
    let deep = |depth: usize| format!("\"a\":{}1{}", "[".repeat(depth), "]".repeat(depth));
    let members = |count: usize| {
        (0..count).fold(String::new(), |mut text, number| {
            let comma = if number == 0 { "" } else { "," };
            write!(text, "{comma}\"f{number}\":1").unwrap();
            text
        })
    };
    let mut reasons = String::new();
    for (name, body) in [
        ("nothing", String::new()),
        ("an open brace", "{".to_owned()),
        ("two texts", "{} {}".to_owned()),
        ("a comma too many", "{\"context\":{},}".to_owned()),
        ("a byte-order mark", "\u{feff}{}".to_owned()),
        ("a comment", "{} // really".to_owned()),
        ("single quotes", "{'context':{}}".to_owned()),
        ("NaN", with_fields("\"a\":NaN")),
        ("a leading zero", with_fields("\"a\":01")),
        ("a raw line break", with_fields("\"a\":\"\n\"")),
        ("a lone high surrogate", with_fields(r#""a":"\ud800""#)),
        ("a lone low surrogate", with_fields(r#""a":"\udc00x""#)),
        ("surrogates in the wrong order", with_fields(r#""a":"\udc00\ud800""#)),
        ("a name twice", with_fields(r#""a":1,"a":1"#)),
        ("a name twice at depth", with_fields(r#""a":[{"b":{"c":1,"d":2,"c":3}}]"#)),
        ("a name twice, once escaped", with_fields(r#""a":1,"\u0061":2"#)),
        ("2^53", with_fields("\"a\":9007199254740992")),
        ("-2^53", with_fields("\"a\":-9007199254740992")),
        ("1e400", with_fields("\"a\":1e400")),
        ("U+0000", with_fields(r#""a":"x\u0000""#)),
        ("U+0000 in a name", with_fields(r#""a\u0000":1"#)),
        ("a noncharacter", with_fields(r#""a":"\ufffe""#)),
        ("65 levels", with_fields(&deep(63))),
        ("10,001 members", with_fields(&members(9_998))),
    ] {
        let refused = evaluate(&world, body).await;
        writeln!(reasons, "{name}: {refused}").unwrap();
    }
    assert_snapshot!(reasons, @"
    nothing: 422 VALIDATION_ERROR (JSON_SYNTAX)
    an open brace: 422 VALIDATION_ERROR (JSON_SYNTAX)
    two texts: 422 VALIDATION_ERROR (JSON_SYNTAX)
    a comma too many: 422 VALIDATION_ERROR (JSON_SYNTAX)
    a byte-order mark: 422 VALIDATION_ERROR (JSON_SYNTAX)
    a comment: 422 VALIDATION_ERROR (JSON_SYNTAX)
    single quotes: 422 VALIDATION_ERROR (JSON_SYNTAX)
    NaN: 422 VALIDATION_ERROR (JSON_SYNTAX)
    a leading zero: 422 VALIDATION_ERROR (JSON_SYNTAX)
    a raw line break: 422 VALIDATION_ERROR (JSON_SYNTAX)
    a lone high surrogate: 422 VALIDATION_ERROR (JSON_SYNTAX)
    a lone low surrogate: 422 VALIDATION_ERROR (JSON_SYNTAX)
    surrogates in the wrong order: 422 VALIDATION_ERROR (JSON_SYNTAX)
    a name twice: 422 VALIDATION_ERROR (DUPLICATE_KEY)
    a name twice at depth: 422 VALIDATION_ERROR (DUPLICATE_KEY)
    a name twice, once escaped: 422 VALIDATION_ERROR (DUPLICATE_KEY)
    2^53: 422 VALIDATION_ERROR (NUMBER_OUT_OF_RANGE)
    -2^53: 422 VALIDATION_ERROR (NUMBER_OUT_OF_RANGE)
    1e400: 422 VALIDATION_ERROR (NUMBER_OUT_OF_RANGE)
    U+0000: 422 VALIDATION_ERROR (STRING_NUL)
    U+0000 in a name: 422 VALIDATION_ERROR (STRING_NUL)
    a noncharacter: 422 VALIDATION_ERROR (STRING_NONCHARACTER)
    65 levels: 422 VALIDATION_ERROR (LIMIT_DEPTH)
    10,001 members: 422 VALIDATION_ERROR (LIMIT_MEMBERS)
    ");
    for (name, body) in [
        ("64 levels", with_fields(&deep(61))),
        ("10,000 members", with_fields(&members(9_997))),
        ("2^53 - 1", with_fields("\"a\":9007199254740991,\"b\":-9007199254740991")),
        ("a pair of surrogates", with_fields(r#""a":"\ud83d\ude00""#)),
        ("U+FFFD", with_fields("\"a\":\"\u{fffd}\"")),
    ] {
        let read = evaluate(&world, body).await;
        assert_eq!(read.to_string(), "404 NO_ACTIVE_POLICIES", "{name}");
    }
}

#[tokio::test]
async fn bytes_that_are_no_utf_8_are_no_json() {
    let world = world().await;
    for bytes in [&b"\xff"[..], b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"] {
        let [start, end] = [&b"{\"context\":\""[..], &b"\"}"[..]];
        let refused = evaluate(&world, [start, bytes, end].concat()).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR (JSON_SYNTAX)", "{bytes:?}");
    }
}

#[tokio::test]
async fn every_body_is_read_as_strictly() {
    let world = world().await;
    for path in ["/v1/policies", "/v1/decisions/record", "/v1/session"] {
        let call = world.key.call("POST", path);
        let twice = call.clone().body("application/json", r#"{"a":1,"a":1}"#).await;
        assert_eq!(twice.to_string(), "422 VALIDATION_ERROR (DUPLICATE_KEY)", "{path}");
        let nul = call.body("application/json", r#"{"a":"\u0000"}"#).await;
        assert_eq!(nul.to_string(), "422 VALIDATION_ERROR (STRING_NUL)", "{path}");
    }
}

#[tokio::test]
async fn a_body_must_be_an_object() {
    let world = world().await;
    for body in ["null", "true", "7", "\"text\"", "[]"] {
        let refused = evaluate(&world, body).await;
        assert_eq!(refused.faults(), " type\n", "{body}");
    }
}

#[tokio::test]
async fn a_misspelt_member_is_told_the_right_one() {
    let world = world().await;
    let mut body = policy("PAY-01");
    body["desciption"] = json!("");
    body["rules"][0]["sevrity"] = json!("high");
    body["rules"][0]["condition"]["mx"] = json!(1);
    body["zzz"] = json!(1);
    let refused = world.key.post("/v1/policies", &body).await;
    let messages: Vec<String> = refused.details()["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| format!("{}: {}", text(&error["path"]), text(&error["message"])))
        .collect();
    assert_snapshot!(messages.join("\n"), @"
    /desciption: `desciption` is not a member here; did you mean `description`?
    /zzz: `zzz` is not a member here
    /rules/0/condition/mx: `mx` is not a member here; did you mean `max`?
    /rules/0/sevrity: `sevrity` is not a member here; did you mean `severity`?
    ");
}

#[tokio::test]
async fn every_fault_of_a_body_is_named_at_once() {
    let world = world().await;
    let body = json!({
        "code": "no spaces", "name": "", "decision_types": ["", 7], "shadow_mode": "yes",
        "description": null, "inheritable": 1, "regulatory_refs": "GDPR", "policy_group_id": "x",
        "change_reason": "", "extra": 1, "rules": [{}],
    });
    assert_snapshot!(world.key.post("/v1/policies", &body).await.faults(), @"
    /code format
    /name too_short
    /decision_types/0 too_short
    /decision_types/1 type
    /policy_group_id format
    /shadow_mode type
    /inheritable type
    /regulatory_refs type
    /change_reason too_short
    /extra unknown
    /rules/0/code required
    /rules/0/rule_type required
    /rules/0/condition required
    /rules/0/severity required
    ");
    let body = json!({
        "idempotency_key": "", "actor": {"name": "x"}, "action": {"kind": "x"}, "chain": {},
        "policy_ids": ["x"], "policy_group_code": "-",
        "context": {
            "decision_type": "", "fields": [], "evidence": [7, {"kind": 7}, {"data": null, "x": 1}],
            "metadata": {"timestamp": "yesterday", "actor_id": ""},
            "source_artifact": {"byte_size": 0, "size": 1}, "x": 1,
        },
    });
    assert_snapshot!(world.key.post("/v1/decisions/record", &body).await.faults(), @"
    /context/decision_type too_short
    /context/fields type
    /context/evidence/0 type
    /context/evidence/1/kind type
    /context/evidence/2/x unknown
    /context/metadata/actor_id too_short
    /context/metadata/timestamp format
    /context/source_artifact/byte_size range
    /context/source_artifact/size unknown
    /context/x unknown
    /idempotency_key too_short
    /actor/name unknown
    /chain/chain_id required
    /action/type required
    /action/kind unknown
    /policy_group_code format
    /policy_ids/0 format
    ");
}

#[tokio::test]
async fn what_is_required_is_named_where_it_should_be() {
    let world = world().await;
    for (path, faults) in [
        ("/v1/policies", "/code required\n/name required\n"),
        ("/v1/decisions/evaluate", "/context required\n"),
        ("/v1/decisions/record", "/context required\n/idempotency_key required\n"),
        ("/v1/session", "/email required\n/password required\n"),
    ] {
        assert_eq!(world.key.post(path, &json!({})).await.faults(), faults, "{path}");
    }
    let version = world.draft("PAY-01").await;
    let author = world.author().await;
    let next = author.post(format!("{}/versions", version.of()), &json!({})).await;
    assert_eq!(next.faults(), "/rules required\n");
    let edit = author.patch(version.path(), &json!({})).await;
    assert_eq!(edit.faults(), "/expected_revision required\n");
    let submit = author.post(version.act("submit"), &json!({"note": "please"})).await;
    assert_eq!(submit.faults(), "/note unknown\n");
    let reject = world.ratifier().await.post(version.act("reject"), &json!({})).await;
    assert_eq!(reject.faults(), "/reason required\n");
}

#[tokio::test]
async fn texts_and_lists_have_the_bounds_of_the_contract() {
    let world = world().await;
    world.active("PAY-01").await;
    let record = async |change: &dyn Fn(&mut Value)| {
        let mut body = request("k", 1);
        change(&mut body);
        world.key.post("/v1/decisions/record", &body).await
    };
    // Characters, not bytes.
    let long = |length: usize| json!("ü".repeat(length));
    let good = record(&|body| body["idempotency_key"] = long(255)).await;
    assert_eq!(good.status, 201, "{}", good.text);
    let bad = record(&|body| body["idempotency_key"] = long(256)).await;
    assert_eq!(bad.faults(), "/idempotency_key too_long\n");
    let bad = record(&|body| body["context"]["decision_type"] = long(101)).await;
    assert_eq!(bad.faults(), "/context/decision_type too_long\n");
    let evidence = |count: usize| Value::Array(vec![json!({"kind": "k"}); count]);
    let good = record(&|body| body["context"]["evidence"] = evidence(1_000)).await;
    assert_eq!(good.status, 201, "{}", good.text);
    let bad = record(&|body| body["context"]["evidence"] = evidence(1_001)).await;
    assert_eq!(bad.faults(), "/context/evidence too_many\n");

    let create = async |member: &str, value: Value| {
        let mut body = policy("PAY-02");
        body[member] = value;
        world.key.post("/v1/policies", &body).await.faults()
    };
    assert_eq!(create("code", json!("x".repeat(101))).await, "/code too_long\n");
    for code in [".x", "-x", "a b", "ä", "a/b", "a\u{200b}"] {
        assert_eq!(create("code", json!(code)).await, "/code format\n", "{code}");
    }
    assert_eq!(create("name", long(201)).await, "/name too_long\n");
    assert_eq!(create("name", json!(" \u{3000}")).await, "/name too_short\n");
    assert_eq!(create("description", long(65_537)).await, "/description too_long\n");
    assert_eq!(create("change_reason", long(501)).await, "/change_reason too_long\n");
}

#[tokio::test]
async fn numbers_that_are_no_revision_are_refused() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    for number in [json!(-1), json!(1.5), json!("1"), json!(null), json!(4_294_967_296_u64)] {
        let edit = json!({"expected_revision": number});
        let refused = world.key.patch(version.path(), &edit).await;
        assert_eq!(refused.faults(), "/expected_revision range\n", "{edit}");
    }
    // The same number spelt otherwise is the same number.
    let call = world.key.call("PATCH", version.path());
    let edit = call.body("application/json", "{\"expected_revision\":1.0}").await;
    assert_eq!(edit.expect(200)["draft_revision"], 2);
}

#[tokio::test]
async fn free_maps_hold_what_they_are_given() {
    let world = world().await;
    world.active("PAY-01").await;
    let free = json!({"": 1, "a b": [null, true, {"x": -0.5}], "emoji": "\u{1f600}", "n": null});
    let mut body = request("k", 1);
    body["context"]["fields"] = free.clone();
    body["context"]["metadata"] = json!({"anything": free, "correlation_id": "c"});
    body["context"]["evidence"] = json!([{"kind": "invoice", "data": free}]);
    body["action"] = json!({"type": "payment", "metadata": free});
    let made = world.key.post("/v1/decisions/record", &body).await.expect(201);
    assert_eq!(made["decision"]["context"], body["context"]);
    assert_eq!(made["decision"]["result"]["action"], body["action"]);
    assert!(made["decision"]["result"]["evidence_manifest_digest"].is_string());
    let id = text(&made["decision"]["id"]);
    let read = world.key.get(format!("/v1/decisions/{id}")).await.expect(200);
    assert_eq!(read, made["decision"]);
}

#[tokio::test]
async fn hostile_texts_are_data() {
    let world = world().await;
    world.active("PAY-01").await;
    for (number, hostile) in [
        "'; drop table decisions; --",
        "$1",
        "\\",
        "\\u0000",
        "<script>alert(1)</script>",
        "\u{202e}\u{200f}",
        "%s%n",
        "../../etc/passwd",
    ]
    .iter()
    .enumerate()
    {
        let mut body = json!({"idempotency_key": hostile, "context": payment(1)});
        body["context"]["decision_type"] = json!("payment");
        body["context"]["fields"][*hostile] = json!(hostile);
        body["actor"] = json!({"id": hostile});
        let made = world.key.post("/v1/decisions/record", &body).await.expect(201);
        assert_eq!(made["decision"]["idempotency_key"], *hostile);
        let policy = json!({"code": format!("H{number}"), "name": hostile});
        let made = world.key.post("/v1/policies", &policy).await.expect(201);
        assert_eq!(made["policy"]["name"], *hostile);
    }
}

/// Values that do not belong where they are put.
fn strange() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(0.5),
        json!(9_007_199_254_740_991_u64),
        json!(""),
        json!("\u{10fffd}"),
        json!("9999-12-31T23:59:59.999Z"),
        json!("x".repeat(70_000)),
        json!([]),
        json!([[[]], {}]),
        json!({}),
        json!({"field": "amount", "equals": {"a": 1}}),
    ]
}

/// The pointers to all values within `value`.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                pointers(member, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                pointers(element, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn no_value_in_the_wrong_place_is_a_fault_of_ours() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let ids = Ids { policy: version.policy, ..Ids::missing() };
    let admin = world.admin().await;
    let mut full = request("k", 1);
    full["actor"] = json!({"id": "a", "type": "t"});
    full["action"] = json!({"type": "t", "metadata": {"a": 1}});
    full["context"]["evidence"] = json!([{"kind": "k", "hash": "h", "data": {"a": 1}}]);
    full["context"]["metadata"] = json!({"timestamp": "2026-09-01T10:00:00Z", "actor_id": "a"});
    full["context"]["source_artifact"] = json!({"type": "PDF", "byte_size": 1});
    for (route, permission) in routes::guarded() {
        let Some(sample) = routes::body(&route) else { continue };
        let good = if route.path.ends_with("/record") { full.clone() } else { sample };
        let client = if permission.scopes.is_some() { &world.key } else { &admin };
        let mut places = Vec::new();
        pointers(&good, "", &mut places);
        for place in places {
            for value in strange() {
                let mut body = good.clone();
                *body.pointer_mut(&place).expect("it was found there") = value;
                let call = client.call(&route.method, routes::path(&route, &ids));
                let answer = call.json(&body).await;
                assert!(answer.status < 500, "{} {place}: {answer}", route.path);
            }
        }
    }
}

#[tokio::test]
async fn no_body_names_who_acts() {
    let world = world().await;
    let version = world.submitted("PAY-01").await;
    let draft = world.draft("PAY-02").await;
    let submission = world.seal(&draft).await;
    let ratifier = world.ratifier().await;
    let me = ratifier.get("/v1/session").await.expect(200)["user"]["id"].clone();
    let records = draft.act(&format!("submissions/{submission}/records"));
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "better"});
    for (path, body, names) in [
        (
            version.act("ratify"),
            json!({"expected_revision": 1}),
            &["ratified_by", "ratifier", "ratifier_id", "user_id", "on_behalf_of"][..],
        ),
        (version.act("activate"), json!({}), &["activated_by", "user_id"]),
        (version.act("reject"), json!({"reason": "because"}), &["rejected_by"]),
        (draft.act("submit"), json!({}), &["submitted_by"]),
        (draft.act("seal"), json!({}), &["sealed_by"]),
        (records, json!({"verdict": "ACCEPT"}), &["recorded_by", "reviewer"]),
        (draft.act("set-aside"), json!({"reason": "because"}), &["closed_by"]),
        (draft.act("supersede"), correction, &["created_by", "closed_by"]),
    ] {
        for name in names {
            let mut body = body.clone();
            body[name] = me.clone();
            let refused = ratifier.post(&path, &body).await;
            assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{path} {name}");
            assert_eq!(refused.faults(), format!("/{name} unknown\n"), "{path}");
        }
    }
    assert_eq!(world.key.get(version.path()).await.expect(200)["status"], "submitted");
    assert_eq!(world.key.get(draft.path()).await.expect(200)["status"], "draft");
}
