//! Lineages of capability grants as they are listed for members.

use contract::{
    capability::{Capability, CapabilityCarry},
    error::ErrorCode,
    id::CapabilityId,
};
use governance::{
    PageRequest,
    authoring::{
        capability::{self, GrantLineageStatus},
        policy::version,
    },
};

use crate::{capabilities::grant_request, prelude::*, refusals::assert_refused};

async fn lineages(tenant: &TestTenant) -> Vec<GrantLineageStatus> {
    capability::list_lineages(&tenant.key_cx().await, &PageRequest::default()).await.unwrap().items
}

fn ids(grants: &[Capability]) -> Vec<CapabilityId> {
    grants.iter().map(|grant| grant.id).collect()
}

#[tokio::test]
async fn a_lineage_is_listed_once_with_its_grants_and_its_successor_draft() {
    let (_env, tenant) = test_tenant().await;
    let policy = tenant.create_policy(&spending("PAY", 1)).await;
    let other = tenant.create_policy(&spending("OTHER", 1)).await;
    let author = tenant.author_cx().await;
    let first = capability::issue(&author, grant_request(policy, 3)).await.unwrap().capability;
    let second = capability::issue(&author, grant_request(other, 3)).await.unwrap().capability;
    version::set_aside(&author, policy, 1, reason()).await.unwrap();
    assert_eq!(lineages(&tenant).await[1].successor, None);
    tenant.next_draft(policy, &limit("LIMIT", 2)).await;
    assert_eq!(lineages(&tenant).await[1].successor, Some(2));
    let carry = CapabilityCarry { version: 2 };
    let carried_grant = capability::carry(&author, first.id, carry).await.unwrap();

    let [newest, oldest] = &*lineages(&tenant).await else { panic!("expected two lineages") };
    assert_eq!(ids(&newest.grants), [first.id, carried_grant.id]);
    assert_eq!(ids(&oldest.grants), [second.id]);
    assert_eq!((newest.ended, newest.successor), (None, None));
    let code = newest.policy.as_ref().map(|(code, _)| code.as_str());
    assert_eq!(code, Some("PAY"));
    // The ID of each grant returns the whole lineage.
    for id in [first.id, carried_grant.id] {
        let lineage = capability::lineage(&tenant.key_cx().await, id).await.unwrap();
        assert_eq!(lineage, *newest);
    }
    let page = PageRequest { limit: 1, cursor: None };
    let page = capability::list_lineages(&tenant.key_cx().await, &page).await.unwrap();
    assert_eq!((page.items.as_slice(), page.next_cursor.is_some()), (&[newest.clone()][..], true));
}

#[tokio::test]
async fn a_lineage_states_why_it_ended() {
    let (env, tenant) = test_tenant().await;
    let policy = tenant.create_policy(&spending("PAY", 1)).await;
    let author = tenant.author_cx().await;
    let grant = capability::issue(&author, grant_request(policy, 3)).await.unwrap().capability;
    assert_eq!(lineages(&tenant).await[0].ended, None);
    capability::revoke(&author, grant.id).await.unwrap();
    let ended = lineages(&tenant).await[0].ended;
    assert_eq!(ended, Some(ErrorCode::AuthoringCapabilityRevoked));
    // A service without a signing key accepts no grant.
    let unsigned = tenant.in_process(&env.unsigned_process(2).await);
    let ended = lineages(&unsigned).await[0].ended;
    assert_eq!(ended, Some(ErrorCode::AuthoringCapabilityIntegrity));
}

#[tokio::test]
async fn a_grant_id_is_issued_only_once() {
    let (env, tenant) = test_tenant().await;
    let policy = tenant.create_policy(&spending("PAY", 1)).await;
    let (one, two) = (tenant.author_cx().await, tenant.author_cx().await);
    let id: CapabilityId = env.governance.entropy().id();
    let (first, second) = tokio::join!(
        Box::pin(capability::issue_as(&one, id, grant_request(policy, 3))),
        Box::pin(capability::issue_as(&two, id, grant_request(policy, 3)))
    );
    let issued_count = [&first, &second].into_iter().filter(|result| result.is_ok()).count();
    assert_eq!(issued_count, 1);
    let repeat = capability::issue_as(&one, id, grant_request(policy, 3));
    assert_refused(&env, repeat, "409 CONFLICT").await;
    assert_eq!(ids(&lineages(&tenant).await[0].grants), [id]);
}

#[tokio::test]
async fn open_versions_are_listed_for_authors_and_not_for_keys() {
    let (env, tenant) = test_tenant().await;
    let draft = tenant.create_policy(&spending("B-DRAFT", 1)).await;
    let submitted = tenant.create_policy(&spending("A-SUBMITTED", 1)).await;
    tenant.active_policy(&spending("C-ACTIVE", 1)).await;
    let author = tenant.author_cx().await;
    version::submit(&author, submitted, 1).await.unwrap();
    let open = capability::open_versions(&author).await.unwrap();
    let open: Vec<_> = open.iter().map(|item| (item.policy, item.version)).collect();
    assert_eq!(open, [(submitted, 1), (draft, 1)], "sorted by policy code");
    assert_refused(&env, capability::open_versions(&tenant.key_cx().await), "403 HUMAN_REQUIRED")
        .await;
}
