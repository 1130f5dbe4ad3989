//! The trust registry: it is created once, each version is signed by the root keys, and it
//! determines which signing keys are trusted.

use std::sync::Arc;

use contract::{
    chain::ChainVerification,
    id::{ChainId, DecisionId},
};
use governance::{
    Governance, Result,
    authoring::capability,
    deciding::chain,
    proof::{
        signing::Purpose,
        trust_registry::{self, Revocation, RootChange, Rotation, SigningKeyStatus},
    },
};
use receipt::{
    dsse::Envelope,
    jwks,
    key::{PayloadType, SigningKey},
    trust_registry::{KeyStatus, SignedRegistry},
};
use tokio::task::JoinSet;

use crate::{
    capabilities,
    fixtures::{NOW, approval_key, public_key},
    prelude::*,
};

fn root_key(seed: u8) -> SigningKey {
    SigningKey::from_seed([seed; 32])
}

/// The seed of a signing key that the test service does not use.
const OTHER_SEED: [u8; 32] = [70; 32];

fn other_key() -> SigningKey {
    SigningKey::from_seed(OTHER_SEED)
}

fn rotation_to_other_key(retires: bool) -> Rotation {
    Rotation { to: Some(other_key()), retires }
}

fn revocation(kid: &str) -> Revocation {
    Revocation { kids: vec![kid.to_owned()], reason: "lost".to_owned(), compromised_since: None }
}

async fn init_registry(env: &TestEnv) -> Arc<SignedRegistry> {
    trust_registry::init(&env.governance, &[root_key(1)], 1).await.unwrap()
}

/// Returns the purposes and the status of each key of the newest registry version.
async fn key_statuses(governance: &Governance) -> Vec<(String, &'static str)> {
    let newest = trust_registry::newest(governance).await.unwrap().unwrap();
    let name = |status: &KeyStatus| match status {
        KeyStatus::Active => "active",
        KeyStatus::Retired => "retired",
        KeyStatus::Revoked { .. } => "revoked",
    };
    newest.registry.keys.iter().map(|key| (key.purposes.join(" "), name(&key.status))).collect()
}

#[testkit::test]
async fn first_version_lists_the_keys_of_the_service_from_the_first_tenant_on(env: TestEnv) {
    env.tenant("acme").await;
    env.governance.clock().advance(86_400_000);
    let registry = init_registry(&env).await.registry.clone();
    assert_eq!((registry.version, registry.root_keys.len(), registry.root_threshold), (1, 1, 1));
    assert_eq!(registry.issued_at, env.governance.clock().now());
    assert_eq!(registry.expires_at.millis() - registry.issued_at.millis(), 365 * 86_400_000);
    let receipt_purposes = "receipt chain_link chain_seal bundle_manifest";
    let active = |purposes: &str| (purposes.to_owned(), "active");
    let expected =
        ["registry_root", receipt_purposes, "policy_approval", "capability_grant"].map(active);
    assert_eq!(key_statuses(&env.governance).await, expected);
    let key = registry.key(public_key().kid()).unwrap();
    assert_eq!((key.valid_from.to_string(), key.valid_until), (NOW.to_owned(), None));
    assert_eq!(trust_registry::key_status(&env.governance).await.unwrap(), SigningKeyStatus::Good);
    let repeated = trust_registry::init(&env.governance, &[root_key(2)], 1).await;
    assert_eq!(result_summary(&repeated), "409 CONFLICT");
}

#[testkit::test]
async fn registry_that_cannot_be_signed_is_not_created(env: TestEnv) {
    for (roots, threshold) in [
        (vec![root_key(1)], 0),
        (vec![root_key(1)], 2),
        (vec![], 1),
        (vec![root_key(1), root_key(1)], 2),
    ] {
        let result = trust_registry::init(&env.governance, &roots, threshold).await;
        assert_eq!(result_summary(&result), "422 VALIDATION_ERROR", "{threshold} of {roots:?}");
    }
    let unsigned = env.unsigned_process(2).await;
    assert_eq!(
        result_summary(&trust_registry::init(&unsigned, &[root_key(1)], 1).await),
        "409 CONFLICT"
    );
    assert_eq!(trust_registry::key_status(&unsigned).await.unwrap(), SigningKeyStatus::Good);
    assert_eq!(
        trust_registry::key_status(&env.governance).await.unwrap(),
        SigningKeyStatus::NoRegistry
    );
    for result in [
        trust_registry::rotate(&env.governance, &[root_key(1)], rotation_to_other_key(false)).await,
        trust_registry::revoke(&env.governance, &[root_key(1)], &revocation("kid")).await,
    ] {
        assert_eq!(result_summary(&result), "404 NOT_FOUND");
    }
    assert_eq!(env.count("select count(*) from trust_registries").await, 0);
}

#[testkit::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_that_create_the_registry_concurrently_load_the_same_one(env: TestEnv) {
    let mut tasks = JoinSet::new();
    for seed in 2..8_u8 {
        let process = env.another_process(seed.into()).await;
        tasks.spawn(async move {
            trust_registry::init_or_load(&process, root_key(seed)).await.unwrap().digest()
        });
    }
    let digests = tasks.join_all().await;
    assert!(digests.iter().all(|digest| *digest == digests[0]), "{digests:?}");
    assert_eq!(env.count("select count(*) from trust_registries").await, 1);
}

#[testkit::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_rotations_issue_distinct_consecutive_versions(env: TestEnv) {
    init_registry(&env).await;
    let mut tasks = JoinSet::new();
    for seed in 2..8 {
        let process = env.another_process(seed).await;
        tasks.spawn(async move {
            let rotation = rotation_to_other_key(false);
            let result = trust_registry::rotate(&process, &[root_key(1)], rotation).await;
            let version = result.as_ref().map(|issued| issued.registry.version);
            version.map_err(|_| result_summary(&result))
        });
    }
    let (issued, refused): (Vec<_>, Vec<_>) =
        tasks.join_all().await.into_iter().partition(Result::is_ok);
    // Each rotation succeeds, or is refused because another process issued its version.
    let mut versions: Vec<u32> = issued.into_iter().flatten().collect();
    versions.sort_unstable();
    assert!(versions.iter().copied().eq((2..).take(versions.len())), "{versions:?}");
    assert!(!versions.is_empty(), "{refused:?}");
    let is_conflict = |result: &Result<u32, String>| *result == Err("409 CONFLICT".to_owned());
    assert!(refused.iter().all(is_conflict), "{refused:?}");
    let stored = env.texts("select version::text from trust_registries order by version").await;
    let expected: Vec<String> = [1].iter().chain(&versions).map(u32::to_string).collect();
    assert_eq!(stored, expected, "no version is lost");
}

#[testkit::test]
async fn both_keys_are_active_until_a_rotation_retires_the_old_one(env: TestEnv) {
    init_registry(&env).await;
    let governance = &env.governance;
    let next = env.process_with_key(2, OTHER_SEED).await;
    let status = trust_registry::key_status(&next).await.unwrap();
    let kid = other_key().kid().to_owned();
    assert_eq!(status, SigningKeyStatus::NotActive { kid, version: 1 });

    trust_registry::rotate(governance, &[root_key(1)], rotation_to_other_key(false)).await.unwrap();
    for process in [governance, &next] {
        assert_eq!(trust_registry::key_status(process).await.unwrap(), SigningKeyStatus::Good);
    }
    let rotated =
        trust_registry::rotate(&next, &[root_key(1)], Rotation { to: None, retires: true }).await;
    let registry = rotated.unwrap().registry.clone();
    assert_eq!(registry.version, 3);
    assert_eq!(trust_registry::key_status(&next).await.unwrap(), SigningKeyStatus::Good);
    let statuses: Vec<_> =
        key_statuses(governance).await.into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, ["active", "retired", "active", "active", "active"]);
    let kid = public_key().kid().to_owned();
    assert_eq!(registry.key(&kid).unwrap().valid_until, Some(governance.clock().now()));
    let status = trust_registry::key_status(governance).await.unwrap();
    assert_eq!(status, SigningKeyStatus::NotActive { kid, version: 3 });
    // A retired key cannot become active again.
    let reactivated =
        trust_registry::rotate(governance, &[root_key(1)], Rotation { to: None, retires: false })
            .await;
    assert_eq!(result_summary(&reactivated), "409 CONFLICT");
    // Retired keys are published, because their signatures remain valid.
    let keys = jwks::read(&trust_registry::signing_keys(governance).await.unwrap()).unwrap();
    assert_eq!(keys.len(), 4);
    assert!(keys.iter().all(|key| key.kid() != root_key(1).kid()), "root keys sign no receipts");
}

#[testkit::test]
async fn no_version_is_issued_without_enough_root_keys(env: TestEnv) {
    let roots = [root_key(1), root_key(2), root_key(3)];
    trust_registry::init(&env.governance, &roots, 2).await.unwrap();
    for keys in
        [vec![], vec![root_key(1)], vec![root_key(2), root_key(2)], vec![root_key(1), root_key(9)]]
    {
        let result =
            trust_registry::rotate(&env.governance, &keys, rotation_to_other_key(false)).await;
        assert_eq!(result_summary(&result), "409 CONFLICT", "{keys:?}");
    }
    let kid = public_key().kid().to_owned();
    for (kid, expected) in [("none", "404 NOT_FOUND"), (&*kid, "done"), (&*kid, "409 CONFLICT")] {
        let revoked = trust_registry::revoke(&env.governance, &roots[1..], &revocation(kid)).await;
        assert_eq!(result_summary(&revoked), expected, "{kid}");
    }
    let now = env.governance.clock().now();
    let in_the_future =
        Revocation { compromised_since: Some(now.plus_millis(1)), ..revocation(&kid) };
    let result = trust_registry::revoke(&env.governance, &roots, &in_the_future).await;
    assert_eq!(result_summary(&result), "422 VALIDATION_ERROR");
    // A root key can be revoked while enough root keys remain.
    for (seed, expected) in [(3, "done"), (2, "409 CONFLICT")] {
        let kid = root_key(seed).kid().to_owned();
        let revoked = trust_registry::revoke(&env.governance, &roots[..2], &revocation(&kid)).await;
        assert_eq!(result_summary(&revoked), expected, "{seed}");
    }
    assert_eq!(env.count("select count(*) from trust_registries").await, 3);
    let keys = jwks::read(&trust_registry::signing_keys(&env.governance).await.unwrap()).unwrap();
    assert!(keys.iter().all(|key| key.kid() != kid), "a revoked key is not published");
}

fn root_change(add: &[u8], retire: &[u8], threshold: Option<u32>) -> RootChange {
    let retire = retire.iter().map(|seed| root_key(*seed).kid().to_owned()).collect();
    RootChange { add: add.iter().map(|seed| root_key(*seed)).collect(), retire, threshold }
}

#[testkit::test]
async fn root_change_requires_the_thresholds_of_the_previous_and_the_next_version(env: TestEnv) {
    init_registry(&env).await;
    let governance = &env.governance;
    let change = async |signers: &[u8], change: RootChange| {
        let signers: Vec<_> = signers.iter().map(|seed| root_key(*seed)).collect();
        result_summary(&trust_registry::change_roots(governance, signers, change).await)
    };
    // Added root keys also sign. A change needs root keys of the previous version.
    assert_eq!(change(&[9], root_change(&[2, 3], &[], Some(2))).await, "409 CONFLICT");
    assert_eq!(change(&[1], root_change(&[2, 3], &[], Some(2))).await, "done");
    let one_signature =
        trust_registry::rotate(governance, &[root_key(1)], rotation_to_other_key(false)).await;
    assert_eq!(result_summary(&one_signature), "409 CONFLICT", "the threshold is two signatures");
    // Only root keys of the next version count towards its threshold.
    assert_eq!(change(&[1, 2], root_change(&[], &[], Some(3))).await, "409 CONFLICT");
    assert_eq!(change(&[1, 3], root_change(&[], &[1, 2], Some(1))).await, "done");
    assert_eq!(
        change(&[1], root_change(&[4], &[], None)).await,
        "409 CONFLICT",
        "the key was retired"
    );
    for (add, retire, threshold, expected) in [
        (&[][..], &[3][..], None, "422 VALIDATION_ERROR"),
        (&[], &[], Some(0), "422 VALIDATION_ERROR"),
        (&[], &[], Some(2), "422 VALIDATION_ERROR"),
        (&[], &[9], None, "404 NOT_FOUND"),
        (&[], &[2], None, "409 CONFLICT"),
        (&[1], &[], None, "409 CONFLICT"),
    ] {
        let result = change(&[3], root_change(add, retire, threshold)).await;
        assert_eq!(result, expected, "{add:?} {retire:?} {threshold:?}");
    }
    let receipt_key = SigningKey::from_seed([7; 32]);
    let add_receipt_key = RootChange { add: vec![receipt_key], ..RootChange::default() };
    assert_eq!(
        change(&[3], add_receipt_key).await,
        "409 CONFLICT",
        "a key that signs receipts cannot be a root key"
    );
    assert_eq!(change(&[3], root_change(&[4], &[3], None)).await, "done");
    // A replaced root key can be revoked, and a new process verifies all versions.
    let revoked =
        trust_registry::revoke(governance, &[root_key(4)], &revocation(root_key(3).kid())).await;
    assert_eq!(result_summary(&revoked), "done");
    let newest = trust_registry::newest(&env.another_process(2).await).await.unwrap().unwrap();
    assert_eq!((newest.registry.version, newest.registry.root_threshold), (5, 1));
    assert_eq!(newest.registry.root_keys, [root_key(4).kid()]);
}

/// Records two decisions of a chain.
async fn record_chain(tenant: &TestTenant, chain_id: ChainId) -> Vec<DecisionId> {
    let mut ids = Vec::new();
    for key in ["a", "b"] {
        let chain_request = object([("chain_id", chain_id.to_string().into())]);
        let key = format!("{key} {chain_id}");
        let body = with(&request(&key, payment(1)), "chain", chain_request);
        ids.push(tenant.record(&body).await.unwrap().id);
    }
    ids
}

async fn verify_chain(governance: &Governance, id: ChainId) -> ChainVerification {
    let public = governance.public(governance.correlation_id());
    chain::verify(&public, id).await.unwrap()
}

#[tokio::test]
async fn chains_of_a_retired_key_verify_with_the_registry_until_its_revocation() {
    let (env, tenant) = test_tenant_with_policy().await;
    let [old, mixed]: [ChainId; 2] = [(); 2].map(|()| env.governance.entropy().id());
    record_chain(&tenant, old).await;
    chain::seal(&tenant.key_cx().await, old).await.unwrap();
    let next = env.process_with_key(2, OTHER_SEED).await;
    // The new process does not have the earlier key.
    assert_eq!(verify_chain(&next, old).await.problems, ["KEY_UNKNOWN"]);

    init_registry(&env).await;
    trust_registry::rotate(&env.governance, &[root_key(1)], rotation_to_other_key(true))
        .await
        .unwrap();
    assert!(verify_chain(&next, old).await.valid);
    // A chain continues with the new key, and both processes verify all its links.
    let in_next_process = tenant.in_process(&next);
    let step_request = |step: u32| {
        let chain_request =
            object([("chain_id", mixed.to_string().into()), ("chain_step", step.into())]);
        with(&request(&format!("mixed {step}"), payment(1)), "chain", chain_request)
    };
    tenant.record(&step_request(1)).await.unwrap();
    in_next_process.record(&step_request(2)).await.unwrap();
    for process in [&env.governance, &next] {
        let verification = verify_chain(process, mixed).await;
        assert!(verification.valid, "{:?}", verification.problems);
        let kids: Vec<_> = verification
            .items
            .iter()
            .filter_map(|item| item.chain_signature_kid.as_deref())
            .collect();
        assert_eq!(kids, [public_key().kid(), other_key().kid()]);
    }
    let kid = public_key().kid().to_owned();
    trust_registry::revoke(&next, &[root_key(1)], &revocation(&kid)).await.unwrap();
    for process in [&env.governance, &next] {
        assert_eq!(verify_chain(process, old).await.problems, ["KEY_REVOKED"]);
        assert_eq!(verify_chain(process, mixed).await.problems, ["KEY_REVOKED"]);
    }
    let sealed = chain::seal(&in_next_process.key_cx().await, mixed).await.map(drop);
    assert_eq!(
        result_summary(&sealed),
        "409 CONFLICT",
        "a chain with a revoked key cannot be sealed"
    );
}

#[tokio::test]
async fn links_signed_by_a_key_of_another_purpose_are_rejected() {
    let (env, tenant) = test_tenant_with_policy().await;
    let id: ChainId = env.governance.entropy().id();
    // The approval key signs links. The registry lists it for another purpose.
    let keys = env.keys.with(Purpose::Receipt, approval_key());
    let misconfigured = env.process_of(2, keys.with(Purpose::PolicyApproval, other_key())).await;
    record_chain(&tenant.in_process(&misconfigured), id).await;
    init_registry(&env).await;
    assert_eq!(verify_chain(&env.governance, id).await.problems, ["KEY_PURPOSE"]);
}

#[tokio::test]
async fn grants_of_a_retired_key_are_valid_with_the_registry_until_its_revocation() {
    let (env, tenant) = test_tenant().await;
    let policy = tenant.create_policy(&spending("PAY", 1)).await;
    let issued =
        capability::issue(&tenant.author_cx().await, capabilities::grant_request(policy, 9)).await;
    let secret = issued.unwrap().plaintext_key;
    let next = env.process_with(2, Purpose::CapabilityGrant, other_key()).await;
    let in_next_process = tenant.in_process(&next);
    let current =
        async || capability::current(&in_next_process.cx_with_key(&secret).await).await.map(drop);
    assert_eq!(result_summary(&current().await), "403 AUTHORING_CAPABILITY_INTEGRITY");
    let registry = init_registry(&env).await;
    trust_registry::rotate(&next, &[root_key(1)], Rotation { to: None, retires: true })
        .await
        .unwrap();
    assert_eq!(result_summary(&current().await), "done");
    let purpose = PayloadType::CapabilityGrant.purpose();
    let key = registry.registry.keys.iter().find(|key| key.has_purpose(purpose)).unwrap();
    trust_registry::revoke(&next, &[root_key(1)], &revocation(key.kid())).await.unwrap();
    assert_eq!(result_summary(&current().await), "403 AUTHORING_CAPABILITY_INTEGRITY");
}

#[testkit::test]
async fn registry_version_without_root_signatures_is_rejected(env: TestEnv) {
    init_registry(&env).await;
    let other_process = env.another_process(2).await;
    let mut forged =
        trust_registry::newest(&other_process).await.unwrap().unwrap().registry.clone();
    forged.prev_digest = Some(forged.canonical().digest);
    forged.version = 2;
    let unknown_roots = [root_key(66)];
    let envelope =
        Envelope::sign(PayloadType::TrustRegistry, forged.canonical(), &unknown_roots).unwrap();
    let text = envelope.to_value().to_canonical();
    let digest = forged.canonical().digest;
    let insert = format!("insert into trust_registries values (2, '{text}', '{digest}')");
    env.execute_as_superuser(&insert).await;
    let new_process = env.another_process(3).await;
    for process in [&env.governance, &other_process, &new_process] {
        assert_eq!(
            result_summary(&trust_registry::newest(process).await.map(drop)),
            "500 INTERNAL_ERROR"
        );
    }
}

#[testkit::test]
async fn restored_registry_accepts_no_further_version(env: TestEnv) {
    init_registry(&env).await;
    trust_registry::rotate(&env.governance, &[root_key(1)], rotation_to_other_key(false))
        .await
        .unwrap();
    let restore = "alter table trust_registries disable trigger prevent_row_changes; \
               delete from trust_registries where version = 2; \
               alter table trust_registries enable always trigger prevent_row_changes";
    env.execute_as_superuser(restore).await;
    // The process continues to use the version in its cache.
    assert_eq!(trust_registry::newest(&env.governance).await.unwrap().unwrap().registry.version, 2);
    let result =
        trust_registry::rotate(&env.governance, &[root_key(1)], rotation_to_other_key(true)).await;
    assert_eq!(result_summary(&result), "500 INTERNAL_ERROR");
}
