//! Transitions of a policy version: the statuses and callers that allow them, and their audit events.

use std::fmt::Write as _;

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    service::{NOW, TestService, Version, create_draft, policy, rules, test_service, user_id},
};

/// Every transition of a version: method, path and a valid body.
fn transitions(version: &Version) -> [(&'static str, String, Value); 10] {
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "better"});
    [
        ("PATCH", version.path(), json!({"expected_revision": 1})),
        ("DELETE", version.path(), json!({})),
        ("POST", version.action_path("submit"), json!({})),
        ("POST", version.action_path("recall"), json!({})),
        ("POST", version.action_path("reject"), json!({"reason": "too strict"})),
        ("POST", version.action_path("seal"), json!({})),
        ("POST", version.action_path("supersede"), correction),
        ("POST", version.action_path("set-aside"), json!({"reason": "not needed"})),
        ("POST", version.action_path("ratify"), json!({"expected_revision": 1})),
        ("POST", version.action_path("activate"), json!({})),
    ]
}

#[tokio::test]
async fn transition_from_a_wrong_status_returns_its_reason() {
    let service = test_service().await;
    let draft = service.draft("DRAFT").await;
    let submitted = service.submitted("SUBMITTED").await;
    let ratified = service.ratified("RATIFIED").await;
    let active = service.active("ACTIVE").await;
    let replaced = service.draft("REPLACED").await;
    let set_aside = service.draft("ASIDE").await;
    for (version, action) in [(&replaced, "supersede"), (&set_aside, "set-aside")] {
        let mut transitions = transitions(version).into_iter();
        let (_, path, body) = transitions.find(|(_, path, _)| path.ends_with(action)).unwrap();
        assert!(service.author().await.post(path, &body).await.status < 300);
    }
    let mut refusals = String::new();
    for (version, allowed) in [
        (draft, &["edit", "delete", "submit", "seal", "supersede", "set-aside"][..]),
        (submitted, &["recall", "reject", "seal", "set-aside", "ratify"]),
        (ratified, &["set-aside", "activate"]),
        (active, &[]),
        (replaced, &[]),
        (set_aside, &[]),
    ] {
        for (method, path, body) in transitions(&version) {
            let requested = match method {
                "PATCH" => "edit",
                "DELETE" => "delete",
                _ => path.rsplit('/').next().unwrap(),
            };
            if allowed.contains(&requested) {
                continue;
            }
            let refused = service.ratifier().await.call(method, &path).json(&body).await;
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
async fn recalling_returns_a_version_to_draft() {
    let service = test_service().await;
    let version = service.submitted("PAY-01").await;
    let author = service.author().await;
    let recalled = author.post(version.action_path("recall"), &json!({})).await.expect(200);
    assert_eq!(recalled["status"], "draft");
    assert_eq!(recalled["draft_revision"], 1);
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    assert_eq!(author.patch(version.path(), &edit).await.expect(200)["draft_revision"], 2);
    service.submit(&version).await;
    let stale = json!({"expected_revision": 1});
    let ratifier = service.ratifier().await;
    let refused = ratifier.post(version.action_path("ratify"), &stale).await;
    assert_snapshot!(refused, @"409 STALE_DRAFT_REVISION");
    assert_eq!(refused.details()["current"]["rules"], rules(9_000));
    let current = json!({"expected_revision": 2});
    ratifier.post(version.action_path("ratify"), &current).await.expect(200);
}

#[tokio::test]
async fn rejected_version_is_a_draft_with_reviewer_and_reason() {
    let service = test_service().await;
    let version = service.submitted("PAY-01").await;
    let reviewer = service.signed_in_member(Role::Reviewer).await;
    let reviewer_id = user_id(&reviewer).await;
    let reason = json!({"reason": "the limit is too high"});
    let rejected = reviewer.post(version.action_path("reject"), &reason).await.expect(200);
    assert_eq!(rejected["status"], "draft");
    assert_eq!(rejected["rejection_reason"], "the limit is too high");
    assert_eq!(rejected["rejected_by"], reviewer_id);
    assert_eq!(rejected["rejected_at"], NOW);
    service.submit(&version).await;
    service.ratify(&version).await;
}

#[tokio::test]
async fn edit_increments_the_revision_and_a_stale_edit_returns_the_current_draft() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let author = service.author().await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000), "change_reason": "lower"});
    let edited = author.patch(version.path(), &edit).await.expect(200);
    assert_eq!(edited["draft_revision"], 2);
    assert_eq!(edited["rules"], rules(9_000));
    assert_eq!(edited["change_reason"], "lower");
    let refused = author.patch(version.path(), &edit).await;
    assert_snapshot!(refused, @"409 STALE_DRAFT_REVISION");
    assert_eq!(refused.details(), json!({"current": edited}));
    // Absent members stay unchanged.
    let unchanged = json!({"expected_revision": 2});
    let same = author.patch(version.path(), &unchanged).await.expect(200);
    assert_eq!((&same["rules"], &same["change_reason"]), (&edited["rules"], &json!("lower")));
    assert_eq!(same["draft_revision"], 3);
}

#[tokio::test]
async fn one_of_two_concurrent_edits_is_stale() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let author = service.author().await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    let call = || author.patch(version.path(), &edit).into_future();
    let (one, two) = tokio::join!(call(), call());
    let mut responses = [one.to_string(), two.to_string()];
    responses.sort();
    assert_eq!(responses, ["200", "409 STALE_DRAFT_REVISION"]);
}

#[tokio::test]
async fn policy_has_at_most_one_open_draft() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let author = service.author().await;
    let path = version.versions_path();
    let next = json!({"rules": rules(5_000), "based_on_version": 1});
    let refused = author.post(&path, &next).await;
    assert_snapshot!(refused, @"409 DRAFT_EXISTS");
    assert_eq!(refused.details(), json!({"version": 1}));
    service.submit(&version).await;
    assert_snapshot!(author.post(&path, &next).await, @"409 DRAFT_EXISTS");
    service.ratify(&version).await;
    let created = author.post(&path, &next).await;
    assert_eq!(created.expect(201)["version"], 2);
    assert_eq!(created.header("location"), Some(&*format!("{path}/2")));
}

#[tokio::test]
async fn one_of_two_concurrent_drafts_is_rejected() {
    let service = test_service().await;
    let version = service.ratified("PAY-01").await;
    let author = service.author().await;
    let path = version.versions_path();
    let next = json!({"rules": rules(5_000)});
    let call = || author.post(&path, &next).into_future();
    let (one, two) = tokio::join!(call(), call());
    let mut responses = [one.to_string(), two.to_string()];
    responses.sort();
    assert_eq!(responses, ["201", "409 DRAFT_EXISTS"]);
}

#[tokio::test]
async fn policy_code_is_unique_in_a_tenant_ignoring_case() {
    let service = test_service().await;
    service.draft("Pay-01").await;
    let author = service.author().await;
    for code in ["Pay-01", "PAY-01", "pay-01"] {
        let refused = author.post("/v1/policies", &policy(code)).await;
        assert_eq!(refused.to_string(), "409 DUPLICATE_CODE");
    }
    let neighbour = service.other_tenant().await;
    create_draft(&neighbour.key, "PAY-01").await;
}

#[tokio::test]
async fn policy_can_be_created_without_a_version() {
    let service = test_service().await;
    let author = service.author().await;
    let created = author.post("/v1/policies", &json!({"code": "P", "name": "Later"})).await;
    let created = created.expect(201);
    assert_eq!(created.get("version"), None);
    assert_eq!(created["policy"]["latest_version"], 0);
    let path = format!("/v1/policies/{}/versions", text(&created["policy"]["id"]));
    let version = author.post(&path, &json!({"rules": []})).await.expect(201);
    assert_eq!(version["version"], 1);
}

#[tokio::test]
async fn activating_a_version_replaces_the_active_one_without_changing_it() {
    let service = test_service().await;
    let first = service.active("PAY-01").await;
    let second = service.successor(&first, &rules(5_000)).await;
    let before = service.read(&first).await;
    service.activate(&second).await;
    let after = service.read(&first).await;
    assert_eq!(after["is_active"], false);
    let content = |version: &Value| [version["rules"].clone(), version["status"].clone()];
    assert_eq!(content(&after), content(&before));
    let policy = service.key.get(first.policy_path()).await.expect(200);
    assert_eq!((&policy["active_version"], &policy["latest_version"]), (&json!(2), &json!(2)));
    // The earlier version can be activated again.
    service.activate(&first).await;
    assert_eq!(service.key.get(first.policy_path()).await.expect(200)["active_version"], 1);
}

#[tokio::test]
async fn deactivated_policy_has_no_active_version() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    let path = format!("{}/deactivate", version.policy_path());
    let reason = json!({"reason": "superseded by law"});
    let ratifier = service.ratifier().await;
    let policy = ratifier.post(&path, &reason).await.expect(200);
    assert_eq!(policy["is_active"], false);
    assert_eq!(policy.get("active_version"), None);
    assert_eq!(service.read(&version).await["is_active"], false);
    let refused = ratifier.post(&path, &reason).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (POLICY_NOT_ACTIVE)");
    service.activate(&version).await;
    assert_eq!(service.key.get(version.policy_path()).await.expect(200)["is_active"], true);
}

#[tokio::test]
async fn policy_response_includes_the_requested_version() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    let path = version.versions_path();
    let next = json!({"rules": rules(5_000)});
    let draft = service.author().await.post(path, &next).await.expect(201);
    let get_version = async |selector: &str| {
        service.key.get(format!("{}?version={selector}", version.policy_path())).await
    };
    assert_eq!(get_version("active").await.expect(200)["version"]["version"], 1);
    assert_eq!(get_version("1").await.expect(200)["version"]["rules"], rules(10_000));
    assert_eq!(get_version("draft").await.expect(200)["version"], draft);
    assert_eq!(get_version("2").await.expect(200)["version"], draft);
    assert_eq!(service.key.get(version.policy_path()).await.expect(200).get("version"), None);
    assert_snapshot!(get_version("3").await, @"404 NOT_FOUND");
    assert_snapshot!(get_version("4294967295").await, @"404 NOT_FOUND");
    for wrong in ["0", "-1", "1.0", "latest", "Active", "4294967296"] {
        assert_eq!(get_version(wrong).await.field_errors(), "/version format\n", "{wrong}");
    }
    let new = service.draft("NEW").await;
    let active = service.key.get(format!("{}?version=active", new.policy_path())).await;
    assert_snapshot!(active, @"404 NOT_FOUND");
}

#[tokio::test]
async fn author_editor_and_submitter_cannot_ratify() {
    let service = test_service().await;
    let maker = service.signed_in_member(Role::Ratifier).await;
    let independent = service.signed_in_member(Role::Ratifier).await;
    let helper = service.signed_in_member(Role::Author).await;

    // The author.
    let written = create_draft(&maker, "WRITTEN").await;
    helper.post(written.action_path("submit"), &json!({})).await.expect(200);
    assert_snapshot!(ratify(&maker, &written, 1).await, @"403 MAKER_CHECKER_VIOLATION");

    // An editor, although another user made the last edit.
    let edited = create_draft(&helper, "EDITED").await;
    let edit = json!({"expected_revision": 1});
    maker.patch(edited.path(), &edit).await.expect(200);
    helper.patch(edited.path(), &json!({"expected_revision": 2})).await.expect(200);
    helper.post(edited.action_path("submit"), &json!({})).await.expect(200);
    assert_snapshot!(ratify(&maker, &edited, 3).await, @"403 MAKER_CHECKER_VIOLATION");

    // A submitter, although another user recalled and submitted the version again.
    let submitted = create_draft(&helper, "SUBMITTED").await;
    maker.post(submitted.action_path("submit"), &json!({})).await.expect(200);
    helper.post(submitted.action_path("recall"), &json!({})).await.expect(200);
    helper.post(submitted.action_path("submit"), &json!({})).await.expect(200);
    assert_snapshot!(ratify(&maker, &submitted, 1).await, @"403 MAKER_CHECKER_VIOLATION");

    // A new session of the author.
    let email = maker.get("/v1/session").await.expect(200)["user"]["email"].clone();
    let new_session = service.sign_in(text(&email)).await;
    assert_snapshot!(ratify(&new_session, &written, 1).await, @"403 MAKER_CHECKER_VIOLATION");

    for (version, revision) in [(written, 1), (edited, 3), (submitted, 1)] {
        ratify(&independent, &version, revision).await.expect(200);
    }
}

#[tokio::test]
async fn owner_of_the_authoring_key_cannot_ratify() {
    let service = test_service().await;
    let version = create_draft(&service.key, "PAY-01").await;
    service.key.post(version.action_path("submit"), &json!({})).await.expect(200);
    let admin = service.admin().await;
    assert_snapshot!(ratify(&admin, &version, 1).await, @"403 MAKER_CHECKER_VIOLATION");
    service.ratify(&version).await;
    // A version of a key without an owner has an unknown maker, so no user is provably independent.
    let scopes = [Scope::PoliciesWrite, Scope::PoliciesRead];
    let program = service.create_key(&scopes).await;
    service.sql("update key_digests set owner = null").await;
    let version = create_draft(&program, "PAY-02").await;
    program.post(version.action_path("submit"), &json!({})).await.expect(200);
    let refused = ratify(&admin, &version, 1).await;
    assert_snapshot!(refused, @"403 MAKER_CHECKER_VIOLATION (MAKER_UNKNOWN)");
}

#[tokio::test]
async fn without_maker_checker_one_user_can_author_and_ratify() {
    let service = test_service().await;
    service.sql("update settings set maker_checker_enabled = false").await;
    let admin = service.admin().await;
    let version = create_draft(&admin, "PAY-01").await;
    admin.post(version.action_path("submit"), &json!({})).await.expect(200);
    ratify(&admin, &version, 1).await.expect(200);
    admin.post(version.action_path("activate"), &json!({})).await.expect(200);
}

#[tokio::test]
async fn required_review_blocks_ratification() {
    let service = test_service().await;
    service.sql("update settings set review_required = true").await;
    let version = service.submitted("PAY-01").await;
    let refused = ratify(service.ratifier().await, &version, 1).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (REVIEW_REQUIRED)");
}

#[tokio::test]
async fn actions_for_humans_reject_api_keys() {
    let service = test_service().await;
    let submitted = service.submitted("SUBMITTED").await;
    let ratified = service.ratified("RATIFIED").await;
    let active = service.active("ACTIVE").await;
    let reason = json!({"reason": "because"});
    let draft = service.draft("DRAFT").await;
    let submission = service.seal(&draft).await;
    let accept = json!({"verdict": "ACCEPT"});
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "better"});
    for (path, body) in [
        (draft.action_path(&format!("submissions/{submission}/records")), &accept),
        (draft.action_path("supersede"), &correction),
        (draft.action_path("set-aside"), &reason),
        (submitted.action_path("ratify"), &json!({"expected_revision": 1})),
        (ratified.action_path("activate"), &json!({})),
    ] {
        let refused = service.key.post(&path, body).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED", "{path}");
    }
    // The scope `policies:write` allows these unless the tenant sets `human_changes_only`.
    service.sql("update settings set human_changes_only = true").await;
    for path in [submitted.action_path("reject"), format!("{}/deactivate", active.policy_path())] {
        let refused = service.key.post(&path, &reason).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED", "{path}");
    }
}

#[tokio::test]
async fn each_role_can_perform_exactly_its_actions() {
    let service = test_service().await;
    let mut rights = String::new();
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "better"});
    for role in Role::ALL {
        let person = service.signed_in_member(role).await;
        let recalled = service.submitted(&format!("RECALL-{role}")).await;
        let rejected = service.submitted(&format!("REJECT-{role}")).await;
        let ratified = service.submitted(&format!("RATIFY-{role}")).await;
        let activated = service.ratified(&format!("ACTIVATE-{role}")).await;
        let sealed = service.draft(&format!("SEAL-{role}")).await;
        let corrected = service.draft(&format!("CORRECT-{role}")).await;
        let set_aside = service.draft(&format!("ASIDE-{role}")).await;
        let reviewed = service.draft(&format!("REVIEW-{role}")).await;
        let submission = service.seal(&reviewed).await;
        let review = reviewed.action_path(&format!("submissions/{submission}/records"));
        let mut allowed = Vec::new();
        for (action, method, path, body) in [
            ("read", "GET", activated.path(), json!({})),
            ("list", "GET", "/v1/decisions".to_owned(), json!({})),
            ("draft", "POST", "/v1/policies".to_owned(), policy(&format!("NEW-{role}"))),
            ("recall", "POST", recalled.action_path("recall"), json!({})),
            ("reject", "POST", rejected.action_path("reject"), json!({"reason": "because"})),
            ("seal", "POST", sealed.action_path("seal"), json!({})),
            ("review", "POST", review.clone(), json!({"verdict": "ACCEPT"})),
            ("supersede", "POST", corrected.action_path("supersede"), correction.clone()),
            ("set-aside", "POST", set_aside.action_path("set-aside"), json!({"reason": "because"})),
            ("approval", "GET", activated.action_path("approval"), json!({})),
            ("ratify", "POST", ratified.action_path("ratify"), json!({"expected_revision": 1})),
            ("activate", "POST", activated.action_path("activate"), json!({})),
        ] {
            let response = person.call(method, path).json(&body).await;
            match response.status {
                200 | 201 => allowed.push(action),
                _ => assert_eq!(response.to_string(), "403 FORBIDDEN", "{role} {action}"),
            }
        }
        writeln!(rights, "{role}: {}", allowed.join(" ")).unwrap();
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
async fn every_change_appends_one_linked_audit_event() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    let reason = json!({"reason": "over"});
    let deactivate = format!("{}/deactivate", version.policy_path());
    service.ratifier().await.post(&deactivate, &reason).await.expect(200);
    let before = events(&service).await;
    // Rejected requests and reads append no event.
    service.ratifier().await.post(&deactivate, &reason).await;
    service.author().await.post("/v1/policies", &policy("pay-01")).await;
    service.read(&version).await;
    assert_eq!(events(&service).await, before);
    let actions: Vec<&str> =
        before.iter().filter_map(|event| event.strip_prefix("policy")).collect();
    let expected = [
        ".create human",
        "_version.submit human",
        "_version.ratify human",
        "_version.activate human",
        ".deactivate human",
    ];
    assert_eq!(actions, expected);
    service.assert_audit_events_are_linked().await;
}

async fn events(service: &TestService) -> Vec<String> {
    service.sql("select action || ' ' || actor_type from audit_events order by seq").await
}

async fn ratify(person: &Client, version: &Version, revision: u32) -> TestResponse {
    person.post(version.action_path("ratify"), &json!({"expected_revision": revision})).await
}

#[tokio::test]
async fn the_rules_of_all_active_versions_are_bounded_in_bytes() {
    let service = test_service().await;
    let first = service.active("FIRST").await.policy;
    let second = service.ratified("SECOND").await;
    let (ratifier, path) = (service.ratifier().await, second.action_path("activate"));
    let enlarge = async |bytes: usize| {
        // Without the triggers that protect the rules of a version.
        for statement in [
            "alter table policy_versions disable trigger user",
            &format!(
                "update policy_versions set rules = '[' || repeat(' ', {bytes}) || ']' where is_active"
            ),
            "alter table policy_versions enable trigger user",
        ] {
            service.sql(statement).await;
        }
    };
    let message = |refused: Value| text(&refused["error"]["message"]).to_owned();
    enlarge(17_000_000).await;
    let refused = ratifier.post(&path, &json!({})).await.expect(409);
    assert_snapshot!(message(refused), @"the active versions of the tenant would have more than 16 MiB of rules; deactivate others or shorten this one");
    enlarge(8_388_500).await;
    let refused = ratifier.post(&path, &json!({})).await.expect(409);
    assert_snapshot!(message(refused), @"the active versions that govern a decision type would have more than 8 MiB of rules; deactivate others or shorten this one");
    assert_eq!(
        service.sql("select count(*)::text from policy_versions where is_active").await,
        ["1"]
    );

    let (policies, types) = ("/v1/policies", |name: &str| json!({"decision_types": [name]}));
    ratifier.patch(format!("{policies}/{first}"), &types("travel")).await.expect(200);
    ratifier.patch(format!("{policies}/{}", second.policy), &types("payment")).await.expect(200);
    ratifier.post(&path, &json!({})).await.expect(200);
    let refused = ratifier.patch(format!("{policies}/{}", second.policy), &types("travel")).await;
    assert_eq!(refused.status, 409);
}
