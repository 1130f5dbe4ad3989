//! Policy groups, and evaluations that are narrowed to them.

use crate::prelude::*;

const MISSING: &str = "00000000-0000-4000-8000-000000000000";

/// Creates a group and returns its ID.
async fn create_group(client: &Client, code: &str) -> String {
    let draft = json!({"code": code, "name": format!("Group {code}")});
    text(&client.post("/v1/policy-groups", &draft).await.expect(201)["id"]).to_owned()
}

/// Adds a policy to a group.
async fn add_to_group(service: &TestService, version: &Version, group: &str) {
    let patch = json!({"policy_group_id": group});
    service.key.patch(version.policy_path(), &patch).await.expect(200);
}

/// Evaluates a payment with a narrowing.
async fn evaluate_narrowed(service: &TestService, narrowing: Value) -> TestResponse {
    let mut body = narrowing;
    body["context"] = payment(1);
    service.key.post("/v1/decisions/evaluate", &body).await
}

/// Returns the codes of the policies that an evaluation used.
fn evaluated_codes(response: &TestResponse) -> Vec<String> {
    let policies = response.expect(200)["evaluated_policies"].clone();
    let codes = policies.as_array().expect("a list").iter().map(|policy| &policy["policy_code"]);
    codes.map(|code| text(code).to_owned()).collect()
}

#[testkit::test]
async fn group_can_be_created_read_changed_and_deleted(service: TestService) {
    let draft = json!({"code": "Procurement", "name": "Buying", "description": "All purchases"});
    let created = service.key.post("/v1/policy-groups", &draft).await;
    let group = created.expect(201);
    let path = format!("/v1/policy-groups/{}", text(&group["id"]));
    assert_eq!(created.header("location"), Some(&*path));
    let expected = json!({
        "id": group["id"], "tenant_id": service.tenant.to_string(), "code": "Procurement",
        "name": "Buying", "description": "All purchases", "created_at": NOW, "updated_at": NOW,
    });
    assert_eq!(group, expected);
    assert_eq!(service.key.get(&path).await.expect(200), group);

    service.clock.advance(MINUTE_MS);
    let unchanged = service.key.patch(&path, &json!({"name": "Buying"})).await.expect(200);
    assert_eq!(unchanged, group, "a patch without changes has no effect");
    let change = json!({"code": "BUY", "name": "Purchases", "description": null});
    let patched = service.key.patch(&path, &change).await.expect(200);
    assert_eq!((&patched["code"], &patched["name"]), (&json!("BUY"), &json!("Purchases")));
    assert_eq!(patched.get("description"), None);
    assert_eq!(patched["updated_at"], "2026-09-01T10:01:00.000Z");
    assert_eq!(service.key.get(&path).await.expect(200), patched);

    let deleted = service.key.delete(&path).await;
    assert_eq!((deleted.status, deleted.text.as_str()), (204, ""));
    assert_eq!(service.key.get(&path).await.to_string(), "404 NOT_FOUND");
    assert_eq!(service.key.delete(&path).await.to_string(), "404 NOT_FOUND");
    let actions = "select action from audit_events where object_type = 'policy_group' order by seq";
    let expected = ["policy_group.create", "policy_group.edit", "policy_group.delete"];
    assert_eq!(service.sql(actions).await, expected);
}

#[testkit::test]
async fn group_codes_are_unique_in_any_letter_case(service: TestService) {
    create_group(&service.key, "Procurement").await;
    for code in ["Procurement", "PROCUREMENT"] {
        let draft = json!({"code": code, "name": "Again"});
        let refusal = service.key.post("/v1/policy-groups", &draft).await;
        assert_eq!(refusal.to_string(), "409 DUPLICATE_CODE");
    }
    let other = format!("/v1/policy-groups/{}", create_group(&service.key, "OTHER").await);
    let refusal = service.key.patch(&other, &json!({"code": "procurement"})).await;
    assert_snapshot!(refusal, @"409 DUPLICATE_CODE");
    // A group can change the case of its own code. Codes of policies are independent.
    service.key.patch(&other, &json!({"code": "Other"})).await.expect(200);
    service.key.post("/v1/policies", &policy("Procurement")).await.expect(201);
    let neighbour = service.other_tenant().await;
    create_group(&neighbour.key, "Procurement").await;
}

#[testkit::test]
async fn group_lists_its_policies_and_can_be_deleted_only_without_policies(service: TestService) {
    let [buying, selling] =
        [create_group(&service.key, "BUY").await, create_group(&service.key, "SELL").await];
    let path = format!("/v1/policy-groups/{buying}");
    let mut versions = Vec::new();
    for code in ["ONE", "TWO", "THREE"] {
        versions.push(service.draft(code).await);
        add_to_group(&service, versions.last().unwrap(), &buying).await;
    }
    let mut new = policy("NEW");
    new["policy_group_id"] = json!(selling);
    let member = service.key.post("/v1/policies", &new).await.expect(201)["policy"].clone();
    assert_eq!(member["policy_group_id"], json!(selling));

    let list = async |path: &str| {
        let page = service.key.get(path).await.expect(200);
        (texts(&page, "code"), page["next_cursor"].clone())
    };
    let (codes, cursor) = list(&format!("{path}/policies?limit=2")).await;
    assert_eq!(codes, ["THREE", "TWO"]);
    let (codes, _) = list(&format!("{path}/policies?limit=2&cursor={}", text(&cursor))).await;
    assert_eq!(codes, ["ONE"]);
    let filtered = list(&format!("/v1/policies?policy_group_id={selling}")).await;
    assert_eq!(filtered.0, ["NEW"]);
    assert_snapshot!(service.key.delete(&path).await, @"409 CONFLICT");
    service
        .key
        .patch(versions[0].policy_path(), &json!({"policy_group_id": selling}))
        .await
        .expect(200);
    let removed =
        service.key.patch(versions[1].policy_path(), &json!({"policy_group_id": null})).await;
    assert_eq!(removed.expect(200).get("policy_group_id"), None);
    assert_snapshot!(service.key.delete(&path).await, @"409 CONFLICT");
    assert_eq!(service.key.delete(versions[2].policy_path()).await.status, 204);
    assert_eq!(service.key.delete(&path).await.status, 204);
    assert_eq!(service.key.get(format!("{path}/policies")).await.to_string(), "404 NOT_FOUND");
}

#[testkit::test]
async fn policy_can_join_only_a_group_of_its_tenant(service: TestService) {
    let version = service.draft("PAY-01").await;
    let neighbour = service.other_tenant().await;
    let foreign_group = create_group(&neighbour.key, "G").await;
    for unknown in [MISSING, &foreign_group] {
        let mut new = policy("NEW");
        new["policy_group_id"] = json!(unknown);
        let refusal = service.key.post("/v1/policies", &new).await;
        assert_eq!(refusal.to_string(), "422 VALIDATION_ERROR");
        assert_eq!(refusal.field_errors(), "/policy_group_id unknown\n");
        let refusal =
            service.key.patch(version.policy_path(), &json!({"policy_group_id": unknown})).await;
        assert_eq!(refusal.field_errors(), "/policy_group_id unknown\n");
    }
    assert_eq!(service.sql("select code from policies").await, ["PAY-01"]);
    let path = format!("/v1/policies?policy_group_id={foreign_group}");
    assert_eq!(service.key.get(path).await.expect(200)["items"], json!([]));
}

#[testkit::test]
async fn policy_never_joins_a_concurrently_deleted_group(service: TestService) {
    for round in 0..8 {
        let id = create_group(&service.key, "G").await;
        let mut new = policy(&format!("PAY-{round}"));
        new["policy_group_id"] = json!(id);
        let path = format!("/v1/policy-groups/{id}");
        let (deleted, created) = tokio::join!(
            service.key.delete(&path).into_future(),
            service.key.post("/v1/policies", &new).into_future(),
        );
        match (&*deleted.to_string(), &*created.to_string()) {
            ("204", "422 VALIDATION_ERROR") => {}
            ("409 CONFLICT", "201") => {
                let policy = format!("/v1/policies/{}", text(&created.json()["policy"]["id"]));
                assert_eq!(service.key.delete(policy).await.status, 204);
                assert_eq!(service.key.delete(&path).await.status, 204);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[testkit::test]
async fn request_can_narrow_to_a_group_and_to_policies(service: TestService) {
    let [buying, idle] =
        [create_group(&service.key, "Buying").await, create_group(&service.key, "Idle").await];
    let alone = service.active("ALONE").await;
    let first = service.active("FIRST").await;
    let second = service.active("SECOND").await;
    add_to_group(&service, &first, &buying).await;
    add_to_group(&service, &second, &buying).await;
    let inactive = service.draft("INACTIVE").await;
    add_to_group(&service, &inactive, &idle).await;

    assert_eq!(
        evaluated_codes(&evaluate_narrowed(&service, json!({})).await),
        ["ALONE", "FIRST", "SECOND"]
    );
    for code in ["Buying", "BUYING"] {
        let response = evaluate_narrowed(&service, json!({"policy_group_code": code})).await;
        assert_eq!(evaluated_codes(&response), ["FIRST", "SECOND"], "{code}");
    }
    let both = json!({"policy_group_code": "Buying", "policy_ids": [second.policy]});
    assert_eq!(evaluated_codes(&evaluate_narrowed(&service, both).await), ["SECOND"]);
    let two_policies = json!({"policy_ids": [second.policy, alone.policy, second.policy]});
    assert_eq!(
        evaluated_codes(&evaluate_narrowed(&service, two_policies).await),
        ["ALONE", "SECOND"]
    );

    // The narrowing is valid but contains no active policy.
    for empty in [
        json!({"policy_group_code": "Idle"}),
        json!({"policy_group_code": "Buying", "policy_ids": [alone.policy]}),
        json!({"policy_group_code": "Buying", "policy_ids": []}),
        json!({"policy_ids": []}),
    ] {
        let refusal = evaluate_narrowed(&service, empty.clone()).await;
        assert_eq!(refusal.to_string(), "404 NO_ACTIVE_POLICIES", "{empty}");
        let mut body = request("k", 1);
        body.as_object_mut().unwrap().extend(empty.as_object().unwrap().clone());
        let refusal = service.key.post("/v1/decisions/record", &body).await;
        assert_eq!(refusal.to_string(), "404 NO_ACTIVE_POLICIES", "{empty}");
    }
    assert_eq!(service.sql("select id::text from decisions").await, [""; 0]);

    // All unknown references are reported together.
    let neighbour = service.other_tenant().await;
    create_group(&neighbour.key, "FOREIGN").await;
    let unknown = json!({
        "policy_group_code": "FOREIGN", "policy_ids": [MISSING, first.policy, inactive.policy],
    });
    assert_snapshot!(evaluate_narrowed(&service, unknown).await.field_errors(), @r"
    /policy_group_code unknown
    /policy_ids/0 unknown
    /policy_ids/2 unknown
    ");
}

#[testkit::test]
async fn decision_type_and_group_are_combined(service: TestService) {
    let buying = create_group(&service.key, "BUY").await;
    let payments = service.active("PAYMENTS").await;
    let everything = service.active("EVERYTHING").await;
    let ratifier = service.ratifier().await;
    let every = json!({"decision_types": []});
    ratifier.patch(everything.policy_path(), &every).await.expect(200);
    add_to_group(&service, &payments, &buying).await;
    let evaluate = async |decision_type: &str, code: Option<&str>| {
        let mut body = json!({"context": {"decision_type": decision_type, "fields": {}}});
        if let Some(code) = code {
            body["policy_group_code"] = json!(code);
        }
        service.key.post("/v1/decisions/evaluate", &body).await
    };
    assert_eq!(evaluated_codes(&evaluate("payment", None).await), ["EVERYTHING", "PAYMENTS"]);
    assert_eq!(evaluated_codes(&evaluate("loan", None).await), ["EVERYTHING"]);
    assert_eq!(evaluated_codes(&evaluate("payment", Some("BUY")).await), ["PAYMENTS"]);
    assert_snapshot!(evaluate("loan", Some("BUY")).await, @"404 NO_ACTIVE_POLICIES");
    assert_snapshot!(evaluate("Payment", Some("BUY")).await, @"404 NO_ACTIVE_POLICIES");
}

#[testkit::test]
async fn decision_contains_the_group_of_its_policy(service: TestService) {
    let buying = create_group(&service.key, "BUY").await;
    let version = service.active("PAY-01").await;
    service.active("PAY-02").await;
    add_to_group(&service, &version, &buying).await;
    let mut body = request("k", 12_000);
    body["policy_group_code"] = json!("BUY");
    let decision = service.key.post("/v1/decisions/record", &body).await.expect(201);
    let decision = decision["decision"].clone();
    assert_eq!(decision["decision"], "DENY");
    assert_eq!(decision["policy"]["code"], "PAY-01");
    let evaluated = &decision["evaluated_policies"];
    assert_eq!(evaluated.as_array().map(Vec::len), Some(1));
    for object in [&decision, &evaluated[0]] {
        assert_eq!(object["policy_group_id"], json!(buying));
        assert_eq!(object["policy_group_code"], "BUY");
    }
    let snapshot = format!(
        "select body from policy_snapshots where id = '{}'",
        text(&decision["policy_snapshot_id"])
    );
    let snapshot: Value = serde_json::from_str(&service.sql(&snapshot).await.concat()).unwrap();
    assert_eq!(snapshot["policies"][0]["group"], json!({"id": buying, "code": "BUY"}));
}

#[testkit::test]
async fn group_change_applies_to_the_next_evaluation(service: TestService) {
    let buying = create_group(&service.key, "BUY").await;
    let path = format!("/v1/policy-groups/{buying}");
    let version = service.active("PAY-01").await;
    let in_group =
        async |code: &str| evaluate_narrowed(&service, json!({"policy_group_code": code})).await;
    let digest =
        |response: &TestResponse| response.expect(200)["result"]["policy_snapshot_digest"].clone();

    assert_snapshot!(in_group("BUY").await, @"404 NO_ACTIVE_POLICIES");
    add_to_group(&service, &version, &buying).await;
    let before = in_group("BUY").await;
    assert_eq!(evaluated_codes(&before), ["PAY-01"]);
    service.key.patch(&path, &json!({"code": "PURCHASES"})).await.expect(200);
    assert_eq!(in_group("BUY").await.field_errors(), "/policy_group_code unknown\n");
    let after = in_group("PURCHASES").await;
    assert_ne!(digest(&after), digest(&before), "a snapshot contains the code");
    // A snapshot does not contain the name of the group.
    service.key.patch(&path, &json!({"name": "Purchases"})).await.expect(200);
    assert_eq!(digest(&in_group("PURCHASES").await), digest(&after));
    service.key.patch(version.policy_path(), &json!({"policy_group_id": null})).await.expect(200);
    assert_snapshot!(in_group("PURCHASES").await, @"404 NO_ACTIVE_POLICIES");
    assert_eq!(service.key.delete(&path).await.status, 204);
    assert_eq!(in_group("PURCHASES").await.field_errors(), "/policy_group_code unknown\n");
}
