//! Whose turn it is: what waits moves from inbox to inbox.

use contract::{
    id::UserId,
    policy::{ReviewDraft, SealRequest},
    scope::Role,
};
use governance::{
    authoring::policy::version,
    insight::inbox::{self, RequestedAction},
};

use crate::fixtures::{TestTenant, body, object, ratification, said, spending, world};

/// The acts that wait for a person, and those that wait for others.
async fn waiting(
    house: &TestTenant,
    person: UserId,
) -> (Vec<RequestedAction>, Vec<RequestedAction>) {
    let all = inbox::waiting(&house.by(person).await).await.unwrap();
    let (mine, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.is_actionable);
    let mine_alone = inbox::needs_me(&house.by(person).await).await.unwrap();
    assert_eq!(mine_alone, mine.len(), "it is counted as it is told");
    let asked = |all: Vec<inbox::WaitingVersion>| all.into_iter().map(|one| one.asked).collect();
    (asked(mine), asked(others))
}

#[tokio::test]
async fn a_version_goes_from_author_to_reviewer_to_ratifier() {
    let world = world().await;
    let house = world.tenant("house").await;
    let reviewer = house.person("reviewer@house.example", Role::Reviewer).await;
    let (author, admin) = (house.author, house.admin);
    let id = house.drafted(&spending("PAY", 1)).await;
    assert_eq!(waiting(&house, author).await, (vec![], vec![]), "a draft waits for nobody");

    let by_author = house.by_author().await;
    let sealed = version::seal(&by_author, id, 1, SealRequest::default()).await.unwrap().submission;
    version::submit(&by_author, id, 1).await.unwrap();
    assert_eq!(waiting(&house, author).await, (vec![], vec![RequestedAction::Review]));
    assert_eq!(waiting(&house, reviewer).await, (vec![RequestedAction::Review], vec![]));

    let accept: ReviewDraft = body(&object([("verdict", "ACCEPT".into())]));
    version::record(&house.by(reviewer).await, id, 1, sealed.id, accept).await.unwrap();
    assert_eq!(waiting(&house, reviewer).await, (vec![], vec![RequestedAction::Ratify]));
    assert_eq!(waiting(&house, admin).await, (vec![RequestedAction::Ratify], vec![]));

    version::ratify(&house.by_admin().await, id, 1, ratification(1)).await.unwrap();
    assert_eq!(waiting(&house, admin).await, (vec![RequestedAction::Activate], vec![]));
    house.activated(id, 1).await.unwrap();
    assert_eq!(waiting(&house, admin).await, (vec![], vec![]));
    let done = inbox::done(&house.by_admin().await).await.unwrap();
    let done: Vec<_> = done.iter().map(|done| done.action.as_str()).collect();
    assert_eq!(done, ["policy_version.activate", "policy_version.ratify"]);

    // Another tenant sees nothing of it, and a program has no inbox.
    let other = world.tenant("other").await;
    assert_eq!(waiting(&other, other.admin).await, (vec![], vec![]));
    assert_eq!(said(&inbox::waiting(&house.by_key().await).await), "403 HUMAN_REQUIRED");
}
