//! Approvals: each ratification creates a signed approval, and each snapshot names its approvals.

use receipt::{
    CanonicalJson, Digest,
    audit::email_digest,
    dsse::Envelope,
    key::{PayloadType, PublicKey},
};

use crate::prelude::*;

async fn user_of(client: &Client) -> Value {
    client.get("/v1/session").await.expect(200)["user"].clone()
}

async fn load_approval(service: &TestService, version: &Version) -> Value {
    service.key.get(version.action_path("approval")).await.expect(200)
}

/// The published key that signed an approval.
async fn signer(service: &TestService, approval: &Value) -> PublicKey {
    let mut keys = service.published_keys().await;
    let position = keys.iter().position(|key| key.kid() == text(&approval["approval"]["kid"]));
    let position = position.expect("the key is published");
    assert_ne!(position, 0, "approvals are signed with a separate key");
    keys.swap_remove(position)
}

#[testkit::test]
async fn an_approval_names_the_version_its_ratifier_and_its_makers(service: TestService) {
    let version = service.draft("PAY-01").await;
    let reviewer = service.reviewer().await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    reviewer.patch(version.path(), &edit).await.expect(200);
    service.submit(&version).await;
    let admin = service.admin().await;
    let sealed = admin.post(version.action_path("seal"), &json!({})).await.expect(201);
    let record = service.review(&version, text(&sealed["id"]), "ACCEPT").await;
    let ratifier = service.ratifier().await;
    let revision = json!({"expected_revision": 2});
    let ratified = ratifier.post(version.action_path("ratify"), &revision).await.expect(200);

    let approval = load_approval(&service, &version).await;
    let mut makers = Vec::new();
    for maker in [service.author().await, reviewer, &admin] {
        makers.push(text(&user_of(maker).await["id"]).to_owned());
    }
    makers.sort();
    let person = user_of(ratifier).await;
    let salt = service.sql("select email_salt from tenant_heads").await.concat();
    let email = email_digest(&hex(&salt), text(&person["email"]));
    let policy = service.key.get(version.policy_path()).await.expect(200);
    assert_eq!(
        approval["approval"],
        json!({
            "schema": "service-policy-approval/v1",
            "tenant_id": service.tenant,
            "policy_id": policy["id"],
            "policy_code": "PAY-01",
            "policy_version_id": ratified["id"],
            "version": 1,
            "draft_revision": 2,
            "rules_digest": ratified["rules_digest"],
            "submission_id": sealed["id"],
            "accept_record_id": record,
            "ratified_at": NOW,
            "ratifier": {
                "user_id": person["id"],
                "role": "ratifier",
                "email_digest": email.to_string(),
                "auth_method": "password",
            },
            "makers": makers,
            "maker_checker": true,
            "alg": "Ed25519",
            "kid": approval["approval"]["kid"],
        })
    );
    assert_eq!(approval["policy_version_id"], ratified["id"]);
    assert_eq!((&approval["policy_id"], &approval["version"]), (&policy["id"], &json!(1)));
    assert_eq!(approval["transparency_anchor"], Value::Null);
}

fn hex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("hex")).collect()
}

#[testkit::test]
async fn an_approval_is_signed_and_a_changed_one_fails_verification(service: TestService) {
    let version = service.ratified("PAY-01").await;
    let approval = load_approval(&service, &version).await;
    let envelope = Envelope::read(&tree(&approval["envelope"])).expect("an envelope");
    let statement = CanonicalJson::from_value(&tree(&approval["approval"]));
    assert_eq!(envelope.payload, statement, "the envelope contains the statement");
    assert_eq!(approval["approval_digest"], statement.digest.to_string());
    let key = signer(&service, &approval).await;
    envelope.verify(PayloadType::PolicyApproval, &key).expect("the signature is valid");
    let mut forged = envelope.clone();
    forged.payload =
        CanonicalJson::parse(statement.text.replace("\"version\":1", "\"version\":2").as_bytes())
            .expect("canonical");
    assert!(forged.verify(PayloadType::PolicyApproval, &key).is_err());
    assert!(
        envelope.verify(PayloadType::Receipt, &key).is_err(),
        "the signature is bound to its payload type"
    );
    let stored = service.sql("select statement from policy_approvals").await;
    assert_eq!(stored, [statement.text.as_str()]);
    assert_eq!(Digest::compute(stored[0].as_bytes()), statement.digest);
}

#[testkit::test]
async fn each_approval_of_a_policy_names_the_previous_one(service: TestService) {
    let first = service.ratified("PAY-01").await;
    let second = service.successor(&first, &rules(5_000)).await;
    // A version that is set aside after its ratification has an approval.
    let reason = json!({"reason": "because"});
    service.author().await.post(second.action_path("set-aside"), &reason).await.expect(200);
    let third = service.successor(&first, &rules(4_000)).await;
    let other = service.ratified("PAY-02").await;
    let mut previous = Value::Null;
    for version in [&first, &second, &Version { number: 3, ..third }] {
        let approval = load_approval(&service, version).await;
        assert_eq!(approval["approval"]["previous_approval_digest"], previous);
        for absent in ["submission_id", "accept_record_id"] {
            assert_eq!(approval["approval"].get(absent), None, "{absent}");
        }
        previous = approval["approval_digest"].clone();
    }
    let other = load_approval(&service, &other).await;
    assert_eq!(other["approval"].get("previous_approval_digest"), None);
}

#[testkit::test]
async fn a_snapshot_names_the_approval_of_each_version(service: TestService) {
    let version = service.active("PAY-01").await;
    let first = load_approval(&service, &version).await;
    let recorded = service.record("k-1", 1).await;
    let named_digest = async |decision: &Value| {
        let id = text(&decision["policy_snapshot_id"]).to_owned();
        let snapshot = service.key.get(format!("/v1/snapshots/{id}")).await.expect(200);
        snapshot["snapshot"]["policies"][0]["approval_digest"].clone()
    };
    assert_eq!(named_digest(&recorded).await, first["approval_digest"]);
    let receipt = format!("/v1/receipts/{}", text(&recorded["id"]));
    let expected = json!([{
        "policy_id": first["policy_id"],
        "policy_version_id": first["policy_version_id"],
        "version": 1,
        "approval_digest": first["approval_digest"],
        "ratified_at": NOW,
    }]);
    assert_eq!(service.public.get(&receipt).await.expect(200)["approval"], expected);
    // The same rules with another approval are another snapshot.
    let second = service.successor(&version, &rules(10_000)).await;
    service.activate(&second).await;
    let second = load_approval(&service, &second).await;
    let later = service.record("k-2", 1).await;
    assert_eq!(named_digest(&later).await, second["approval_digest"]);
    assert_ne!(second["approval_digest"], first["approval_digest"]);
    assert_eq!(service.public.get(&receipt).await.expect(200)["approval"], expected);
    // A replay uses the stored snapshot.
    let path = format!("/v1/decisions/{}/replay", text(&recorded["id"]));
    let replay = service.key.call("POST", path).await.expect(200);
    assert_eq!(replay["matches"], true);
}

#[testkit::test]
async fn a_version_that_is_not_ratified_has_no_approval(service: TestService) {
    let version = service.submitted("PAY-01").await;
    assert_snapshot!(service.key.get(version.action_path("approval")).await, @"404 NOT_FOUND");
    let missing = Version { number: 2, ..version.clone() };
    assert_snapshot!(service.key.get(missing.action_path("approval")).await, @"404 NOT_FOUND");
}

#[testkit::test]
async fn rules_changed_directly_in_the_database_cannot_be_ratified(service: TestService) {
    let version = service.submitted("PAY-01").await;
    service.sql("alter table policy_versions disable trigger freeze_submitted_rules").await;
    service.sql("update policy_versions set rules = '[]'").await;
    let revision = json!({"expected_revision": 1});
    let refusal = service.ratifier().await.post(version.action_path("ratify"), &revision).await;
    assert_snapshot!(refusal, @"500 INTERNAL_ERROR");
    assert_eq!(service.read(&version).await["status"], "submitted");
}
