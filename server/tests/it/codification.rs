//! Codification: validation errors, stored records and lint findings.

mod fake_provider;

use crate::prelude::*;

/// A codification whose clauses map to the three rules of [`rules`].
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

/// The request body of a new policy with this codification.
pub(crate) fn policy_with_codification(code: &str) -> Value {
    let mut body = policy(code);
    body["codification"] = block();
    body
}

/// Creates a policy with a codification as the author and returns its first version.
pub(crate) async fn create_draft(service: &TestService, code: &str) -> (Version, Value) {
    let body = policy_with_codification(code);
    let created = service.author().await.post("/v1/policies", &body).await.expect(201);
    let version = Version { policy: text(&created["policy"]["id"]).to_owned(), number: 1 };
    (version, created["version"].clone())
}

/// Formats the findings of a codification record as `UNIT CODE`, one per line.
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
async fn a_version_stores_its_clauses_and_sets_the_source_references_of_its_rules() {
    let service = test_service().await;
    let (version, created) = create_draft(&service, "PAY-01").await;
    for rule in created["rules"].as_array().unwrap() {
        let section = match text(&rule["code"]) {
            "AMOUNT" => "section 1",
            "PURPOSE" => "section 2",
            _ => "section 3(a)",
        };
        let source = json!({"document": "Payment handbook", "section": section,
            "url": "https://handbook.example/payments"});
        assert_eq!(rule["source_ref"], source);
    }
    let record = &created["codification_record"];
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
    // Every response that contains the version has the same record.
    assert_eq!(service.read(&version).await, created);
    let policy = service.key.get(format!("{}?version=1", version.policy_path())).await.expect(200);
    assert_eq!(policy["version"], created);
    let submitted =
        service.author().await.post(version.action_path("submit"), &json!({})).await.expect(200);
    assert_eq!(&submitted["codification_record"], record);
    // Lists omit the record.
    let list = service.key.get(version.versions_path()).await.expect(200);
    assert_eq!(list["items"][0].get("codification_record"), None);
}

#[testkit::test]
async fn the_builtin_lint_reports_findings_of_each_clause(service: TestService) {
    let (_, created) = create_draft(&service, "PAY-01").await;
    let record = &created["codification_record"];
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
}

#[testkit::test]
async fn a_source_reference_of_the_caller_is_ignored(service: TestService) {
    let mut body = policy_with_codification("PAY-01");
    body["rules"][0]["source_ref"] = json!({"document": "A blog", "section": "9"});
    let created = service.author().await.post("/v1/policies", &body).await.expect(201);
    assert_eq!(created["version"]["rules"][0]["source_ref"]["document"], "Payment handbook");
    // The digest covers the stored rules.
    let (_, clean) = create_draft(&service, "PAY-02").await;
    assert_eq!(created["version"]["rules_digest"], clean["rules_digest"]);
}

#[tokio::test]
async fn a_malformed_codification_is_a_validation_error_that_lists_every_field() {
    let service = test_service().await;
    let mut body = policy_with_codification("PAY-01");
    let block = &mut body["codification"];
    block["sources"] = json!({});
    block["source"] = json!({"document": ""});
    block["clauses"][0]["title"] = json!("One");
    block["clauses"][1].as_object_mut().unwrap().remove("locator");
    block["ledger"][0].as_object_mut().unwrap().remove("rule_code");
    block["ledger"][1]["disposition"] = json!("done");
    body["rules"][0]["severity"] = json!("huge");
    let refusal = service.author().await.post("/v1/policies", &body).await;
    assert_eq!(refusal.to_string(), "422 VALIDATION_ERROR");
    assert_eq!(
        refusal.field_errors(),
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
        let refusal = service.author().await.post("/v1/policies", &body).await;
        assert_eq!(refusal.to_string(), "422 VALIDATION_ERROR", "{wrong}");
    }
}

#[testkit::test]
async fn an_edit_runs_the_codification_again(service: TestService) {
    let author = service.author().await;
    let (version, created) = create_draft(&service, "PAY-01").await;
    // New rules are checked against the stored clauses of the draft.
    let mut changed = rules(10_000);
    changed[1]["severity"] = json!("high");
    let patch = json!({"expected_revision": 1, "rules": changed});
    let edited = author.patch(version.path(), &patch).await.expect(200);
    assert_eq!(edited["draft_revision"], 2);
    assert_eq!(edited["rules"][0]["source_ref"], created["rules"][0]["source_ref"]);
    assert!(findings(&edited["codification_record"]).contains("u2 guidance_as_obligation"));
    let fewer = json!({"expected_revision": 2, "rules": [changed[0]]});
    let refusal = author.patch(version.path(), &fewer).await;
    assert_eq!(refusal.to_string(), "422 CODIFICATION_REFUSED");
    assert_eq!(refusal.details()["refusals"][0]["kind"], "unknown_rule");
    // A new codification for unchanged rules.
    let mut other = block();
    other["source"] = json!({"document": "Second edition"});
    let patch = json!({"expected_revision": 2, "codification": other});
    let edited = author.patch(version.path(), &patch).await.expect(200);
    let source = json!({"document": "Second edition", "section": "section 1"});
    assert_eq!(edited["rules"][0]["source_ref"], source);
    assert_eq!(edited["rules"][1]["severity"], "high");
    // An edit of a stale revision changes nothing and returns the current draft.
    let stale = author.patch(version.path(), &patch).await;
    assert_eq!(stale.to_string(), "409 STALE_DRAFT_REVISION");
    assert_eq!(stale.details()["current"], edited);
    // A patch of the reason alone does not change the record.
    let patch = json!({"expected_revision": 3, "change_reason": "Typos."});
    let patched = author.patch(version.path(), &patch).await.expect(200);
    assert_eq!(patched["codification_record"], edited["codification_record"]);
    // `null` removes the codification. Rules then have no source references of their own.
    let patch = json!({"expected_revision": 4, "codification": null});
    let cleared = author.patch(version.path(), &patch).await.expect(200);
    assert_eq!((cleared.get("codification_record"), &cleared["rules"]), (None, &edited["rules"]));
    let patch = json!({"expected_revision": 5, "rules": rules(1)});
    let uncodified = author.patch(version.path(), &patch).await.expect(200);
    assert_eq!(
        (uncodified.get("codification_record"), uncodified["rules"][0].get("source_ref")),
        (None, None)
    );
    // Each revision that changed the record has a stored record of its own.
    let records = service
        .sql("select draft_revision || ' ' || (record is null) from codifications order by 1");
    assert_eq!(records.await, ["1 false", "2 false", "3 false", "5 true"]);
}

#[tokio::test]
async fn a_policy_can_be_created_from_clauses_alone_and_versions_accept_a_codification() {
    let service = test_service().await;
    let author = service.author().await;
    let mut body = policy_with_codification("PAY-01");
    body.as_object_mut().unwrap().remove("rules");
    let refusal = author.post("/v1/policies", &body).await;
    assert_eq!(refusal.to_string(), "422 CODIFICATION_REFUSED", "the ledger references rules");
    body["codification"]["ledger"] = ["u1", "u2", "u3", "u4", "u5"]
        .map(|unit| json!({"unit_id": unit, "disposition": "ambiguous"}))
        .into();
    let created = author.post("/v1/policies", &body).await.expect(201);
    assert_eq!(created["version"]["rules"], json!([]));
    assert_eq!(created["version"]["codification_record"]["counts"]["ambiguous"], 5);

    let first = service.active("PAY-02").await;
    let path = first.versions_path();
    let draft = json!({"rules": rules(10_000), "codification": block(), "based_on_version": 1});
    let second = author.post(path, &draft).await.expect(201);
    assert_eq!(second["codification_record"]["counts"]["mapped"], 3);
    assert_eq!(second["rules"][2]["source_ref"]["section"], "section 3(a)");
    // After a draft is deleted, the next draft starts without a codification.
    let deletion = author.delete(format!("{}/versions/2", first.policy_path())).await;
    assert_eq!(deletion.status, 204);
    let third = author.post(first.versions_path(), &json!({"rules": rules(1)})).await;
    assert_eq!(third.expect(201).get("codification_record"), None);
}

#[tokio::test]
async fn superseding_stores_a_new_codification_and_preserves_the_replaced_one() {
    let service = test_service().await;
    let author = service.author().await;
    let (version, created) = create_draft(&service, "PAY-01").await;
    let mut second = block();
    second["source"] = json!({"document": "Second edition"});
    let mut correction = json!({
        "expected_revision": 1, "rules": rules(9_000), "change_reason": "A new edition.",
        "codification": second,
    });
    correction["codification"]["ledger"][0]["rule_code"] = json!("NONE");
    let refusal = author.post(version.action_path("supersede"), &correction).await;
    assert_eq!(refusal.to_string(), "422 CODIFICATION_REFUSED");
    correction["codification"]["ledger"][0]["rule_code"] = json!("AMOUNT");
    let response = author.post(version.action_path("supersede"), &correction).await.expect(201);
    assert_eq!(response["replaced"]["codification_record"], created["codification_record"]);
    let draft = &response["draft"];
    assert_eq!(draft["rules"][0]["source_ref"]["document"], "Second edition");
    assert!(findings(&draft["codification_record"]).starts_with("u1 number_not_in_rule\n"));
    let old = service.read(&version).await;
    assert_eq!(old["codification_record"], created["codification_record"]);
    assert_eq!(old["rules_digest"], created["rules_digest"]);
}
