//! Clauses beside rules: what is refused, what is kept, and what the lint says of them.

mod fake_provider;

use serde_json::{Value, json};

use crate::{
    client::text,
    service::{TestService, Version, policy, rules, world},
};

/// A block whose clauses became the three rules of [`rules`].
pub(crate) fn block() -> Value {
    json!({
        "source": {"document": "Payment handbook", "url": "https://handbook.example/payments"},
        "clauses": [
            {"unit_id": "u1", "locator": "section 1", "text": "A payment may not exceed 10,000 euros."},
            {"unit_id": "u2", "locator": "section 2", "text": "A payment should have a purpose."},
            {"unit_id": "u3", "locator": "section 3(a)",
             "text": "Payments within the Union must name a valid tax number."},
            {"unit_id": "u4", "locator": "section 4",
             "text": "The treasurer shall act with appropriate care, as section 9 requires."},
            {"unit_id": "u5", "locator": "section 5", "text": "This handbook protects our suppliers."},
        ],
        "ledger": [
            {"unit_id": "u1", "disposition": "mapped", "rule_code": "AMOUNT"},
            {"unit_id": "u2", "disposition": "mapped", "rule_code": "PURPOSE", "note": "as we do it"},
            {"unit_id": "u3", "disposition": "mapped", "rule_code": "TAX"},
            {"unit_id": "u4", "disposition": "unsupported"},
            {"unit_id": "u5", "disposition": "non_normative"},
        ],
    })
}

/// The body of a new policy with the block.
pub(crate) fn codified(code: &str) -> Value {
    let mut body = policy(code);
    body["codification"] = block();
    body
}

async fn drafted(world: &TestService, code: &str) -> (Version, Value) {
    let made = world.author().await.post("/v1/policies", &codified(code)).await.expect(201);
    let version = Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 };
    (version, made["version"].clone())
}

/// The findings of a record, as `UNIT CODE`, one on each line.
fn findings(record: &Value) -> String {
    let clauses = record["lint"]["clauses"].as_array().expect("one entry for each clause");
    let lines = clauses.iter().flat_map(|clause| {
        let findings = clause["findings"].as_array().expect("a list of findings");
        let unit = text(&clause["unit_id"]);
        findings.iter().map(move |finding| format!("{unit} {}\n", text(&finding["code"])))
    });
    lines.collect()
}

#[tokio::test]
async fn a_version_keeps_its_clauses_and_its_rules_their_sources() {
    let world = world().await;
    let (version, made) = drafted(&world, "PAY-01").await;
    for rule in made["rules"].as_array().unwrap() {
        let section = match text(&rule["code"]) {
            "AMOUNT" => "section 1",
            "PURPOSE" => "section 2",
            _ => "section 3(a)",
        };
        let source = json!({"document": "Payment handbook", "section": section,
            "url": "https://handbook.example/payments"});
        assert_eq!(rule["source_ref"], source);
    }
    let record = &made["codification_record"];
    let names: Vec<&String> = record.as_object().unwrap().keys().collect();
    assert_eq!(names, ["clauses", "counts", "ledger", "lint", "refusals", "schema", "source"]);
    assert_eq!(record["schema"], "service-codification-record/v1");
    assert_eq!((&record["source"], &record["clauses"]), (&block()["source"], &block()["clauses"]));
    assert_eq!(
        record["counts"],
        json!({"clauses": 5, "mapped": 3, "ambiguous": 0, "unsupported": 1, "non_normative": 1, "refused": 0})
    );
    assert_eq!(
        record["ledger"][1],
        json!({"unit_id": "u2", "disposition": "mapped", "note": "as we do it"})
    );
    assert_eq!((&record["refusals"], record["ledger"].as_array().unwrap().len()), (&json!([]), 5));
    // The same in every answer that shows the version.
    assert_eq!(world.key.get(version.path()).await.expect(200), made);
    let policy = world.key.get(format!("{}?version=1", version.of())).await.expect(200);
    assert_eq!(policy["version"], made);
    let sent = world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    assert_eq!(&sent["codification_record"], record);
    // A list is short.
    let list = world.key.get(format!("{}/versions", version.of())).await.expect(200);
    assert_eq!(list["items"][0].get("codification_record"), None);
}

#[tokio::test]
async fn the_lint_says_what_a_reviewer_should_know() {
    let world = world().await;
    let (_, made) = drafted(&world, "PAY-01").await;
    let record = &made["codification_record"];
    let lint = &record["lint"];
    assert_eq!(lint["schema"], "service-codification-lint/v1");
    assert_eq!((&lint["status"], &lint["answerer"]), (&json!("ran"), &json!("builtin")));
    assert_eq!((&lint["questions_version"], &lint["floor"]), (&json!("builtin/1"), &json!(60)));
    assert_eq!(
        findings(record),
        "u3 obligation_as_guidance\n\
         u4 obligation_unmapped\n\
         u4 vague_term\n\
         u4 undefined_reference\n"
    );
    let needs: Vec<&Value> =
        lint["clauses"].as_array().unwrap().iter().map(|clause| &clause["needs_context"]).collect();
    assert_eq!(needs, [false, false, false, true, false]);
    for clause in lint["clauses"].as_array().unwrap() {
        for finding in clause["findings"].as_array().unwrap() {
            let confidence = finding["evidence"]["confidence"].as_f64().expect("a number");
            assert!((0.6..=1.0).contains(&confidence), "{finding}");
        }
    }
    // The same clauses against other rules: guidance that denies, and a number that is gone.
    let mut body = codified("PAY-02");
    body["rules"][0]["condition"]["max"] = json!(9_000);
    body["rules"][1]["severity"] = json!("critical");
    let made = world.author().await.post("/v1/policies", &body).await.expect(201);
    let found = findings(&made["version"]["codification_record"]);
    assert!(found.starts_with("u1 number_not_in_rule\nu2 guidance_as_obligation\n"), "{found}");
}

#[tokio::test]
async fn the_source_that_a_caller_gives_is_not_taken() {
    let world = world().await;
    let mut body = codified("PAY-01");
    body["rules"][0]["source_ref"] = json!({"document": "A blog", "section": "9"});
    let made = world.author().await.post("/v1/policies", &body).await.expect(201);
    assert_eq!(made["version"]["rules"][0]["source_ref"]["document"], "Payment handbook");
    // The digest is of the rules that are stored.
    let (_, clean) = drafted(&world, "PAY-02").await;
    assert_eq!(made["version"]["rules_digest"], clean["rules_digest"]);
}

/// The refusals of a call, as `KIND UNIT RULE`, one on each line.
async fn refused(world: &TestService, change: impl FnOnce(&mut Value)) -> String {
    let mut body = codified("REFUSED");
    change(&mut body);
    let answer = world.author().await.post("/v1/policies", &body).await;
    assert_eq!(answer.to_string(), "422 CODIFICATION_REFUSED");
    let details = answer.details();
    let refusals = details["refusals"].as_array().expect("a list of refusals").iter();
    let word = |refusal: &Value, name: &str| refusal[name].as_str().unwrap_or("-").to_owned();
    let line = |refusal: &Value| {
        assert!(!word(refusal, "message").ends_with('.'), "{refusal}");
        let [kind, unit, rule] = ["kind", "unit_id", "rule_code"].map(|name| word(refusal, name));
        format!("{kind} {unit} {rule}\n")
    };
    refusals.map(line).collect()
}

#[tokio::test]
async fn each_kind_of_misfit_is_refused_and_nothing_is_kept() {
    let world = world().await;
    let entry = |unit: &str, rule: &str| json!({"unit_id": unit, "disposition": "mapped", "rule_code": rule});
    let ledger = |body: &mut Value, entry| {
        body["codification"]["ledger"].as_array_mut().unwrap().push(entry);
    };
    let unknown = refused(&world, |body| ledger(body, entry("u9", "TAX"))).await;
    assert_eq!(unknown, "unknown_clause u9 TAX\n");
    let unknown = refused(&world, |body| ledger(body, entry("u1", "NONE"))).await;
    assert_eq!(unknown, "unknown_rule u1 NONE\n");
    let unmapped = refused(&world, |body| {
        body["codification"]["ledger"][2] = json!({"unit_id": "u3", "disposition": "ambiguous"});
    });
    assert_eq!(unmapped.await, "unmapped_rule - TAX\n");
    let twice = refused(&world, |body| body["codification"]["clauses"][4]["unit_id"] = json!("u4"));
    assert_eq!(twice.await, "duplicate_unit u4 -\nunknown_clause u5 -\n");
    let empty = refused(&world, |body| body["codification"]["clauses"][4]["text"] = json!(" "));
    assert_eq!(empty.await, "empty_clause u5 -\n");
    let no_entry = refused(&world, |body| {
        body["codification"]["ledger"].as_array_mut().unwrap().pop();
    });
    assert_eq!(no_entry.await, "unknown_clause u5 -\n");
    let all = refused(&world, |body| body["codification"]["ledger"] = json!([])).await;
    assert_eq!(all.lines().count(), 8, "five clauses and three rules: {all}");
    assert_eq!(world.key.get("/v1/policies").await.expect(200)["items"], json!([]));
    assert!(world.sql("select version::text from codifications").await.is_empty());
}

#[tokio::test]
async fn a_malformed_block_is_a_validation_error_with_every_fault() {
    let world = world().await;
    let mut body = codified("PAY-01");
    let block = &mut body["codification"];
    block["sources"] = json!({});
    block["source"] = json!({"document": ""});
    block["clauses"][0]["title"] = json!("One");
    block["clauses"][1].as_object_mut().unwrap().remove("locator");
    block["ledger"][0].as_object_mut().unwrap().remove("rule_code");
    block["ledger"][1]["disposition"] = json!("done");
    body["rules"][0]["severity"] = json!("huge");
    let refused = world.author().await.post("/v1/policies", &body).await;
    assert_eq!(refused.to_string(), "422 VALIDATION_ERROR");
    assert_eq!(
        refused.faults(),
        "/codification/source/document too_short\n\
         /codification/clauses/0/title unknown\n\
         /codification/clauses/1/locator required\n\
         /codification/ledger/0/rule_code required\n\
         /codification/ledger/1/disposition enum\n\
         /codification/sources unknown\n\
         /rules/0/severity enum\n"
    );
    for wrong in [json!(null), json!([]), json!("clauses"), json!({})] {
        body["codification"] = wrong.clone();
        let refused = world.author().await.post("/v1/policies", &body).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{wrong}");
    }
}

#[tokio::test]
async fn an_edit_codifies_afresh() {
    let world = world().await;
    let author = world.author().await;
    let (version, made) = drafted(&world, "PAY-01").await;
    // New rules are held against the clauses that the draft has.
    let mut changed = rules(10_000);
    changed[1]["severity"] = json!("high");
    let patch = json!({"expected_revision": 1, "rules": changed});
    let edited = author.patch(version.path(), &patch).await.expect(200);
    assert_eq!(edited["draft_revision"], 2);
    assert_eq!(edited["rules"][0]["source_ref"], made["rules"][0]["source_ref"]);
    assert!(findings(&edited["codification_record"]).contains("u2 guidance_as_obligation"));
    let fewer = json!({"expected_revision": 2, "rules": [changed[0]]});
    let refused = author.patch(version.path(), &fewer).await;
    assert_eq!(refused.to_string(), "422 CODIFICATION_REFUSED");
    assert_eq!(refused.details()["refusals"][0]["kind"], "unknown_rule");
    // Another block for the rules as they stand.
    let mut other = block();
    other["source"] = json!({"document": "Second edition"});
    let patch = json!({"expected_revision": 2, "codification": other});
    let edited = author.patch(version.path(), &patch).await.expect(200);
    let source = json!({"document": "Second edition", "section": "section 1"});
    assert_eq!(edited["rules"][0]["source_ref"], source);
    assert_eq!(edited["rules"][1]["severity"], "high");
    // What was said of a stale revision counts for nothing, and shows the draft as it is.
    let stale = author.patch(version.path(), &patch).await;
    assert_eq!(stale.to_string(), "409 STALE_DRAFT_REVISION");
    assert_eq!(stale.details()["current"], edited);
    // A reason alone leaves the record as it is.
    let patch = json!({"expected_revision": 3, "change_reason": "Typos."});
    let reasoned = author.patch(version.path(), &patch).await.expect(200);
    assert_eq!(reasoned["codification_record"], edited["codification_record"]);
    // `null` takes the clauses away; then rules are as their author writes them.
    let patch = json!({"expected_revision": 4, "codification": null});
    let bare = author.patch(version.path(), &patch).await.expect(200);
    assert_eq!((bare.get("codification_record"), &bare["rules"]), (None, &edited["rules"]));
    let patch = json!({"expected_revision": 5, "rules": rules(1)});
    let own = author.patch(version.path(), &patch).await.expect(200);
    assert_eq!((own.get("codification_record"), own["rules"][0].get("source_ref")), (None, None));
    // Each revision that changed the record has kept its own.
    let kept =
        world.sql("select draft_revision || ' ' || (record is null) from codifications order by 1");
    assert_eq!(kept.await, ["1 false", "2 false", "3 false", "5 true"]);
}

#[tokio::test]
async fn what_was_submitted_is_not_codified_again() {
    let world = world().await;
    let author = world.author().await;
    let (version, made) = drafted(&world, "PAY-01").await;
    author.post(version.act("submit"), &json!({})).await.expect(200);
    let patch = json!({"expected_revision": 1, "codification": block()});
    let refused = author.patch(version.path(), &patch).await;
    assert_eq!(refused.to_string(), "409 INVALID_TRANSITION (VERSION_NOT_DRAFT)");
    world.ratify(&version).await;
    world.activate(&version).await;
    let active = world.key.get(version.path()).await.expect(200);
    assert_eq!(active["codification_record"], made["codification_record"]);
    assert_eq!(active["rules_digest"], made["rules_digest"]);
}

#[tokio::test]
async fn clauses_alone_make_a_first_draft_and_versions_take_a_block_too() {
    let world = world().await;
    let author = world.author().await;
    let mut body = codified("PAY-01");
    body.as_object_mut().unwrap().remove("rules");
    let refused = author.post("/v1/policies", &body).await;
    assert_eq!(refused.to_string(), "422 CODIFICATION_REFUSED", "its ledger names rules");
    body["codification"]["ledger"] = ["u1", "u2", "u3", "u4", "u5"]
        .map(|unit| json!({"unit_id": unit, "disposition": "ambiguous"}))
        .into();
    let made = author.post("/v1/policies", &body).await.expect(201);
    assert_eq!(made["version"]["rules"], json!([]));
    assert_eq!(made["version"]["codification_record"]["counts"]["ambiguous"], 5);

    let first = world.active("PAY-02").await;
    let path = format!("{}/versions", first.of());
    let draft = json!({"rules": rules(10_000), "codification": block(), "based_on_version": 1});
    let second = author.post(path, &draft).await.expect(201);
    assert_eq!(second["codification_record"]["counts"]["mapped"], 3);
    assert_eq!(second["rules"][2]["source_ref"]["section"], "section 3(a)");
    // A draft that goes, goes; the next one starts without clauses.
    let gone = author.delete(format!("{}/versions/2", first.of())).await;
    assert_eq!(gone.status, 204);
    let third = author.post(format!("{}/versions", first.of()), &json!({"rules": rules(1)})).await;
    assert_eq!(third.expect(201).get("codification_record"), None);
}

#[tokio::test]
async fn a_corrected_draft_brings_its_clauses_and_the_old_one_keeps_its_own() {
    let world = world().await;
    let author = world.author().await;
    let (version, made) = drafted(&world, "PAY-01").await;
    let mut second = block();
    second["source"] = json!({"document": "Second edition"});
    let mut correction = json!({
        "expected_revision": 1, "rules": rules(9_000), "change_reason": "A new edition.",
        "codification": second,
    });
    correction["codification"]["ledger"][0]["rule_code"] = json!("NONE");
    let refused = author.post(version.act("supersede"), &correction).await;
    assert_eq!(refused.to_string(), "422 CODIFICATION_REFUSED");
    correction["codification"]["ledger"][0]["rule_code"] = json!("AMOUNT");
    let done = author.post(version.act("supersede"), &correction).await.expect(201);
    assert_eq!(done["replaced"]["codification_record"], made["codification_record"]);
    let draft = &done["draft"];
    assert_eq!(draft["rules"][0]["source_ref"]["document"], "Second edition");
    assert!(findings(&draft["codification_record"]).starts_with("u1 number_not_in_rule\n"));
    let old = world.key.get(version.path()).await.expect(200);
    assert_eq!(old["codification_record"], made["codification_record"]);
    assert_eq!(old["rules_digest"], made["rules_digest"]);
}

#[tokio::test]
async fn another_tenant_sees_none_of_it() {
    let world = world().await;
    let (version, _) = drafted(&world, "PAY-01").await;
    let neighbour = world.neighbour().await;
    let patch = json!({"expected_revision": 1, "codification": block()});
    let refused = neighbour.key.patch(version.path(), &patch).await;
    assert_eq!(refused.to_string(), "404 NOT_FOUND");
    let made = neighbour.key.post("/v1/policies", &policy("PAY-01")).await.expect(201);
    assert_eq!(made["version"].get("codification_record"), None);
}
