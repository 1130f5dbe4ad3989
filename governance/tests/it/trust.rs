//! The trust registry: begun once, going on by its rules, and what it says decides what is believed.

use std::sync::Arc;

use contract::{
    chain::ChainVerification,
    id::{ChainId, DecisionId},
};
use governance::{
    Governance, Result,
    authoring::capability,
    deciding::{chain, decision},
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
    fixtures::{
        NOW, TestEnv, TestTenant, approval_key, limit, object, payment, public_key, request, said,
        spending, value, with, world,
    },
};

fn root(seed: u8) -> SigningKey {
    SigningKey::from_seed([seed; 32])
}

/// Another signing key than that of a world.
const OTHER: [u8; 32] = [70; 32];

fn other() -> SigningKey {
    SigningKey::from_seed(OTHER)
}

fn to_other(retires: bool) -> Rotation {
    Rotation { to: Some(other()), retires }
}

fn revocation(kid: &str) -> Revocation {
    Revocation { kids: vec![kid.to_owned()], reason: "lost".to_owned(), compromised_since: None }
}

async fn begun(world: &TestEnv) -> Arc<SignedRegistry> {
    trust_registry::init(&world.governance, &[root(1)], 1).await.unwrap()
}

/// How each service key of the newest version stands.
async fn standings(governance: &Governance) -> Vec<(String, &'static str)> {
    let newest = trust_registry::newest(governance).await.unwrap().unwrap();
    let word = |status: &KeyStatus| match status {
        KeyStatus::Active => "active",
        KeyStatus::Retired => "retired",
        KeyStatus::Revoked { .. } => "revoked",
    };
    newest.registry.keys.iter().map(|key| (key.purposes.join(" "), word(&key.status))).collect()
}

#[tokio::test]
async fn the_first_version_lists_the_service_s_keys_since_the_first_tenant() {
    let world = world().await;
    world.tenant("house").await;
    world.governance.clock().advance(86_400_000);
    let registry = begun(&world).await.registry.clone();
    assert_eq!((registry.version, registry.root_keys.len(), registry.root_threshold), (1, 1, 1));
    assert_eq!(registry.issued_at, world.governance.clock().now());
    assert_eq!(registry.expires_at.millis() - registry.issued_at.millis(), 365 * 86_400_000);
    let recorded = "receipt chain_link chain_seal bundle_manifest";
    let active = |purposes: &str| (purposes.to_owned(), "active");
    let expected = ["registry_root", recorded, "policy_approval", "capability_grant"].map(active);
    assert_eq!(standings(&world.governance).await, expected);
    let key = registry.key(public_key().kid()).unwrap();
    assert_eq!((key.valid_from.to_string(), key.valid_until), (NOW.to_owned(), None));
    assert_eq!(
        trust_registry::key_status(&world.governance).await.unwrap(),
        SigningKeyStatus::Good
    );
    let again = trust_registry::init(&world.governance, &[root(2)], 1).await;
    assert_eq!(said(&again), "409 CONFLICT");
}

#[tokio::test]
async fn a_registry_that_cannot_be_signed_does_not_begin() {
    let world = world().await;
    for (roots, threshold) in
        [(vec![root(1)], 0), (vec![root(1)], 2), (vec![], 1), (vec![root(1), root(1)], 2)]
    {
        let refused = trust_registry::init(&world.governance, &roots, threshold).await;
        assert_eq!(said(&refused), "422 VALIDATION_ERROR", "{threshold} of {roots:?}");
    }
    let unsigned = world.unsigned_process(2).await;
    assert_eq!(said(&trust_registry::init(&unsigned, &[root(1)], 1).await), "409 CONFLICT");
    assert_eq!(trust_registry::key_status(&unsigned).await.unwrap(), SigningKeyStatus::Good);
    assert_eq!(
        trust_registry::key_status(&world.governance).await.unwrap(),
        SigningKeyStatus::NotBegun
    );
    for refused in [
        trust_registry::rotate(&world.governance, &[root(1)], to_other(false)).await,
        trust_registry::revoke(&world.governance, &[root(1)], &revocation("kid")).await,
    ] {
        assert_eq!(said(&refused), "404 NOT_FOUND");
    }
    assert_eq!(world.count("select count(*) from trust_registries").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_that_begin_it_at_once_end_with_one() {
    let world = world().await;
    let mut at_once = JoinSet::new();
    for seed in 2..8_u8 {
        let process = world.another_process(seed.into()).await;
        at_once.spawn(async move {
            trust_registry::init_or_load(&process, root(seed)).await.unwrap().digest()
        });
    }
    let digests = at_once.join_all().await;
    assert!(digests.iter().all(|digest| *digest == digests[0]), "{digests:?}");
    assert_eq!(world.count("select count(*) from trust_registries").await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_that_issue_the_same_version_one_is_refused() {
    let world = world().await;
    begun(&world).await;
    let mut at_once = JoinSet::new();
    for seed in 2..8 {
        let process = world.another_process(seed).await;
        at_once.spawn(async move {
            said(&trust_registry::rotate(&process, &[root(1)], to_other(false)).await)
        });
    }
    let done = at_once.join_all().await.into_iter().filter(|said| said == "done").count();
    let issued = world.count("select count(*) - 1 from trust_registries").await;
    assert_eq!(done, issued, "each that was told so has issued one");
    assert!(trust_registry::newest(&world.governance).await.unwrap().unwrap().registry.version > 1);
}

#[tokio::test]
async fn a_rotation_keeps_both_keys_until_one_retires_the_old_ones() {
    let world = world().await;
    begun(&world).await;
    let governance = &world.governance;
    let next = world.process_with_key(2, OTHER).await;
    let doubtful = trust_registry::key_status(&next).await.unwrap();
    let kid = other().kid().to_owned();
    assert_eq!(doubtful, SigningKeyStatus::NotActive { kid, version: 1 });

    trust_registry::rotate(governance, &[root(1)], to_other(false)).await.unwrap();
    for process in [governance, &next] {
        assert_eq!(trust_registry::key_status(process).await.unwrap(), SigningKeyStatus::Good);
    }
    let retired =
        trust_registry::rotate(&next, &[root(1)], Rotation { to: None, retires: true }).await;
    let registry = retired.unwrap().registry.clone();
    assert_eq!(registry.version, 3);
    assert_eq!(trust_registry::key_status(&next).await.unwrap(), SigningKeyStatus::Good);
    let words: Vec<_> = standings(governance).await.into_iter().map(|(_, word)| word).collect();
    assert_eq!(words, ["active", "retired", "active", "active", "active"]);
    let kid = public_key().kid().to_owned();
    assert_eq!(registry.key(&kid).unwrap().valid_until, Some(governance.clock().now()));
    let standing = trust_registry::key_status(governance).await.unwrap();
    assert_eq!(standing, SigningKeyStatus::NotActive { kid, version: 3 });
    // What has ended does not come back.
    let back =
        trust_registry::rotate(governance, &[root(1)], Rotation { to: None, retires: false }).await;
    assert_eq!(said(&back), "409 CONFLICT");
    // Retired keys are published, for what they signed.
    let keys = jwks::read(&trust_registry::signing_keys(governance).await.unwrap()).unwrap();
    assert_eq!(keys.len(), 4);
    assert!(keys.iter().all(|key| key.kid() != root(1).kid()), "roots sign no receipts");
}

#[tokio::test]
async fn no_version_is_issued_without_its_roots() {
    let world = world().await;
    let roots = [root(1), root(2), root(3)];
    trust_registry::init(&world.governance, &roots, 2).await.unwrap();
    for keys in [vec![], vec![root(1)], vec![root(2), root(2)], vec![root(1), root(9)]] {
        let refused = trust_registry::rotate(&world.governance, &keys, to_other(false)).await;
        assert_eq!(said(&refused), "409 CONFLICT", "{keys:?}");
    }
    let kid = public_key().kid().to_owned();
    for (kid, refused) in [("none", "404 NOT_FOUND"), (&*kid, "done"), (&*kid, "409 CONFLICT")] {
        let revoked =
            trust_registry::revoke(&world.governance, &roots[1..], &revocation(kid)).await;
        assert_eq!(said(&revoked), refused, "{kid}");
    }
    let now = world.governance.clock().now();
    let later = Revocation { compromised_since: Some(now.plus_millis(1)), ..revocation(&kid) };
    let refused = trust_registry::revoke(&world.governance, &roots, &later).await;
    assert_eq!(said(&refused), "422 VALIDATION_ERROR");
    // A root may go while enough are left.
    for (seed, refused) in [(3, "done"), (2, "409 CONFLICT")] {
        let kid = root(seed).kid().to_owned();
        let revoked =
            trust_registry::revoke(&world.governance, &roots[..2], &revocation(&kid)).await;
        assert_eq!(said(&revoked), refused, "{seed}");
    }
    assert_eq!(world.count("select count(*) from trust_registries").await, 3);
    let keys = jwks::read(&trust_registry::signing_keys(&world.governance).await.unwrap()).unwrap();
    assert!(keys.iter().all(|key| key.kid() != kid), "a revoked key is not published");
}

fn roots_change(add: &[u8], retire: &[u8], threshold: Option<u32>) -> RootChange {
    let retire = retire.iter().map(|seed| root(*seed).kid().to_owned()).collect();
    RootChange { add: add.iter().map(|seed| root(*seed)).collect(), retire, threshold }
}

#[tokio::test]
async fn roots_come_and_go_by_the_thresholds_of_the_version_before_and_of_the_next() {
    let world = world().await;
    begun(&world).await;
    let governance = &world.governance;
    let change = async |signers: &[u8], change: RootChange| {
        let signers: Vec<_> = signers.iter().map(|seed| root(*seed)).collect();
        said(&trust_registry::change_roots(governance, signers, change).await)
    };
    // Added roots sign along; without a root of the version before, nobody becomes one.
    assert_eq!(change(&[9], roots_change(&[2, 3], &[], Some(2))).await, "409 CONFLICT");
    assert_eq!(change(&[1], roots_change(&[2, 3], &[], Some(2))).await, "done");
    let alone = trust_registry::rotate(governance, &[root(1)], to_other(false)).await;
    assert_eq!(said(&alone), "409 CONFLICT", "two must sign now");
    // The threshold of the next version is met by its own roots alone.
    assert_eq!(change(&[1, 2], roots_change(&[], &[], Some(3))).await, "409 CONFLICT");
    assert_eq!(change(&[1, 3], roots_change(&[], &[1, 2], Some(1))).await, "done");
    assert_eq!(change(&[1], roots_change(&[4], &[], None)).await, "409 CONFLICT", "it was retired");
    for (add, retire, threshold, refused) in [
        (&[][..], &[3][..], None, "422 VALIDATION_ERROR"),
        (&[], &[], Some(0), "422 VALIDATION_ERROR"),
        (&[], &[], Some(2), "422 VALIDATION_ERROR"),
        (&[], &[9], None, "404 NOT_FOUND"),
        (&[], &[2], None, "409 CONFLICT"),
        (&[1], &[], None, "409 CONFLICT"),
    ] {
        let told = change(&[3], roots_change(add, retire, threshold)).await;
        assert_eq!(told, refused, "{add:?} {retire:?} {threshold:?}");
    }
    let service = SigningKey::from_seed([7; 32]);
    let both = RootChange { add: vec![service], ..RootChange::default() };
    assert_eq!(change(&[3], both).await, "409 CONFLICT", "a key that signs receipts is no root");
    assert_eq!(change(&[3], roots_change(&[4], &[3], None)).await, "done");
    // One that was replaced can be revoked, and a process that starts now walks all the way.
    let revoked = trust_registry::revoke(governance, &[root(4)], &revocation(root(3).kid())).await;
    assert_eq!(said(&revoked), "done");
    let newest = trust_registry::newest(&world.another_process(2).await).await.unwrap().unwrap();
    assert_eq!((newest.registry.version, newest.registry.root_threshold), (5, 1));
    assert_eq!(newest.registry.root_keys, [root(4).kid()]);
}

/// Records two decisions of a chain.
async fn chained(house: &TestTenant, id: ChainId) -> Vec<DecisionId> {
    let mut made = Vec::new();
    for key in ["a", "b"] {
        let place = object([("chain_id", id.to_string().into())]);
        let key = format!("{key} {id}");
        let body = with(&request(&key, payment(1)), "chain", place);
        made.push(house.record(&body).await.unwrap().id);
    }
    made
}

async fn verified(governance: &Governance, id: ChainId) -> ChainVerification {
    let anybody = governance.public(governance.correlation_id());
    chain::verify(&anybody, id).await.unwrap()
}

#[tokio::test]
async fn chains_of_an_earlier_key_verify_by_the_registry_until_it_is_revoked() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    let [old, mixed]: [ChainId; 2] = [(); 2].map(|()| world.governance.entropy().id());
    chained(&house, old).await;
    chain::seal(&house.by_key().await, old).await.unwrap();
    let next = world.process_with_key(2, OTHER).await;
    // Nobody has told the new process of the key before.
    assert_eq!(verified(&next, old).await.problems, ["KEY_UNKNOWN"]);

    begun(&world).await;
    trust_registry::rotate(&world.governance, &[root(1)], to_other(true)).await.unwrap();
    assert!(verified(&next, old).await.valid);
    // A chain goes on under the new key, and either process verifies all of it.
    let after = house.in_process(&next);
    let place = |step: u32| {
        let place = object([("chain_id", mixed.to_string().into()), ("chain_step", step.into())]);
        with(&request(&format!("mixed {step}"), payment(1)), "chain", place)
    };
    house.record(&place(1)).await.unwrap();
    after.record(&place(2)).await.unwrap();
    for process in [&world.governance, &next] {
        let told = verified(process, mixed).await;
        assert!(told.valid, "{:?}", told.problems);
        let kids: Vec<_> =
            told.items.iter().filter_map(|item| item.chain_signature_kid.as_deref()).collect();
        assert_eq!(kids, [public_key().kid(), other().kid()]);
    }
    let kid = public_key().kid().to_owned();
    trust_registry::revoke(&next, &[root(1)], &revocation(&kid)).await.unwrap();
    for process in [&world.governance, &next] {
        assert_eq!(verified(process, old).await.problems, ["KEY_REVOKED"]);
        assert_eq!(verified(process, mixed).await.problems, ["KEY_REVOKED"]);
    }
    let refused = chain::seal(&after.by_key().await, mixed).await.map(drop);
    assert_eq!(said(&refused), "409 CONFLICT", "no seal of ours vouches for it");
}

#[tokio::test]
async fn a_key_of_another_purpose_is_not_believed() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    let id: ChainId = world.governance.entropy().id();
    // The key of approvals signs links: the registry knows it, and for what.
    let keys = world.keys.with(Purpose::Receipt, approval_key());
    let odd = world.process_of(2, keys.with(Purpose::PolicyApproval, other())).await;
    chained(&house.in_process(&odd), id).await;
    begun(&world).await;
    assert_eq!(verified(&world.governance, id).await.problems, ["KEY_PURPOSE"]);
}

#[tokio::test]
async fn grants_of_an_earlier_key_hold_by_the_registry_until_it_is_revoked() {
    let world = world().await;
    let house = world.tenant("house").await;
    let policy = house.drafted(&spending("PAY", 1)).await;
    let issued = capability::issue(&house.by_author().await, capabilities::asked(policy, 9)).await;
    let secret = issued.unwrap().plaintext_key;
    let next = world.process_with(2, Purpose::CapabilityGrant, other()).await;
    let after = house.in_process(&next);
    let current = async || capability::current(&after.with_key(&secret).await).await.map(drop);
    assert_eq!(said(&current().await), "403 AUTHORING_CAPABILITY_INTEGRITY");
    let registry = begun(&world).await;
    trust_registry::rotate(&next, &[root(1)], Rotation { to: None, retires: true }).await.unwrap();
    assert_eq!(said(&current().await), "done");
    let purpose = PayloadType::CapabilityGrant.purpose();
    let key = registry.registry.keys.iter().find(|key| key.has_purpose(purpose)).unwrap();
    trust_registry::revoke(&next, &[root(1)], &revocation(key.kid())).await.unwrap();
    assert_eq!(said(&current().await), "403 AUTHORING_CAPABILITY_INTEGRITY");
}

#[tokio::test]
async fn what_is_put_into_the_store_past_the_roots_is_never_believed() {
    let world = world().await;
    begun(&world).await;
    let fresh = world.another_process(2).await;
    let mut forged = trust_registry::newest(&fresh).await.unwrap().unwrap().registry.clone();
    forged.prev_digest = Some(forged.canonical().digest);
    forged.version = 2;
    let foreign = [root(66)];
    let envelope =
        Envelope::sign(PayloadType::TrustRegistry, forged.canonical(), &foreign).unwrap();
    let text = envelope.to_value().to_canonical();
    let digest = forged.canonical().digest;
    let insert = format!("insert into trust_registries values (2, '{text}', '{digest}')");
    world.execute_as_superuser(&insert).await;
    let another = world.another_process(3).await;
    for process in [&world.governance, &fresh, &another] {
        assert_eq!(said(&trust_registry::newest(process).await.map(drop)), "500 INTERNAL_ERROR");
    }
}

#[tokio::test]
async fn a_store_that_was_put_back_takes_no_further_version() {
    let world = world().await;
    begun(&world).await;
    trust_registry::rotate(&world.governance, &[root(1)], to_other(false)).await.unwrap();
    let cut = "alter table trust_registries disable trigger prevent_row_changes; \
               delete from trust_registries where version = 2; \
               alter table trust_registries enable always trigger prevent_row_changes";
    world.execute_as_superuser(cut).await;
    // It goes on to believe what it has seen.
    assert_eq!(
        trust_registry::newest(&world.governance).await.unwrap().unwrap().registry.version,
        2
    );
    let lost = trust_registry::rotate(&world.governance, &[root(1)], to_other(true)).await;
    assert_eq!(said(&lost), "500 INTERNAL_ERROR");
}

#[tokio::test]
async fn receipts_of_every_key_are_shown_whatever_signs_now() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.active_policy(&spending("PAY", 100)).await;
    let first = house.record(&request("first", payment(1))).await.unwrap().id;
    begun(&world).await;
    trust_registry::rotate(&world.governance, &[root(1)], to_other(true)).await.unwrap();
    let after = house.in_process(&world.process_with_key(2, OTHER).await);
    let version = after.next_draft(id, &limit("LIMIT", 2)).await;
    after.ratified(id, version).await;
    after.activated(id, version).await.unwrap();
    let second = after.record(&request("second", payment(1))).await.unwrap().id;
    let anybody = world.governance.public(world.governance.correlation_id());
    let keys = jwks::read(&trust_registry::signing_keys(&world.governance).await.unwrap()).unwrap();
    for id in [first, second] {
        let receipt: Result<_> = decision::receipt(&anybody, id).await;
        let receipt = receipt.unwrap();
        let kid = receipt.signature_kid.unwrap();
        let key = keys.iter().find(|key| key.kid() == kid).unwrap();
        let text = receipt.statement.unwrap().to_canonical();
        key.verify(PayloadType::Receipt, &text, &receipt.signature.unwrap()).unwrap();
    }
    let document = trust_registry::trust_document(&world.governance).await.unwrap();
    assert_eq!(document.get("root_keys"), Some(&value(&format!("[\"{}\"]", root(1).kid()))));
}
