//! Bundles verify after changes of keys, policy versions and tenants.

use governance::proof::trust_registry::{self, Revocation, Rotation};
use verify::Overall;

use super::{
    NO_CHAIN, PENDING, check, claim_lines, files, full_request, record_bundle_path,
    with_trust_registry,
};
use crate::{
    prelude::*,
    tenant_hierarchy::{create_child, inheritable_policy},
    trust::{another_key, root},
};

#[tokio::test]
async fn after_a_rotation_old_decisions_verify_from_the_pinned_registry_version() {
    let service = with_trust_registry().await;
    let pinned = current_trust(&service).await;
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    let rotation = || Rotation { to: Some(another_key()), retires: false };
    trust_registry::rotate(&service.governance, &[root()], rotation()).await.expect("version 2");
    let retiring = Rotation { retires: true, ..rotation() };
    service.clock.advance(1_000);
    trust_registry::rotate(&service.governance, &[root()], retiring).await.expect("version 3");
    let bundle = files(&service.public, &path).await;
    for version in ["000001", "000002"] {
        assert!(bundle.get(&format!("trust/history/{version}.dsse.json")).is_some());
    }
    let retired = [
        "receipt: indeterminate KEY_RETIRED_UNANCHORED",
        NO_CHAIN,
        PENDING,
        "manifest: verified KEY_RETIRED",
    ];
    for trust in [&pinned, &current_trust(&service).await] {
        let report = check(&bundle, trust);
        assert_eq!(claim_lines(&report), retired);
        assert_eq!(report.registry_version, Some(3));
    }
    // Signatures of a revoked key fail, also for verifiers that pinned an earlier version.
    let keys = trust_registry::newest(&service.governance)
        .await
        .expect("the registry can be read")
        .expect("a version");
    let revocation = Revocation {
        kids: vec![keys.registry.keys[1].kid().to_owned()],
        reason: "lost".to_owned(),
        compromised_since: None,
    };
    trust_registry::revoke(&service.governance, &[root()], &revocation).await.expect("version 4");
    let report = check(&files(&service.public, &path).await, &pinned);
    assert_eq!(report.overall, Overall::Failed);
    assert_eq!(claim_lines(&report)[0], "receipt: failed KEY_REVOKED");
}

#[testkit::test]
async fn decisions_recorded_before_the_first_registry_verify_with_it(service: TestService) {
    service.active("PAY-01").await;
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    let earlier = files(&service.public, &path).await;
    assert_eq!(earlier.get("trust/registry.dsse.json"), None);
    service.clock.advance(86_400_000);
    create_registry(&service).await;
    let trust = current_trust(&service).await;
    let report = check(&files(&service.public, &path).await, &trust);
    assert_eq!(claim_lines(&report), [NO_CHAIN, PENDING]);
    let report = check(&earlier, &trust);
    assert_eq!(
        claim_lines(&report),
        [NO_CHAIN, PENDING, "trust_roots: indeterminate FILE_MISSING"]
    );
}

#[tokio::test]
async fn a_bundle_contains_the_approvals_of_earlier_versions() {
    let service = with_trust_registry().await;
    let first = record_bundle_path(&service.key, &full_request("first")).await;
    let policy = service.sql("select id::text from policies").await.concat();
    let version = Version { policy, number: 1 };
    let mut last = version.clone();
    for max in [20_000, 30_000] {
        service.clock.advance(1_000);
        last = service.successor(&version, &rules(max)).await;
    }
    service.activate(&last).await;
    let third = record_bundle_path(&service.key, &full_request("third")).await;
    let trust = current_trust(&service).await;
    for (path, approvals) in [(first, 1), (third, 3)] {
        let bundle = files(&service.public, &path).await;
        let count = bundle.names().filter(|name| name.starts_with("approval/")).count();
        assert_eq!(count, approvals);
        assert_eq!(claim_lines(&check(&bundle, &trust)), [NO_CHAIN, PENDING]);
    }
}

#[testkit::test]
async fn the_bundle_of_a_child_tenant_contains_the_approval_of_the_parent_tenant(
    service: TestService,
) {
    create_registry(&service).await;
    inheritable_policy(&service, "INHERITED").await;
    let (_, client) = create_child(&service, service.tenant, "Child").await;
    let path = record_bundle_path(&client, &full_request("k")).await;
    let bundle = files(&service.public, &path).await;
    assert_eq!(bundle.names().filter(|name| name.starts_with("approval/")).count(), 1);
    assert_eq!(claim_lines(&check(&bundle, &current_trust(&service).await)), [NO_CHAIN, PENDING]);
}

#[tokio::test]
async fn bundles_of_a_service_without_keys_are_reported_as_unsigned() {
    let service =
        TestServiceBuilder { is_signed: false, ..TestServiceBuilder::default() }.start().await;
    service.active("PAY-01").await;
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    let bundle = files(&service.public, &path).await;
    for name in ["manifest.dsse.json", "receipt/receipt.dsse.json", "trust/registry.dsse.json"] {
        assert_eq!(bundle.get(name), None, "{name}");
    }
    let report = check(&bundle, &verify::Trust::default());
    assert_eq!(
        claim_lines(&report),
        [
            "receipt: indeterminate UNSIGNED",
            NO_CHAIN,
            PENDING,
            "trust_roots: indeterminate UNPINNED",
            "approval_lineage: indeterminate KEY_UNKNOWN",
            "manifest: indeterminate UNSIGNED",
        ]
    );
    record_bundle_path(&service.key, &chain_request("a", json!({}))).await;
    service.seal_chain().await;
    let chain =
        files(&service.public, &format!("/v1/chains/{}/bundle", crate::service::CHAIN)).await;
    assert!(chain.get("chain/seal.json").is_some() && chain.get("chain/seal.dsse.json").is_none());
    let report = check(&chain, &verify::Trust::default());
    assert!(claim_lines(&report).contains(&"chain_proofs: indeterminate UNSIGNED".to_owned()));
}
