//! Programs that use a capability: each action allows one operation on one version, and every
//! write is counted.

use crate::{
    capabilities::{EVERY, Grant, grant_request},
    prelude::*,
};

async fn perform(grant: &Grant, version: &Version, action: &str) -> TestResponse {
    let key = &grant.key;
    match action {
        "policy.read" => key.get(version.path()).await,
        "review.retrieve" => key.get(version.action_path("submissions")).await,
        "policy.draft.edit" => {
            let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
            key.patch(version.path(), &edit).await
        }
        "policy.submit" => key.post(version.action_path("submit"), &json!({})).await,
        "review.seal" => key.post(version.action_path("seal"), &json!({})).await,
        _ => panic!("`{action}` is not an action"),
    }
}

/// Returns the number of counted writes of a grant.
async fn uses(service: &TestService, grant: &Grant) -> Value {
    service.key.get(grant.path()).await.expect(200)["uses"].clone()
}

#[testkit::test]
async fn each_action_allows_its_own_operation_only(service: TestService) {
    for (index, allowed) in EVERY.into_iter().enumerate() {
        let version = service.draft(&format!("PAY-{index}")).await;
        let grant = service.grant(&version, &[allowed]).await;
        for action in EVERY.into_iter().filter(|action| *action != allowed) {
            let refusal = perform(&grant, &version, action).await;
            let expected = format!("403 AUTHORING_CAPABILITY_OUT_OF_SCOPE ({action})");
            assert_eq!(refusal.to_string(), expected, "with {allowed}");
        }
        assert_eq!(uses(&service, &grant).await, 0);
        let response = perform(&grant, &version, allowed).await;
        assert!(response.status < 300, "{allowed}: {}", response.text);
    }
}

#[testkit::test]
async fn other_versions_are_out_of_scope_even_if_they_do_not_exist(service: TestService) {
    let version = service.draft("PAY-01").await;
    let other = service.draft("PAY-02").await;
    let grant = service.grant(&version, &EVERY).await;
    let missing = Version { number: 2, ..version.clone() };
    let missing_policy =
        Version { policy: "00000000-0000-4000-8000-000000000000".to_owned(), number: 1 };
    for version in [&other, &missing, &missing_policy] {
        for action in EVERY {
            let refusal = perform(&grant, version, action).await;
            assert_eq!(refusal.to_string(), "403 AUTHORING_CAPABILITY_OUT_OF_SCOPE", "{action}");
        }
    }
}

#[testkit::test]
async fn writes_under_a_grant_are_audited_and_count_as_work_of_the_issuer(service: TestService) {
    let version = service.draft("PAY-01").await;
    let grant = service.grant(&version, &EVERY).await;
    perform(&grant, &version, "policy.draft.edit").await.expect(200);
    let sealed = perform(&grant, &version, "review.seal").await.expect(201);
    assert_eq!(sealed["sealed_by"], grant.issued["key"]["id"]);
    let log = service.key.get("/v1/audit-log?limit=1").await.expect(200);
    let actor = &log["items"][0]["actor"];
    assert_eq!((text(&actor["type"]), text(&actor["id"])), ("capability", &*grant.id));
    assert_eq!(actor["key_name"], "drafting assistant");
    perform(&grant, &version, "policy.submit").await.expect(200);

    // A user who issues a grant with a write action counts as a maker of the version.
    let ratify = json!({"expected_revision": 2});
    let admin = service.admin().await;
    let issued = admin
        .post("/v1/authoring-capabilities", &grant_request(&version, &["policy.submit"]))
        .await;
    issued.expect(201);
    let refusal = admin.post(version.action_path("ratify"), &ratify).await;
    assert_snapshot!(refusal, @"403 MAKER_CHECKER_VIOLATION");
    service.ratifier().await.post(version.action_path("ratify"), &ratify).await.expect(200);
}
