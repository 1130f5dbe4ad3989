//! Moves of one version at the same time: one of them comes first, and the other one knows.

use contract::{
    id::PolicyId,
    policy::{ReviewDraft, ReviewVerdict, SealRequest, Superseded},
};
use governance::{
    Cx, Result,
    authoring::policy::{
        rule_input::SupersedeInput,
        version::{self, SealResult},
    },
};
use tokio::task::JoinSet;

use crate::{
    fixtures::{
        TestEnv, TestTenant, body, edit, limit, object, ratification, said, spending, world,
    },
    log,
    races::{at_once, counted, endings},
};

const NOT_DRAFT: &str = "409 INVALID_TRANSITION (VERSION_NOT_DRAFT)";
const STALE: &str = "409 STALE_DRAFT_REVISION";

async fn drafted(house: &TestTenant, round: u32) -> PolicyId {
    house.drafted(&spending(&format!("PAY-{round}"), 1)).await
}

async fn superseded(cx: &Cx, id: PolicyId) -> Result<Superseded> {
    let correction = object([
        ("expected_revision", 1.into()),
        ("rules", limit("LIMIT", 2)),
        ("change_reason", "per day".into()),
    ]);
    version::supersede(cx, id, 1, body::<SupersedeInput>(&correction)).await
}

async fn sealed(cx: &Cx, id: PolicyId) -> Result<SealResult> {
    version::seal(cx, id, 1, SealRequest::default()).await
}

async fn accepted(house: &TestTenant, id: PolicyId) {
    let sealed = sealed(&house.by_author().await, id).await.unwrap().submission;
    let found = ReviewDraft { verdict: ReviewVerdict::Accept, comments: Vec::new(), note: None };
    version::record(&house.by_admin().await, id, 1, sealed.id, found).await.unwrap();
}

/// Runs two acts at the same time, and says how they ended.
fn both<A: Send + 'static, B: Send + 'static>(
    one: impl Future<Output = Result<A>> + Send + 'static,
    two: impl Future<Output = Result<B>> + Send + 'static,
) -> impl Future<Output = (Result<A>, Result<B>)> {
    let (one, two) = (tokio::spawn(one), tokio::spawn(two));
    async { (one.await.unwrap(), two.await.unwrap()) }
}

async fn house() -> (TestEnv, TestTenant, TestTenant) {
    let world = world().await;
    let house = world.tenant("house").await;
    let elsewhere = house.in_process(&world.another_process(2).await);
    (world, house, elsewhere)
}

/// How often a correction and an autosave of one draft meet, over all tenants.
const MEETINGS: u32 = 1_000;

/// How many tenants they meet in at the same time, so that a thousand take seconds.
const TENANTS: u32 = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_superseding_and_an_autosave_exactly_one_wins_a_thousand_times() {
    let world = world().await;
    let process = world.another_process(2).await;
    let mut tenants = JoinSet::new();
    let mut houses = Vec::new();
    for number in 0..TENANTS {
        let house = world.tenant(&format!("house-{number}")).await;
        let elsewhere = house.in_process(&process);
        houses.push(house.tenant);
        tenants.spawn(async move {
            let mut won = [0, 0];
            for round in 0..MEETINGS / TENANTS {
                won[superseding_meets_an_autosave(&house, &elsewhere, round).await] += 1;
            }
            won
        });
    }
    let won = tenants.join_all().await;
    let won = won.into_iter().fold([0, 0], |sum, won| [sum[0] + won[0], sum[1] + won[1]]);
    assert_eq!(won[0] + won[1], MEETINGS);
    assert!(won[0] > 0 && won[1] > 0, "both orders were met: {won:?}");
    for tenant in houses {
        log::intact(&world, tenant).await;
    }
}

/// Lets both meet on a new draft; tells who won: the autosave (0) or the correction (1).
async fn superseding_meets_an_autosave(
    house: &TestTenant,
    elsewhere: &TestTenant,
    round: u32,
) -> usize {
    let id = drafted(house, round).await;
    let before = version::read(&house.by_key().await, id, 1).await.unwrap();
    let (author, admin) = (house.by_author().await, elsewhere.by_admin().await);
    let save = async move { version::edit(&author, id, 1, edit(1, "autosave")).await };
    let correct = async move { superseded(&admin, id).await };
    // Whoever is spawned first has the better start.
    let (saved, corrected) = if round.is_multiple_of(2) {
        both(save, correct).await
    } else {
        let (corrected, saved) = both(correct, save).await;
        (saved, corrected)
    };
    let first = version::read(&house.by_key().await, id, 1).await.unwrap();
    match (saved, corrected) {
        (Ok(saved), refused) => {
            assert_eq!(said(&refused), STALE);
            assert_eq!(first, saved);
            0
        }
        (refused, Ok(both)) => {
            assert_eq!(said(&refused), NOT_DRAFT);
            assert_eq!((&first.rules, first.draft_revision), (&before.rules, 1));
            assert_eq!(first.change_reason, before.change_reason);
            assert_eq!(first.superseded_by_version, Some(both.draft.version));
            1
        }
        (saved, corrected) => panic!("{} and {}", said(&saved), said(&corrected)),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_corrections_at_once_exactly_one_is_the_successor() {
    let (world, house, _) = house().await;
    let id = drafted(&house, 0).await;
    let results = at_once((0..12).map(|_| {
        let house = house.clone();
        async move { superseded(&house.by_author().await, id).await }
    }))
    .await;
    assert_eq!(endings(&results), counted([(NOT_DRAFT, 11), ("done", 1)]));
    assert_eq!(world.count("select count(*) from policy_versions").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn seals_at_once_are_one_submission() {
    let (world, house, elsewhere) = house().await;
    let id = drafted(&house, 0).await;
    let results = at_once((0..12).map(|number| {
        let house = if number % 2 == 0 { house.clone() } else { elsewhere.clone() };
        async move { sealed(&house.by_author().await, id).await.unwrap() }
    }))
    .await;
    assert_eq!(results.iter().filter(|sealed| sealed.is_new).count(), 1);
    assert!(results.iter().all(|sealed| sealed.submission == results[0].submission));
    assert_eq!(world.count("select count(*) from review_submissions").await, 1);
    log::intact(&world, house.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_deleting_and_sealing_exactly_one_happens() {
    let (world, house, elsewhere) = house().await;
    for round in 0..20 {
        let id = drafted(&house, round).await;
        let (author, admin) = (house.by_author().await, elsewhere.by_admin().await);
        let delete = async move { version::delete(&author, id, 1).await };
        let seal = async move { sealed(&admin, id).await };
        let (deleted, sealed) = both(delete, seal).await;
        let told = [said(&deleted), said(&sealed)];
        let late = "409 INVALID_TRANSITION (VERSION_WAS_SEALED)";
        assert!(told == ["done", "404 NOT_FOUND"] || told == [late, "done"], "{told:?}");
    }
    let orphans = "select count(*) from review_submissions s where not exists \
                   (select from policy_versions v where v.id = s.policy_version_id)";
    assert_eq!(world.count(orphans).await, 0);
    log::intact(&world, house.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_ratifying_an_accepted_draft_and_editing_it_exactly_one_happens() {
    let (world, house, elsewhere) = house().await;
    for round in 0..20 {
        let id = drafted(&house, round).await;
        accepted(&house, id).await;
        let (author, admin) = (house.by_author().await, elsewhere.by_admin().await);
        let save = async move { version::edit(&author, id, 1, edit(1, "autosave")).await };
        let ratify = async move { version::ratify(&admin, id, 1, ratification(1)).await };
        let (saved, ratified) = both(save, ratify).await;
        let told = [said(&saved), said(&ratified)];
        assert!(told == ["done", STALE] || told == [NOT_DRAFT, "done"], "{told:?}");
    }
    log::intact(&world, house.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_setting_aside_and_activating_exactly_one_happens() {
    let (world, house, elsewhere) = house().await;
    for round in 0..20 {
        let id = drafted(&house, round).await;
        house.ratified(id, 1).await;
        let author = house.by_author().await;
        let because = body(&object([("reason", "because".into())]));
        let close = async move { version::set_aside(&author, id, 1, because).await };
        let elsewhere = elsewhere.clone();
        let activate = async move { elsewhere.activated(id, 1).await };
        let (closed, activated) = both(close, activate).await;
        let told = [said(&closed), said(&activated)];
        let not_ratified = "409 INVALID_TRANSITION (VERSION_NOT_RATIFIED)";
        let was_active = "409 INVALID_TRANSITION (VERSION_WAS_ACTIVE)";
        assert!(told == ["done", not_ratified] || told == [was_active, "done"], "{told:?}");
    }
    log::intact(&world, house.tenant).await;
}
