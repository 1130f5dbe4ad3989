//! Policy groups, and evaluations that narrow to them.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    service::{MINUTE_MS, NOW, TestService, Version, payment, policy, request, world},
};

const MISSING: &str = "00000000-0000-4000-8000-000000000000";

/// A new group, by id.
async fn group(client: &Client, code: &str) -> String {
    let draft = json!({"code": code, "name": format!("Group {code}")});
    text(&client.post("/v1/policy-groups", &draft).await.expect(201)["id"]).to_owned()
}

/// Puts a policy into a group.
async fn join(world: &TestService, version: &Version, group: &str) {
    let patch = json!({"policy_group_id": group});
    world.key.patch(version.of(), &patch).await.expect(200);
}

/// An evaluation of a payment, narrowed.
async fn narrowed(world: &TestService, narrowing: Value) -> TestResponse {
    let mut body = narrowing;
    body["context"] = payment(1);
    world.key.post("/v1/decisions/evaluate", &body).await
}

/// The policies that an evaluation looked at, by code.
fn looked_at(answer: &TestResponse) -> Vec<String> {
    let policies = answer.expect(200)["evaluated_policies"].clone();
    let codes = policies.as_array().expect("a list").iter().map(|policy| &policy["policy_code"]);
    codes.map(|code| text(code).to_owned()).collect()
}

#[tokio::test]
async fn a_group_is_made_read_changed_and_deleted() {
    let world = world().await;
    let draft = json!({"code": "Procurement", "name": "Buying", "description": "what we buy"});
    let made = world.key.post("/v1/policy-groups", &draft).await;
    let group = made.expect(201);
    let path = format!("/v1/policy-groups/{}", text(&group["id"]));
    assert_eq!(made.header("location"), Some(&*path));
    let expected = json!({
        "id": group["id"], "tenant_id": world.tenant.to_string(), "code": "Procurement",
        "name": "Buying", "description": "what we buy", "created_at": NOW, "updated_at": NOW,
    });
    assert_eq!(group, expected);
    assert_eq!(world.key.get(&path).await.expect(200), group);

    world.clock.advance(MINUTE_MS);
    let same = world.key.patch(&path, &json!({"name": "Buying"})).await.expect(200);
    assert_eq!(same, group, "nothing was asked for");
    let change = json!({"code": "BUY", "name": "Purchases", "description": null});
    let patched = world.key.patch(&path, &change).await.expect(200);
    assert_eq!((&patched["code"], &patched["name"]), (&json!("BUY"), &json!("Purchases")));
    assert_eq!(patched.get("description"), None);
    assert_eq!(patched["updated_at"], "2026-09-01T10:01:00.000Z");
    assert_eq!(world.key.get(&path).await.expect(200), patched);

    let gone = world.key.delete(&path).await;
    assert_eq!((gone.status, gone.text.as_str()), (204, ""));
    assert_eq!(world.key.get(&path).await.to_string(), "404 NOT_FOUND");
    assert_eq!(world.key.delete(&path).await.to_string(), "404 NOT_FOUND");
    let acts = "select action from audit_events where object_type = 'policy_group' order by seq";
    let expected = ["policy_group.create", "policy_group.edit", "policy_group.delete"];
    assert_eq!(world.sql(acts).await, expected);
}

#[tokio::test]
async fn every_fault_of_a_group_is_named_at_once() {
    let world = world().await;
    let path = format!("/v1/policy-groups/{}", group(&world.key, "G").await);
    let draft = json!({"code": "a b", "name": "", "description": null, "policies": []});
    assert_snapshot!(world.key.post("/v1/policy-groups", &draft).await.faults(), @r"
    /code format
    /name too_short
    /policies unknown
    ");
    let nothing = world.key.post("/v1/policy-groups", &json!({})).await;
    assert_snapshot!(nothing.faults(), @r"
    /code required
    /name required
    ");
    let wrong = json!({"code": null, "name": 7, "description": [], "id": MISSING});
    assert_snapshot!(world.key.patch(path, &wrong).await.faults(), @r"
    /code type
    /name type
    /description type
    /id unknown
    ");
}

#[tokio::test]
async fn a_code_is_one_group_s_in_any_case_of_its_letters() {
    let world = world().await;
    group(&world.key, "Procurement").await;
    for code in ["Procurement", "PROCUREMENT"] {
        let draft = json!({"code": code, "name": "Again"});
        let refused = world.key.post("/v1/policy-groups", &draft).await;
        assert_eq!(refused.to_string(), "409 DUPLICATE_CODE");
    }
    let other = format!("/v1/policy-groups/{}", group(&world.key, "OTHER").await);
    let refused = world.key.patch(&other, &json!({"code": "procurement"})).await;
    assert_snapshot!(refused, @"409 DUPLICATE_CODE");
    // Its own code in other letters is no other group's; and codes of policies are another matter.
    world.key.patch(&other, &json!({"code": "Other"})).await.expect(200);
    world.key.post("/v1/policies", &policy("Procurement")).await.expect(201);
    let neighbour = world.neighbour().await;
    group(&neighbour.key, "Procurement").await;
}

#[tokio::test]
async fn groups_are_listed_newest_first_page_by_page() {
    let world = world().await;
    for code in ["A", "B", "C"] {
        group(&world.key, code).await;
    }
    let codes = |page: &Value| {
        let items = page["items"].as_array().unwrap().iter();
        items.map(|group| text(&group["code"]).to_owned()).collect::<Vec<_>>()
    };
    let first = world.key.get("/v1/policy-groups?limit=2").await.expect(200);
    assert_eq!(codes(&first), ["C", "B"]);
    group(&world.key, "D").await;
    let cursor = text(&first["next_cursor"]);
    let rest = format!("/v1/policy-groups?limit=2&cursor={cursor}");
    let rest = world.key.get(rest).await.expect(200);
    assert_eq!((codes(&rest), &rest["next_cursor"]), (vec!["A".to_owned()], &Value::Null));
    let foreign = world.key.get(format!("/v1/policies?cursor={cursor}")).await;
    assert_eq!(foreign.faults(), "/cursor cursor\n");
}

#[tokio::test]
async fn a_group_lists_its_policies_and_stays_while_it_has_any() {
    let world = world().await;
    let [buying, selling] = [group(&world.key, "BUY").await, group(&world.key, "SELL").await];
    let path = format!("/v1/policy-groups/{buying}");
    let mut versions = Vec::new();
    for code in ["ONE", "TWO", "THREE"] {
        versions.push(world.draft(code).await);
        join(&world, versions.last().unwrap(), &buying).await;
    }
    let mut new = policy("BORN-IN");
    new["policy_group_id"] = json!(selling);
    let born = world.key.post("/v1/policies", &new).await.expect(201)["policy"].clone();
    assert_eq!(born["policy_group_id"], json!(selling));

    let listed = async |path: &str| {
        let page = world.key.get(path).await.expect(200);
        let items = page["items"].as_array().unwrap().iter();
        let codes = items.map(|policy| text(&policy["code"]).to_owned()).collect::<Vec<_>>();
        (codes, page["next_cursor"].clone())
    };
    let (codes, cursor) = listed(&format!("{path}/policies?limit=2")).await;
    assert_eq!(codes, ["THREE", "TWO"]);
    let (codes, _) = listed(&format!("{path}/policies?limit=2&cursor={}", text(&cursor))).await;
    assert_eq!(codes, ["ONE"]);
    let filtered = listed(&format!("/v1/policies?policy_group_id={selling}")).await;
    assert_eq!(filtered.0, ["BORN-IN"]);
    for other in [
        format!("/v1/policy-groups/{selling}/policies?cursor={}", text(&cursor)),
        format!("/v1/policies?policy_group_id={buying}&cursor={}", text(&cursor)),
    ] {
        assert_eq!(world.key.get(other).await.faults(), "/cursor cursor\n");
    }

    assert_snapshot!(world.key.delete(&path).await, @"409 CONFLICT");
    world.key.patch(versions[0].of(), &json!({"policy_group_id": selling})).await.expect(200);
    let out = world.key.patch(versions[1].of(), &json!({"policy_group_id": null})).await;
    assert_eq!(out.expect(200).get("policy_group_id"), None);
    assert_snapshot!(world.key.delete(&path).await, @"409 CONFLICT");
    assert_eq!(world.key.delete(versions[2].of()).await.status, 204);
    assert_eq!(world.key.delete(&path).await.status, 204);
    assert_eq!(world.key.get(format!("{path}/policies")).await.to_string(), "404 NOT_FOUND");
}

#[tokio::test]
async fn a_policy_belongs_to_a_group_of_its_own_tenant() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let neighbour = world.neighbour().await;
    let theirs = group(&neighbour.key, "G").await;
    for unknown in [MISSING, &theirs] {
        let mut new = policy("NEW");
        new["policy_group_id"] = json!(unknown);
        let refused = world.key.post("/v1/policies", &new).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR");
        assert_eq!(refused.faults(), "/policy_group_id unknown\n");
        let refused = world.key.patch(version.of(), &json!({"policy_group_id": unknown})).await;
        assert_eq!(refused.faults(), "/policy_group_id unknown\n");
    }
    assert_eq!(world.sql("select code from policies").await, ["PAY-01"]);
    let path = format!("/v1/policies?policy_group_id={theirs}");
    assert_eq!(world.key.get(path).await.expect(200)["items"], json!([]));
}

#[tokio::test]
async fn a_group_that_goes_while_a_policy_joins_never_leaves_it_without() {
    let world = world().await;
    for round in 0..8 {
        let id = group(&world.key, "G").await;
        let mut new = policy(&format!("PAY-{round}"));
        new["policy_group_id"] = json!(id);
        let path = format!("/v1/policy-groups/{id}");
        let (gone, made) = tokio::join!(
            world.key.delete(&path).into_future(),
            world.key.post("/v1/policies", &new).into_future(),
        );
        match (&*gone.to_string(), &*made.to_string()) {
            ("204", "422 VALIDATION_ERROR") => {}
            ("409 CONFLICT", "201") => {
                let policy = format!("/v1/policies/{}", text(&made.json()["policy"]["id"]));
                assert_eq!(world.key.delete(policy).await.status, 204);
                assert_eq!(world.key.delete(&path).await.status, 204);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_request_narrows_to_a_group_and_to_policies_of_its_choice() {
    let world = world().await;
    let [buying, idle] = [group(&world.key, "Buying").await, group(&world.key, "Idle").await];
    let alone = world.active("ALONE").await;
    let first = world.active("FIRST").await;
    let second = world.active("SECOND").await;
    join(&world, &first, &buying).await;
    join(&world, &second, &buying).await;
    let resting = world.draft("RESTING").await;
    join(&world, &resting, &idle).await;

    assert_eq!(looked_at(&narrowed(&world, json!({})).await), ["ALONE", "FIRST", "SECOND"]);
    for code in ["Buying", "BUYING"] {
        let answer = narrowed(&world, json!({"policy_group_code": code})).await;
        assert_eq!(looked_at(&answer), ["FIRST", "SECOND"], "{code}");
    }
    let both = json!({"policy_group_code": "Buying", "policy_ids": [second.policy]});
    assert_eq!(looked_at(&narrowed(&world, both).await), ["SECOND"]);
    let ids = json!({"policy_ids": [second.policy, alone.policy, second.policy]});
    assert_eq!(looked_at(&narrowed(&world, ids).await), ["ALONE", "SECOND"]);

    // What is there, and leaves nothing to look at.
    for nothing in [
        json!({"policy_group_code": "Idle"}),
        json!({"policy_group_code": "Buying", "policy_ids": [alone.policy]}),
        json!({"policy_group_code": "Buying", "policy_ids": []}),
        json!({"policy_ids": []}),
    ] {
        let refused = narrowed(&world, nothing.clone()).await;
        assert_eq!(refused.to_string(), "404 NO_ACTIVE_POLICIES", "{nothing}");
        let mut body = request("k", 1);
        body.as_object_mut().unwrap().extend(nothing.as_object().unwrap().clone());
        let refused = world.key.post("/v1/decisions/record", &body).await;
        assert_eq!(refused.to_string(), "404 NO_ACTIVE_POLICIES", "{nothing}");
    }
    assert_eq!(world.sql("select id::text from decisions").await, [""; 0]);

    // What is not there, all of it at once.
    let neighbour = world.neighbour().await;
    group(&neighbour.key, "THEIRS").await;
    let unknown = json!({
        "policy_group_code": "THEIRS", "policy_ids": [MISSING, first.policy, resting.policy],
    });
    assert_snapshot!(narrowed(&world, unknown).await.faults(), @r"
    /policy_group_code unknown
    /policy_ids/0 unknown
    /policy_ids/2 unknown
    ");
}

#[tokio::test]
async fn decision_types_and_groups_narrow_together() {
    let world = world().await;
    let buying = group(&world.key, "BUY").await;
    let payments = world.active("PAYMENTS").await;
    let everything = world.active("EVERYTHING").await;
    let ratifier = world.ratifier().await;
    let every = json!({"decision_types": []});
    ratifier.patch(everything.of(), &every).await.expect(200);
    join(&world, &payments, &buying).await;
    let asked = async |decision_type: &str, code: Option<&str>| {
        let mut body = json!({"context": {"decision_type": decision_type, "fields": {}}});
        if let Some(code) = code {
            body["policy_group_code"] = json!(code);
        }
        world.key.post("/v1/decisions/evaluate", &body).await
    };
    assert_eq!(looked_at(&asked("payment", None).await), ["EVERYTHING", "PAYMENTS"]);
    assert_eq!(looked_at(&asked("loan", None).await), ["EVERYTHING"]);
    assert_eq!(looked_at(&asked("payment", Some("BUY")).await), ["PAYMENTS"]);
    assert_snapshot!(asked("loan", Some("BUY")).await, @"404 NO_ACTIVE_POLICIES");
    assert_snapshot!(asked("Payment", Some("BUY")).await, @"404 NO_ACTIVE_POLICIES");
}

#[tokio::test]
async fn a_decision_names_the_group_of_the_policy_that_decided() {
    let world = world().await;
    let buying = group(&world.key, "BUY").await;
    let version = world.active("PAY-01").await;
    world.active("PAY-02").await;
    join(&world, &version, &buying).await;
    let mut body = request("k", 12_000);
    body["policy_group_code"] = json!("BUY");
    let decision = world.key.post("/v1/decisions/record", &body).await.expect(201);
    let decision = decision["decision"].clone();
    assert_eq!(decision["decision"], "DENY");
    assert_eq!(decision["policy"]["code"], "PAY-01");
    let looked_at = &decision["evaluated_policies"];
    assert_eq!(looked_at.as_array().map(Vec::len), Some(1));
    for named in [&decision, &looked_at[0]] {
        assert_eq!(named["policy_group_id"], json!(buying));
        assert_eq!(named["policy_group_code"], "BUY");
    }
    let snapshot = format!(
        "select body from policy_snapshots where id = '{}'",
        text(&decision["policy_snapshot_id"])
    );
    let snapshot: Value = serde_json::from_str(&world.sql(&snapshot).await.concat()).unwrap();
    assert_eq!(snapshot["policies"][0]["group"], json!({"id": buying, "code": "BUY"}));
    // Without the word, the answer has the policies of no group too, which name none.
    let all = narrowed(&world, json!({})).await.expect(200)["evaluated_policies"].clone();
    assert_eq!(
        (&all[0]["policy_code"], &all[1]["policy_code"]),
        (&json!("PAY-01"), &json!("PAY-02"))
    );
    assert_eq!(all[1].get("policy_group_id"), None);
    // The same request answers the same for ever, whatever became of the group.
    world.key.patch(format!("/v1/policy-groups/{buying}"), &json!({"code": "NEW"})).await;
    let again = world.key.post("/v1/decisions/record", &body).await.expect(200);
    assert_eq!(again["decision"], decision);
}

#[tokio::test]
async fn a_group_that_changes_counts_from_the_next_evaluation_on() {
    let world = world().await;
    let buying = group(&world.key, "BUY").await;
    let path = format!("/v1/policy-groups/{buying}");
    let version = world.active("PAY-01").await;
    let in_group = async |code: &str| narrowed(&world, json!({"policy_group_code": code})).await;
    let digest =
        |answer: &TestResponse| answer.expect(200)["result"]["policy_snapshot_digest"].clone();

    assert_snapshot!(in_group("BUY").await, @"404 NO_ACTIVE_POLICIES");
    join(&world, &version, &buying).await;
    let before = in_group("BUY").await;
    assert_eq!(looked_at(&before), ["PAY-01"]);
    world.key.patch(&path, &json!({"code": "PURCHASES"})).await.expect(200);
    assert_eq!(in_group("BUY").await.faults(), "/policy_group_code unknown\n");
    let after = in_group("PURCHASES").await;
    assert_ne!(digest(&after), digest(&before), "a snapshot shows the code");
    // Its name is nowhere but in the group.
    world.key.patch(&path, &json!({"name": "Purchases"})).await.expect(200);
    assert_eq!(digest(&in_group("PURCHASES").await), digest(&after));
    world.key.patch(version.of(), &json!({"policy_group_id": null})).await.expect(200);
    assert_snapshot!(in_group("PURCHASES").await, @"404 NO_ACTIVE_POLICIES");
    assert_eq!(world.key.delete(&path).await.status, 204);
    assert_eq!(in_group("PURCHASES").await.faults(), "/policy_group_code unknown\n");
}
