//! Capabilities over HTTP: issuing and reading grants; the submodule `chains` tests their lineages.

mod lineages;

use crate::prelude::*;

/// All actions that a grant can allow.
pub(crate) const EVERY: [&str; 5] =
    ["policy.draft.edit", "policy.read", "policy.submit", "review.retrieve", "review.seal"];

/// The actions that a program needs to follow its version.
pub(crate) const FOLLOW: [&str; 2] = ["policy.read", "review.retrieve"];

/// A grant and the client of its key.
pub(crate) struct Grant {
    pub(crate) id: String,
    pub(crate) key: Client,
    pub(crate) issued: Value,
}

impl Grant {
    pub(crate) fn path(&self) -> String {
        format!("/v1/authoring-capabilities/{}", self.id)
    }
}

pub(crate) fn grant_request(version: &Version, actions: &[&str]) -> Value {
    json!({
        "policy_id": version.policy, "version": version.number, "actions": actions,
        "name": "drafting assistant",
    })
}

impl TestService {
    /// The author issues a grant with these actions on a version.
    pub(crate) async fn grant(&self, version: &Version, actions: &[&str]) -> Grant {
        self.grant_of(&grant_request(version, actions)).await
    }

    /// The author issues a grant with this request body.
    pub(crate) async fn grant_of(&self, request: &Value) -> Grant {
        let response = self.author().await.post("/v1/authoring-capabilities", request).await;
        let issued = response.expect(201);
        Grant {
            id: text(&issued["capability"]["id"]).to_owned(),
            key: self.with_key(text(&issued["plaintext_key"])),
            issued,
        }
    }

    /// The author carries a grant to a later version. Returns the new grant.
    pub(crate) async fn carry(&self, grant: &Grant, version: u32) -> Value {
        let path = format!("{}/carry", grant.path());
        self.author().await.post(path, &json!({"version": version})).await.expect(201)
    }

    /// The author sets a version aside and creates the next one.
    pub(crate) async fn replace_with_new_draft(&self, version: &Version) -> Version {
        let (author, because) = (self.author().await, json!({"reason": "start again"}));
        author.post(version.action_path("set-aside"), &because).await.expect(200);
        let path = version.versions_path();
        author.post(path, &json!({"rules": rules(7_000)})).await.expect(201);
        Version { policy: version.policy.clone(), number: version.number + 1 }
    }
}

#[testkit::test]
async fn a_grant_has_a_key_without_other_permissions(service: TestService) {
    let version = service.draft("PAY-01").await;
    let author = service.author().await;
    let mut body = grant_request(&version, &["review.seal", "policy.read"]);
    body["expires_at"] = json!("2026-09-15T10:00:00Z");
    body["not_before"] = json!("2026-09-01T11:00:00+01:00");
    body["max_uses"] = json!(7);
    let response = author.post("/v1/authoring-capabilities", &body).await;
    let issued = response.expect(201);
    let capability = &issued["capability"];
    let id = text(&capability["id"]);
    assert_eq!(response.header("location"), Some(&*format!("/v1/authoring-capabilities/{id}")));

    let session = author.get("/v1/session").await.expect(200);
    let stored = service.read(&version).await;
    let digest = capability["grant_digest"].clone();
    let expected = json!({
        "id": id, "root_capability_id": id, "tenant_id": service.tenant, "policy_id": version.policy,
        "policy_version_id": stored["id"], "version": 1, "actions": ["policy.read", "review.seal"],
        "not_before": NOW, "expires_at": "2026-09-15T10:00:00.000Z", "max_uses": 7, "uses": 0,
        "api_key_id": issued["key"]["id"], "issued_by": session["user"]["id"], "issued_at": NOW,
        "grant_digest": digest,
    });
    assert_eq!(*capability, expected);
    assert_eq!(issued["key"]["scopes"], json!(["authoring:capability"]));
    assert_eq!(issued["key"]["name"], "drafting assistant");
    assert_eq!(issued["key"]["created_by"], session["user"]["id"]);
    assert_eq!(issued["key"]["expires_at"], Value::Null, "the grant expires, not the key");
    assert!(text(&issued["plaintext_key"]).starts_with("svc_"));

    let key = service.with_key(text(&issued["plaintext_key"]));
    assert_eq!(key.get("/v1/authoring-capabilities/current").await.expect(200), expected);
    assert_snapshot!(key.get("/v1/policies").await, @"403 INSUFFICIENT_SCOPE (policies:read)");
    let recall = key.post(version.action_path("recall"), &json!({})).await;
    assert_snapshot!(recall, @"403 INSUFFICIENT_SCOPE (policies:write)");
}

#[tokio::test]
async fn a_live_grant_with_write_actions_binds_its_version_until_it_is_revoked() {
    let service = test_service().await;
    let author = service.author().await;
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "because"});
    for action in ["policy.draft.edit", "policy.submit", "review.seal"] {
        let version = service.draft(action).await;
        let grant = service.grant(&version, &[action, "policy.read"]).await;
        let supersede = async || author.post(version.action_path("supersede"), &correction).await;
        let refusal = supersede().await;
        assert_eq!(
            refusal.to_string(),
            "409 INVALID_TRANSITION (VERSION_BOUND_TO_CAPABILITY)",
            "{action}"
        );
        assert_eq!(author.delete(grant.path()).await.status, 204);
        supersede().await.expect(201);
    }
}

#[tokio::test]
async fn a_grant_that_only_reads_does_not_bind_and_is_carried_from_a_replaced_draft() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let grant = service.grant(&version, &FOLLOW).await;
    let author = service.author().await;
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "because"});
    author.post(version.action_path("supersede"), &correction).await.expect(201);
    let carried = service.carry(&grant, 2).await;
    assert_eq!((&carried["version"], &carried["uses"]), (&json!(2), &json!(0)));
    // Issuing a grant that only reads does not make the issuer a maker of the version.
    let ratifier = service.ratifier().await;
    let draft = Version { number: 2, ..version };
    let issued = ratifier.post("/v1/authoring-capabilities", &grant_request(&draft, &FOLLOW)).await;
    issued.expect(201);
    service.submit(&draft).await;
    service.ratify(&draft).await;
}
