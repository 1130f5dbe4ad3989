//! Chains of grants as the people see them who look after them.

use contract::{
    capability::{Capability, CapabilityCarry},
    error::ErrorCode,
    id::CapabilityId,
    policy::ReasonBody,
};
use governance::{
    PageRequest,
    authoring::{
        capability::{self, GrantLineageStatus},
        policy::version,
    },
};

use crate::{
    capabilities::asked,
    fixtures::{TestTenant, body, limit, object, spending, world},
    refusals::refused,
};

async fn chains(house: &TestTenant) -> Vec<GrantLineageStatus> {
    capability::list_lineages(&house.by_key().await, &PageRequest::default()).await.unwrap().items
}

fn ids(grants: &[Capability]) -> Vec<CapabilityId> {
    grants.iter().map(|grant| grant.id).collect()
}

#[tokio::test]
async fn a_chain_is_one_entry_with_all_its_grants_and_where_it_could_go() {
    let world = world().await;
    let house = world.tenant("house").await;
    let policy = house.drafted(&spending("PAY", 1)).await;
    let other = house.drafted(&spending("OTHER", 1)).await;
    let author = house.by_author().await;
    let first = capability::issue(&author, asked(policy, 3)).await.unwrap().capability;
    let second = capability::issue(&author, asked(other, 3)).await.unwrap().capability;
    let because = body::<ReasonBody>(&object([("reason", "because".into())]));
    version::set_aside(&author, policy, 1, because).await.unwrap();
    assert_eq!(chains(&house).await[1].successor, None);
    house.next_draft(policy, &limit("LIMIT", 2)).await;
    assert_eq!(chains(&house).await[1].successor, Some(2));
    let carry = CapabilityCarry { version: 2 };
    let carried = capability::carry(&author, first.id, carry).await.unwrap();

    let [newest, oldest] = &*chains(&house).await else { panic!("two programs") };
    assert_eq!(ids(&newest.grants), [first.id, carried.id]);
    assert_eq!(ids(&oldest.grants), [second.id]);
    assert_eq!((newest.ended, newest.successor), (None, None));
    let named = newest.policy.as_ref().map(|(code, _)| code.as_str());
    assert_eq!(named, Some("PAY"));
    // Every grant of a chain leads to the whole of it.
    for id in [first.id, carried.id] {
        let chain = capability::chain(&house.by_key().await, id).await.unwrap();
        assert_eq!(chain, *newest);
    }
    let page = PageRequest { limit: 1, cursor: None };
    let page = capability::list_lineages(&house.by_key().await, &page).await.unwrap();
    assert_eq!((page.items.as_slice(), page.next_cursor.is_some()), (&[newest.clone()][..], true));
}

#[tokio::test]
async fn a_chain_says_why_it_opens_nothing() {
    let world = world().await;
    let house = world.tenant("house").await;
    let policy = house.drafted(&spending("PAY", 1)).await;
    let author = house.by_author().await;
    let grant = capability::issue(&author, asked(policy, 3)).await.unwrap().capability;
    assert_eq!(chains(&house).await[0].ended, None);
    capability::revoke(&author, grant.id).await.unwrap();
    let ended = chains(&house).await[0].ended;
    assert_eq!(ended, Some(ErrorCode::AuthoringCapabilityRevoked));
    // A service that signs nothing believes in no grant.
    let unsigned = house.in_process(&world.unsigned_process(2).await);
    let ended = chains(&unsigned).await[0].ended;
    assert_eq!(ended, Some(ErrorCode::AuthoringCapabilityIntegrity));
}

#[tokio::test]
async fn a_grant_is_issued_once_under_an_id() {
    let world = world().await;
    let house = world.tenant("house").await;
    let policy = house.drafted(&spending("PAY", 1)).await;
    let (one, two) = (house.by_author().await, house.by_author().await);
    let id: CapabilityId = world.governance.entropy().id();
    let (first, second) = tokio::join!(
        Box::pin(capability::issue_as(&one, id, asked(policy, 3))),
        Box::pin(capability::issue_as(&two, id, asked(policy, 3)))
    );
    let issued = [&first, &second].into_iter().filter(|issued| issued.is_ok()).count();
    assert_eq!(issued, 1);
    let again = capability::issue_as(&one, id, asked(policy, 3));
    refused(&world, again, "409 CONFLICT").await;
    assert_eq!(ids(&chains(&house).await[0].grants), [id]);
}

#[tokio::test]
async fn open_versions_are_offered_to_whoever_may_issue() {
    let world = world().await;
    let house = world.tenant("house").await;
    let draft = house.drafted(&spending("B-DRAFT", 1)).await;
    let submitted = house.drafted(&spending("A-SUBMITTED", 1)).await;
    house.active_policy(&spending("C-ACTIVE", 1)).await;
    let author = house.by_author().await;
    version::submit(&author, submitted, 1).await.unwrap();
    let open = capability::open(&author).await.unwrap();
    let open: Vec<_> = open.iter().map(|one| (one.policy_id, one.version)).collect();
    assert_eq!(open, [(submitted, 1), (draft, 1)], "by the code of the policy");
    refused(&world, capability::open(&house.by_key().await), "403 HUMAN_REQUIRED").await;
}
