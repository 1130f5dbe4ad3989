//! The moves of a version: who may make them, from where, and what they leave behind.

use std::fmt::Write as _;

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    service::{NOW, TestService, Version, drafted, policy, rules, world},
};

/// Every move, with a body that it takes.
fn moves(version: &Version) -> [(&'static str, String, Value); 10] {
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "better"});
    [
        ("PATCH", version.path(), json!({"expected_revision": 1})),
        ("DELETE", version.path(), json!({})),
        ("POST", version.act("submit"), json!({})),
        ("POST", version.act("recall"), json!({})),
        ("POST", version.act("reject"), json!({"reason": "too strict"})),
        ("POST", version.act("seal"), json!({})),
        ("POST", version.act("supersede"), correction),
        ("POST", version.act("set-aside"), json!({"reason": "not needed"})),
        ("POST", version.act("ratify"), json!({"expected_revision": 1})),
        ("POST", version.act("activate"), json!({})),
    ]
}

#[tokio::test]
async fn a_move_from_the_wrong_state_is_refused_with_its_reason() {
    let world = world().await;
    let draft = world.draft("DRAFT").await;
    let submitted = world.submitted("SUBMITTED").await;
    let ratified = world.ratified("RATIFIED").await;
    let active = world.active("ACTIVE").await;
    let replaced = world.draft("REPLACED").await;
    let aside = world.draft("ASIDE").await;
    for (version, act) in [(&replaced, "supersede"), (&aside, "set-aside")] {
        let mut moves = moves(version).into_iter();
        let (_, path, body) = moves.find(|(_, path, _)| path.ends_with(act)).unwrap();
        assert!(world.author().await.post(path, &body).await.status < 300);
    }
    let mut refusals = String::new();
    for (version, allowed) in [
        (draft, &["edit", "delete", "submit", "seal", "supersede", "set-aside"][..]),
        (submitted, &["recall", "reject", "seal", "set-aside", "ratify"]),
        (ratified, &["set-aside", "activate"]),
        (active, &[]),
        (replaced, &[]),
        (aside, &[]),
    ] {
        for (method, path, body) in moves(&version) {
            let requested = match method {
                "PATCH" => "edit",
                "DELETE" => "delete",
                _ => path.rsplit('/').next().unwrap(),
            };
            if allowed.contains(&requested) {
                continue;
            }
            let refused = world.ratifier().await.call(method, &path).json(&body).await;
            let details = refused.details();
            assert_eq!(details["requested"], requested);
            assert_eq!(details.as_object().map(serde_json::Map::len), Some(3));
            writeln!(refusals, "{requested} {refused} from {}", text(&details["from"])).unwrap();
        }
    }
    assert_snapshot!(refusals, @r"
    recall 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from draft
    reject 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from draft
    ratify 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from draft
    activate 409 INVALID_TRANSITION (VERSION_NOT_RATIFIED) from draft
    edit 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from submitted
    delete 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from submitted
    submit 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from submitted
    supersede 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from submitted
    activate 409 INVALID_TRANSITION (VERSION_NOT_RATIFIED) from submitted
    edit 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from ratified
    delete 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from ratified
    submit 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from ratified
    recall 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from ratified
    reject 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from ratified
    seal 409 INVALID_TRANSITION (VERSION_NOT_SEALABLE) from ratified
    supersede 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from ratified
    ratify 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from ratified
    edit 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from ratified
    delete 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from ratified
    submit 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from ratified
    recall 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from ratified
    reject 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from ratified
    seal 409 INVALID_TRANSITION (VERSION_NOT_SEALABLE) from ratified
    supersede 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from ratified
    set-aside 409 INVALID_TRANSITION (VERSION_WAS_ACTIVE) from active
    ratify 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from ratified
    activate 409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE) from active
    edit 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from replaced
    delete 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from replaced
    submit 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from replaced
    recall 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from replaced
    reject 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from replaced
    seal 409 INVALID_TRANSITION (VERSION_NOT_SEALABLE) from replaced
    supersede 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from replaced
    set-aside 409 INVALID_TRANSITION (VERSION_CLOSED) from replaced
    ratify 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from replaced
    activate 409 INVALID_TRANSITION (VERSION_NOT_RATIFIED) from replaced
    edit 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from set_aside
    delete 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from set_aside
    submit 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from set_aside
    recall 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from set_aside
    reject 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from set_aside
    seal 409 INVALID_TRANSITION (VERSION_NOT_SEALABLE) from set_aside
    supersede 409 INVALID_TRANSITION (VERSION_NOT_DRAFT) from set_aside
    set-aside 409 INVALID_TRANSITION (VERSION_CLOSED) from set_aside
    ratify 409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED) from set_aside
    activate 409 INVALID_TRANSITION (VERSION_NOT_RATIFIED) from set_aside
    ");
}

#[tokio::test]
async fn a_recalled_version_is_a_draft_again() {
    let world = world().await;
    let version = world.submitted("PAY-01").await;
    let author = world.author().await;
    let recalled = author.post(version.act("recall"), &json!({})).await.expect(200);
    assert_eq!(recalled["status"], "draft");
    assert_eq!(recalled["draft_revision"], 1);
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    assert_eq!(author.patch(version.path(), &edit).await.expect(200)["draft_revision"], 2);
    author.post(version.act("submit"), &json!({})).await.expect(200);
    let stale = json!({"expected_revision": 1});
    let ratifier = world.ratifier().await;
    let refused = ratifier.post(version.act("ratify"), &stale).await;
    assert_snapshot!(refused, @"409 STALE_DRAFT_REVISION");
    assert_eq!(refused.details()["current"]["rules"], rules(9_000));
    let read = json!({"expected_revision": 2});
    ratifier.post(version.act("ratify"), &read).await.expect(200);
}

#[tokio::test]
async fn a_rejected_version_is_a_draft_that_says_who_rejected_it_and_why() {
    let world = world().await;
    let version = world.submitted("PAY-01").await;
    let reviewer = world.person(Role::Reviewer).await;
    let who = reviewer.get("/v1/session").await.expect(200)["user"]["id"].clone();
    let reason = json!({"reason": "the limit is too high"});
    let rejected = reviewer.post(version.act("reject"), &reason).await.expect(200);
    assert_eq!(rejected["status"], "draft");
    assert_eq!(rejected["rejection_reason"], "the limit is too high");
    assert_eq!(rejected["rejected_by"], who);
    assert_eq!(rejected["rejected_at"], NOW);
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    world.ratify(&version).await;
}

#[tokio::test]
async fn an_edit_moves_the_revision_and_a_stale_one_is_told_the_current_draft() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let author = world.author().await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000), "change_reason": "lower"});
    let edited = author.patch(version.path(), &edit).await.expect(200);
    assert_eq!(edited["draft_revision"], 2);
    assert_eq!(edited["rules"], rules(9_000));
    assert_eq!(edited["change_reason"], "lower");
    let refused = author.patch(version.path(), &edit).await;
    assert_snapshot!(refused, @"409 STALE_DRAFT_REVISION");
    assert_eq!(refused.details(), json!({"current": edited}));
    // Absent members stay as they are.
    let nothing = json!({"expected_revision": 2});
    let same = author.patch(version.path(), &nothing).await.expect(200);
    assert_eq!((&same["rules"], &same["change_reason"]), (&edited["rules"], &json!("lower")));
    assert_eq!(same["draft_revision"], 3);
}

#[tokio::test]
async fn of_two_edits_at_once_one_is_stale() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let author = world.author().await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    let call = || author.patch(version.path(), &edit).into_future();
    let (one, two) = tokio::join!(call(), call());
    let mut answers = [one.to_string(), two.to_string()];
    answers.sort();
    assert_eq!(answers, ["200", "409 STALE_DRAFT_REVISION"]);
}

#[tokio::test]
async fn a_policy_has_one_open_draft() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let author = world.author().await;
    let path = format!("{}/versions", version.of());
    let next = json!({"rules": rules(5_000), "based_on_version": 1});
    let refused = author.post(&path, &next).await;
    assert_snapshot!(refused, @"409 DRAFT_EXISTS");
    assert_eq!(refused.details(), json!({"version": 1}));
    author.post(version.act("submit"), &json!({})).await.expect(200);
    assert_snapshot!(author.post(&path, &next).await, @"409 DRAFT_EXISTS");
    world.ratify(&version).await;
    let opened = author.post(&path, &next).await;
    assert_eq!(opened.expect(201)["version"], 2);
    assert_eq!(opened.header("location"), Some(&*format!("{path}/2")));
}

#[tokio::test]
async fn of_two_drafts_opened_at_once_one_is_refused() {
    let world = world().await;
    let version = world.ratified("PAY-01").await;
    let author = world.author().await;
    let path = format!("{}/versions", version.of());
    let next = json!({"rules": rules(5_000)});
    let call = || author.post(&path, &next).into_future();
    let (one, two) = tokio::join!(call(), call());
    let mut answers = [one.to_string(), two.to_string()];
    answers.sort();
    assert_eq!(answers, ["201", "409 DRAFT_EXISTS"]);
}

#[tokio::test]
async fn a_code_is_taken_in_any_case_of_its_letters() {
    let world = world().await;
    world.draft("Pay-01").await;
    let author = world.author().await;
    for code in ["Pay-01", "PAY-01", "pay-01"] {
        let refused = author.post("/v1/policies", &policy(code)).await;
        assert_eq!(refused.to_string(), "409 DUPLICATE_CODE");
    }
    let neighbour = world.neighbour().await;
    drafted(&neighbour.key, "PAY-01").await;
}

#[tokio::test]
async fn a_policy_may_begin_without_rules() {
    let world = world().await;
    let author = world.author().await;
    let made = author.post("/v1/policies", &json!({"code": "P", "name": "Later"})).await;
    let made = made.expect(201);
    assert_eq!(made.get("version"), None);
    assert_eq!(made["policy"]["latest_version"], 0);
    let path = format!("/v1/policies/{}/versions", text(&made["policy"]["id"]));
    let opened = author.post(&path, &json!({"rules": []})).await.expect(201);
    assert_eq!(opened["version"], 1);
}

#[tokio::test]
async fn the_next_version_takes_over_and_the_earlier_one_stays_as_it_was() {
    let world = world().await;
    let first = world.active("PAY-01").await;
    let second = world.successor(&first, &rules(5_000)).await;
    let before = world.key.get(first.path()).await.expect(200);
    world.activate(&second).await;
    let after = world.key.get(first.path()).await.expect(200);
    assert_eq!(after["is_active"], false);
    let still = |version: &Value| [version["rules"].clone(), version["status"].clone()];
    assert_eq!(still(&after), still(&before));
    let policy = world.key.get(first.of()).await.expect(200);
    assert_eq!((&policy["active_version"], &policy["latest_version"]), (&json!(2), &json!(2)));
    // And back again: a ratified version can be activated once more.
    world.activate(&first).await;
    assert_eq!(world.key.get(first.of()).await.expect(200)["active_version"], 1);
}

#[tokio::test]
async fn a_deactivated_policy_decides_nothing() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let path = format!("{}/deactivate", version.of());
    let reason = json!({"reason": "superseded by law"});
    let ratifier = world.ratifier().await;
    let policy = ratifier.post(&path, &reason).await.expect(200);
    assert_eq!(policy["is_active"], false);
    assert_eq!(policy.get("active_version"), None);
    assert_eq!(world.key.get(version.path()).await.expect(200)["is_active"], false);
    let refused = ratifier.post(&path, &reason).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (POLICY_NOT_ACTIVE)");
    world.activate(&version).await;
    assert_eq!(world.key.get(version.of()).await.expect(200)["is_active"], true);
}

#[tokio::test]
async fn a_policy_shows_the_version_that_is_asked_for() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let path = format!("{}/versions", version.of());
    let next = json!({"rules": rules(5_000)});
    let opened = world.author().await.post(path, &next).await.expect(201);
    let shown =
        async |selector: &str| world.key.get(format!("{}?version={selector}", version.of())).await;
    assert_eq!(shown("active").await.expect(200)["version"]["version"], 1);
    assert_eq!(shown("1").await.expect(200)["version"]["rules"], rules(10_000));
    assert_eq!(shown("draft").await.expect(200)["version"], opened);
    assert_eq!(shown("2").await.expect(200)["version"], opened);
    assert_eq!(world.key.get(version.of()).await.expect(200).get("version"), None);
    assert_snapshot!(shown("3").await, @"404 NOT_FOUND");
    assert_snapshot!(shown("4294967295").await, @"404 NOT_FOUND");
    for wrong in ["0", "-1", "1.0", "latest", "Active", "4294967296"] {
        assert_eq!(shown(wrong).await.faults(), "/version format\n", "{wrong}");
    }
    let new = world.draft("NEW").await;
    let active = world.key.get(format!("{}?version=active", new.of())).await;
    assert_snapshot!(active, @"404 NOT_FOUND");
}

#[tokio::test]
async fn nobody_ratifies_what_they_made() {
    let world = world().await;
    let maker = world.person(Role::Ratifier).await;
    let other = world.person(Role::Ratifier).await;
    let helper = world.person(Role::Author).await;

    // Who wrote it.
    let written = drafted(&maker, "WRITTEN").await;
    helper.post(written.act("submit"), &json!({})).await.expect(200);
    assert_snapshot!(ratify(&maker, &written, 1).await, @"403 MAKER_CHECKER_VIOLATION");

    // Who edited it, though another person had the last word.
    let edited = drafted(&helper, "EDITED").await;
    let edit = json!({"expected_revision": 1});
    maker.patch(edited.path(), &edit).await.expect(200);
    helper.patch(edited.path(), &json!({"expected_revision": 2})).await.expect(200);
    helper.post(edited.act("submit"), &json!({})).await.expect(200);
    assert_snapshot!(ratify(&maker, &edited, 3).await, @"403 MAKER_CHECKER_VIOLATION");

    // Who submitted it, even when it was recalled and submitted by another.
    let sent = drafted(&helper, "SENT").await;
    maker.post(sent.act("submit"), &json!({})).await.expect(200);
    helper.post(sent.act("recall"), &json!({})).await.expect(200);
    helper.post(sent.act("submit"), &json!({})).await.expect(200);
    assert_snapshot!(ratify(&maker, &sent, 1).await, @"403 MAKER_CHECKER_VIOLATION");

    // A new sign-in is no new person.
    let email = maker.get("/v1/session").await.expect(200)["user"]["email"].clone();
    let again = world.sign_in(text(&email)).await;
    assert_snapshot!(ratify(&again, &written, 1).await, @"403 MAKER_CHECKER_VIOLATION");

    for (version, revision) in [(written, 1), (edited, 3), (sent, 1)] {
        ratify(&other, &version, revision).await.expect(200);
    }
}

#[tokio::test]
async fn a_key_s_policy_is_its_owner_s_policy() {
    let world = world().await;
    let version = drafted(&world.key, "PAY-01").await;
    world.key.post(version.act("submit"), &json!({})).await.expect(200);
    let admin = world.admin().await;
    assert_snapshot!(ratify(&admin, &version, 1).await, @"403 MAKER_CHECKER_VIOLATION");
    world.ratify(&version).await;
    // The owner of a key from before owners were required is unknown, so nobody can be independent of it.
    let scopes = [Scope::PoliciesWrite, Scope::PoliciesRead];
    let program = world.key_with(&scopes).await;
    world.sql("update key_digests set owner = null").await;
    let version = drafted(&program, "PAY-02").await;
    program.post(version.act("submit"), &json!({})).await.expect(200);
    let refused = ratify(&admin, &version, 1).await;
    assert_snapshot!(refused, @"403 MAKER_CHECKER_VIOLATION (MAKER_UNKNOWN)");
}

#[tokio::test]
async fn without_maker_checker_one_person_suffices() {
    let world = world().await;
    world.sql("update settings set maker_checker_enabled = false").await;
    let admin = world.admin().await;
    let version = drafted(&admin, "PAY-01").await;
    admin.post(version.act("submit"), &json!({})).await.expect(200);
    ratify(&admin, &version, 1).await.expect(200);
    admin.post(version.act("activate"), &json!({})).await.expect(200);
}

#[tokio::test]
async fn a_tenant_that_asks_for_reviews_ratifies_nothing_without_one() {
    let world = world().await;
    world.sql("update settings set review_required = true").await;
    let version = world.submitted("PAY-01").await;
    let refused = ratify(world.ratifier().await, &version, 1).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (REVIEW_REQUIRED)");
}

#[tokio::test]
async fn human_acts_are_not_for_keys() {
    let world = world().await;
    let submitted = world.submitted("SUBMITTED").await;
    let ratified = world.ratified("RATIFIED").await;
    let active = world.active("ACTIVE").await;
    let reason = json!({"reason": "because"});
    let draft = world.draft("DRAFT").await;
    let submission = world.seal(&draft).await;
    let accept = json!({"verdict": "ACCEPT"});
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "better"});
    for (path, body) in [
        (draft.act(&format!("submissions/{submission}/records")), &accept),
        (draft.act("supersede"), &correction),
        (draft.act("set-aside"), &reason),
        (submitted.act("ratify"), &json!({"expected_revision": 1})),
        (ratified.act("activate"), &json!({})),
    ] {
        let refused = world.key.post(&path, body).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED", "{path}");
    }
    // The specification grants these to `policies:write`, unless the tenant closes them to keys.
    world.sql("update settings set human_changes_only = true").await;
    for path in [submitted.act("reject"), format!("{}/deactivate", active.of())] {
        let refused = world.key.post(&path, &reason).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED", "{path}");
    }
}

#[tokio::test]
async fn each_role_has_the_rights_of_the_contract() {
    let world = world().await;
    let mut rights = String::new();
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "better"});
    for role in Role::ALL {
        let person = world.person(role).await;
        let recalled = world.submitted(&format!("RECALL-{role}")).await;
        let rejected = world.submitted(&format!("REJECT-{role}")).await;
        let ratified = world.submitted(&format!("RATIFY-{role}")).await;
        let activated = world.ratified(&format!("ACTIVATE-{role}")).await;
        let sealed = world.draft(&format!("SEAL-{role}")).await;
        let corrected = world.draft(&format!("CORRECT-{role}")).await;
        let aside = world.draft(&format!("ASIDE-{role}")).await;
        let reviewed = world.draft(&format!("REVIEW-{role}")).await;
        let submission = world.seal(&reviewed).await;
        let review = reviewed.act(&format!("submissions/{submission}/records"));
        let mut may = Vec::new();
        for (act, method, path, body) in [
            ("read", "GET", activated.path(), json!({})),
            ("list", "GET", "/v1/decisions".to_owned(), json!({})),
            ("draft", "POST", "/v1/policies".to_owned(), policy(&format!("NEW-{role}"))),
            ("recall", "POST", recalled.act("recall"), json!({})),
            ("reject", "POST", rejected.act("reject"), json!({"reason": "because"})),
            ("seal", "POST", sealed.act("seal"), json!({})),
            ("review", "POST", review.clone(), json!({"verdict": "ACCEPT"})),
            ("supersede", "POST", corrected.act("supersede"), correction.clone()),
            ("set-aside", "POST", aside.act("set-aside"), json!({"reason": "because"})),
            ("approval", "GET", activated.act("approval"), json!({})),
            ("ratify", "POST", ratified.act("ratify"), json!({"expected_revision": 1})),
            ("activate", "POST", activated.act("activate"), json!({})),
        ] {
            let answer = person.call(method, path).json(&body).await;
            match answer.status {
                200 | 201 => may.push(act),
                _ => assert_eq!(answer.to_string(), "403 FORBIDDEN", "{role} {act}"),
            }
        }
        writeln!(rights, "{role}: {}", may.join(" ")).unwrap();
    }
    assert_snapshot!(rights, @r"
    viewer: read list approval
    operator: read list approval
    auditor: read list approval
    author: read list draft recall seal supersede approval
    reviewer: read list draft recall reject seal review supersede set-aside approval
    ratifier: read list draft recall reject seal review supersede set-aside approval ratify activate
    admin: read list draft recall reject seal review supersede set-aside approval ratify activate
    ");
}

#[tokio::test]
async fn every_act_is_one_event_of_one_chain() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let reason = json!({"reason": "over"});
    let deactivate = format!("{}/deactivate", version.of());
    world.ratifier().await.post(&deactivate, &reason).await.expect(200);
    let before = events(&world).await;
    // What is refused, and what only reads, leaves no trace.
    world.ratifier().await.post(&deactivate, &reason).await;
    world.author().await.post("/v1/policies", &policy("pay-01")).await;
    world.key.get(version.path()).await.expect(200);
    assert_eq!(events(&world).await, before);
    let acts: Vec<&str> = before.iter().filter_map(|event| event.strip_prefix("policy")).collect();
    let expected = [
        ".create human",
        "_version.submit human",
        "_version.ratify human",
        "_version.activate human",
        ".deactivate human",
    ];
    assert_eq!(acts, expected);
    let unlinked = "select seq::text from audit_events e where seq > 1 and prev is distinct from \
                    (select hash from audit_events p where p.seq = e.seq - 1)";
    assert_eq!(world.sql(unlinked).await, [""; 0]);
}

async fn events(world: &TestService) -> Vec<String> {
    world.sql("select action || ' ' || actor_type from audit_events order by seq").await
}

async fn ratify(person: &Client, version: &Version, revision: u32) -> TestResponse {
    person.post(version.act("ratify"), &json!({"expected_revision": revision})).await
}
