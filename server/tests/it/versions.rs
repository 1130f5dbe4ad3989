//! The versions of a policy beside each other: their list, their differences, and drafts that go.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::text,
    service::{TestService, Version, rules, world},
};

/// The author's next draft of a policy, with these rules.
async fn next(world: &TestService, of: &Version, rules: &Value) -> Version {
    let path = format!("{}/versions", of.of());
    let made = world.author().await.post(path, &json!({"rules": rules})).await.expect(201);
    let number = made["version"].as_u64().and_then(|number| number.try_into().ok());
    Version { policy: of.policy.clone(), number: number.expect("a number") }
}

#[tokio::test]
async fn a_draft_goes_and_its_number_with_it() {
    let world = world().await;
    let first = world.active("PAY-01").await;
    let second = next(&world, &first, &rules(5_000)).await;
    let gone = world.author().await.delete(second.path()).await;
    assert_eq!((gone.status, gone.text.as_str()), (204, ""));
    assert_eq!(world.key.get(second.path()).await.to_string(), "404 NOT_FOUND");
    assert_eq!(world.key.delete(second.path()).await.to_string(), "404 NOT_FOUND");
    let policy = world.key.get(first.of()).await.expect(200);
    assert_eq!(policy.get("draft_version"), None);
    assert_eq!((&policy["active_version"], &policy["latest_version"]), (&json!(1), &json!(2)));
    let third = next(&world, &first, &rules(4_000)).await;
    assert_eq!(third.number, 3, "a number is given out once");
    // The only version of a policy, too.
    let only = world.draft("PAY-02").await;
    assert_eq!(world.key.delete(only.path()).await.status, 204);
    assert_eq!(next(&world, &only, &json!([])).await.number, 2);
}

#[tokio::test]
async fn a_recalled_or_rejected_draft_can_be_deleted_and_its_history_stays_in_the_log() {
    let world = world().await;
    let author = world.author().await;
    let recalled = world.submitted("RECALLED").await;
    author.post(recalled.act("recall"), &json!({})).await.expect(200);
    let rejected = world.submitted("REJECTED").await;
    let reason = json!({"reason": "too strict"});
    world.ratifier().await.post(rejected.act("reject"), &reason).await.expect(200);
    for (version, act) in [(recalled, "recall"), (rejected, "reject")] {
        let id = world.key.get(version.path()).await.expect(200)["id"].clone();
        assert_eq!(author.delete(version.path()).await.status, 204);
        assert_eq!(world.key.get(version.path()).await.to_string(), "404 NOT_FOUND");
        let log = format!("/v1/audit-log?object_type=policy_version&object_id={}", text(&id));
        let log = world.key.get(log).await.expect(200);
        let actions = log["items"].as_array().expect("a list").iter();
        let actions: Vec<_> = actions.map(|event| event["action"].clone()).collect();
        let expected = ["delete", act, "submit"].map(|act| json!(format!("policy_version.{act}")));
        assert_eq!(actions, expected);
    }
}

#[tokio::test]
async fn versions_are_listed_newest_first_without_their_rules() {
    let world = world().await;
    let first = world.active("PAY-01").await;
    let path = format!("{}/versions", first.of());
    for limit in [9_000, 8_000, 7_000] {
        world.successor(&first, &rules(limit)).await;
    }
    let page = |tail: &str| world.key.get(format!("{path}?{tail}")).into_future();
    let numbers = |page: &Value| {
        let items = page["items"].as_array().unwrap().iter();
        items.map(|version| version["version"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let all = page("").await.expect(200);
    assert_eq!((numbers(&all), &all["next_cursor"]), (vec![4, 3, 2, 1], &Value::Null));
    let mut whole = world.key.get(first.path()).await.expect(200);
    whole.as_object_mut().unwrap().remove("rules");
    assert_eq!(all["items"][3], whole);

    let newest = page("limit=2").await.expect(200);
    assert_eq!(numbers(&newest), [4, 3]);
    let cursor = text(&newest["next_cursor"]);
    // A version that comes meanwhile moves nothing.
    next(&world, &first, &rules(1)).await;
    let rest = page(&format!("limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!((numbers(&rest), &rest["next_cursor"]), (vec![2, 1], &Value::Null));
    let other = world.draft("OTHER").await;
    let foreign = world.key.get(format!("{}/versions?cursor={cursor}", other.of())).await;
    assert_eq!(foreign.faults(), "/cursor cursor\n");
    let bare = world.key.post("/v1/policies", &json!({"code": "B", "name": "Bare"})).await;
    let bare = format!("/v1/policies/{}/versions", text(&bare.expect(201)["policy"]["id"]));
    assert_eq!(world.key.get(bare).await.expect(200)["items"], json!([]));
}

#[tokio::test]
async fn a_diff_says_what_came_went_changed_and_moved() {
    let world = world().await;
    let first = world.active("PAY-01").await;
    let [mut amount, purpose, tax] = [0, 1, 2].map(|index| rules(10_000)[index].clone());
    amount["condition"]["max"] = json!(5_000);
    amount["severity"] = json!("critical");
    let payee = json!({
        "code": "PAYEE", "severity": "low", "rule_type": "presence",
        "condition": {"required_fields": ["payee"]}, "replaces_rule_code": "NOWHERE",
    });
    let second = next(&world, &first, &json!([payee, tax, amount])).await;
    let shown = world.key.get(second.act("diff?against=1")).await.expect(200);
    assert_eq!(
        shown,
        json!({
            "against": 1,
            "added": [payee],
            "removed": [purpose],
            "changed": [{
                "code": "AMOUNT", "before": rules(10_000)[0], "after": amount,
                "fields": ["condition", "severity"],
            }],
            "moved": [{"code": "TAX", "from": 2, "to": 1}],
        })
    );
    // And the way back.
    let back = world.key.get(first.act("diff?against=2")).await.expect(200);
    assert_eq!((&back["added"], &back["removed"]), (&json!([purpose]), &json!([payee])));
    let nothing = json!({"against": 2, "added": [], "removed": [], "changed": [], "moved": []});
    assert_eq!(world.key.get(second.act("diff?against=2")).await.expect(200), nothing);
}

#[tokio::test]
async fn a_rule_that_replaces_another_is_shown_beside_it() {
    let world = world().await;
    let first = world.active("PAY-01").await;
    let mut next_rules = rules(10_000);
    next_rules[0]["code"] = json!("LIMIT");
    next_rules[0]["replaces_rule_code"] = json!("AMOUNT");
    let second = next(&world, &first, &next_rules).await;
    let shown = world.key.get(second.act("diff")).await.expect(200);
    assert_eq!((&shown["added"], &shown["removed"]), (&json!([]), &json!([])));
    let change = &shown["changed"][0];
    assert_eq!((&change["code"], &change["before"]["code"]), (&json!("LIMIT"), &json!("AMOUNT")));
    assert_eq!(change["fields"], json!(["code", "replaces_rule_code"]));
}

#[tokio::test]
async fn without_a_word_a_version_is_compared_with_the_one_that_decides() {
    let world = world().await;
    let first = world.ratified("PAY-01").await;
    let against = async |version: &Version| {
        let shown = world.key.get(version.act("diff")).await.expect(200);
        (shown.get("against").cloned(), shown["added"].as_array().map(Vec::len))
    };
    assert_eq!(against(&first).await, (None, Some(3)), "there is none: every rule is new");
    let second = world.successor(&first, &rules(5_000)).await;
    assert_eq!(against(&second).await, (Some(json!(1)), Some(0)), "else the one before");
    let third = world.successor(&first, &rules(4_000)).await;
    assert_eq!(against(&third).await.0, Some(json!(2)));
    world.activate(&first).await;
    assert_eq!(against(&third).await.0, Some(json!(1)));
    assert_eq!(against(&second).await.0, Some(json!(1)));
    world.activate(&third).await;
    assert_eq!(against(&third).await.0, Some(json!(2)), "no version is compared with itself");
    assert_eq!(against(&first).await.0, Some(json!(3)));
}

#[tokio::test]
async fn a_diff_against_what_is_not_there_is_refused() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let shown = async |tail: &str| world.key.get(version.act(&format!("diff{tail}"))).await;
    assert_snapshot!(shown("?against=2").await, @"404 NOT_FOUND");
    for wrong in ["0", "-1", "one", "1.0", "", "active", "4294967296"] {
        let refused = shown(&format!("?against={wrong}")).await;
        assert_eq!(refused.faults(), "/against format\n", "{wrong}");
    }
    assert_eq!(shown("?against=1&against=1").await.faults(), "/against repeated\n");
    let missing = Version { number: 2, ..version.clone() };
    assert_snapshot!(world.key.get(missing.act("diff")).await, @"404 NOT_FOUND");
}
