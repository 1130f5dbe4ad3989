//! Concurrent transitions of one version: the second is checked against the result of the first.

use contract::policy::{ReviewVerdict, SealRequest, Superseded};
use governance::{
    Result,
    authoring::policy::version::{self, SealResult},
};
use tokio::task::JoinSet;

use crate::{
    log,
    prelude::*,
    races::{count_results, expected_counts, run_concurrently},
};

const NOT_DRAFT: &str = "409 INVALID_TRANSITION (VERSION_NOT_DRAFT)";
const STALE: &str = "409 STALE_DRAFT_REVISION";

async fn create_draft(tenant: &TestTenant, round: u32) -> PolicyId {
    tenant.create_policy(&spending(&format!("PAY-{round}"), 1)).await
}

async fn supersede_draft(cx: &Cx, id: PolicyId) -> Result<Superseded> {
    version::supersede(cx, id, 1, correction(1)).await
}

async fn seal_draft(cx: &Cx, id: PolicyId) -> Result<SealResult> {
    version::seal(cx, id, 1, SealRequest::default()).await
}

async fn accept_draft(tenant: &TestTenant, id: PolicyId) {
    let submission = seal_draft(&tenant.author_cx().await, id).await.unwrap().submission;
    let review = review(ReviewVerdict::Accept);
    version::record(&tenant.admin_cx().await, id, 1, submission.id, review).await.unwrap();
}

/// Runs two operations concurrently and returns their results.
fn run_both<A: Send + 'static, B: Send + 'static>(
    one: impl Future<Output = Result<A>> + Send + 'static,
    two: impl Future<Output = Result<B>> + Send + 'static,
) -> impl Future<Output = (Result<A>, Result<B>)> {
    let (one, two) = (tokio::spawn(one), tokio::spawn(two));
    async { (one.await.unwrap(), two.await.unwrap()) }
}

async fn tenant_in_two_processes() -> (TestEnv, TestTenant, TestTenant) {
    let (env, tenant) = test_tenant().await;
    let other_process = tenant.in_process(&env.another_process(2).await);
    (env, tenant, other_process)
}

/// The number of races between a correction and an autosave, over all tenants.
const RACES: u32 = 1_000;

/// The number of tenants that run races at the same time, so that a thousand races take seconds.
const TENANTS: u32 = 4;

#[testkit::test(flavor = "multi_thread", worker_threads = 4)]
async fn exactly_one_of_superseding_and_an_autosave_succeeds_in_a_thousand_races(env: TestEnv) {
    let process = env.another_process(2).await;
    let mut tasks = JoinSet::new();
    let mut tenant_ids = Vec::new();
    for number in 0..TENANTS {
        let tenant = env.tenant(&format!("acme-{number}")).await;
        let other_process = tenant.in_process(&process);
        tenant_ids.push(tenant.tenant);
        tasks.spawn(async move {
            let mut wins = [0, 0];
            for round in 0..RACES / TENANTS {
                wins[race_autosave_and_supersede(&tenant, &other_process, round).await] += 1;
            }
            wins
        });
    }
    let wins = tasks.join_all().await;
    let wins = wins.into_iter().fold([0, 0], |sum, wins| [sum[0] + wins[0], sum[1] + wins[1]]);
    assert_eq!(wins[0] + wins[1], RACES);
    assert!(wins[0] > 0 && wins[1] > 0, "both orders occurred: {wins:?}");
    for tenant_id in tenant_ids {
        log::verified_entries(&env, tenant_id).await;
    }
}

/// Runs both on a new draft. Returns 0 if the autosave succeeded and 1 if the correction did.
async fn race_autosave_and_supersede(
    tenant: &TestTenant,
    other_process: &TestTenant,
    round: u32,
) -> usize {
    let id = create_draft(tenant, round).await;
    let before = version::read(&tenant.key_cx().await, id, 1).await.unwrap();
    let (author, admin) = (tenant.author_cx().await, other_process.admin_cx().await);
    let save = async move { version::edit(&author, id, 1, edit(1, "autosave")).await };
    let supersede = async move { supersede_draft(&admin, id).await };
    // The operation that is spawned first has an advantage.
    let (save_result, supersede_result) = if round.is_multiple_of(2) {
        run_both(save, supersede).await
    } else {
        let (supersede_result, save_result) = run_both(supersede, save).await;
        (save_result, supersede_result)
    };
    let first = version::read(&tenant.key_cx().await, id, 1).await.unwrap();
    match (save_result, supersede_result) {
        (Ok(saved), supersede_result) => {
            assert_eq!(result_summary(&supersede_result), STALE);
            assert_eq!(first, saved);
            0
        }
        (save_result, Ok(superseded)) => {
            assert_eq!(result_summary(&save_result), NOT_DRAFT);
            assert_eq!((&first.rules, first.draft_revision), (&before.rules, 1));
            assert_eq!(first.change_reason, before.change_reason);
            assert_eq!(first.superseded_by_version, Some(superseded.draft.version));
            1
        }
        (save_result, supersede_result) => {
            panic!("{} and {}", result_summary(&save_result), result_summary(&supersede_result))
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn exactly_one_of_concurrent_corrections_becomes_the_successor() {
    let (env, tenant, _) = tenant_in_two_processes().await;
    let id = create_draft(&tenant, 0).await;
    let results = run_concurrently((0..12).map(|_| {
        let tenant = tenant.clone();
        async move { supersede_draft(&tenant.author_cx().await, id).await }
    }))
    .await;
    assert_eq!(count_results(&results), expected_counts([(NOT_DRAFT, 11), ("done", 1)]));
    assert_eq!(env.count("select count(*) from policy_versions").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_seals_create_one_submission() {
    let (env, tenant, other_process) = tenant_in_two_processes().await;
    let id = create_draft(&tenant, 0).await;
    let results = run_concurrently((0..12).map(|number| {
        let tenant = if number % 2 == 0 { tenant.clone() } else { other_process.clone() };
        async move { seal_draft(&tenant.author_cx().await, id).await.unwrap() }
    }))
    .await;
    assert_eq!(results.iter().filter(|result| result.is_new).count(), 1);
    assert!(results.iter().all(|result| result.submission == results[0].submission));
    assert_eq!(env.count("select count(*) from review_submissions").await, 1);
    log::verified_entries(&env, tenant.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn exactly_one_of_deleting_and_sealing_succeeds() {
    let (env, tenant, other_process) = tenant_in_two_processes().await;
    for round in 0..20 {
        let id = create_draft(&tenant, round).await;
        let (author, admin) = (tenant.author_cx().await, other_process.admin_cx().await);
        let delete = async move { version::delete(&author, id, 1).await };
        let seal = async move { seal_draft(&admin, id).await };
        let (delete_result, seal_result) = run_both(delete, seal).await;
        let results = [result_summary(&delete_result), result_summary(&seal_result)];
        let was_sealed = "409 INVALID_TRANSITION (VERSION_WAS_SEALED)";
        assert!(
            results == ["done", "404 NOT_FOUND"] || results == [was_sealed, "done"],
            "{results:?}"
        );
    }
    let orphans = "select count(*) from review_submissions s where not exists \
                   (select from policy_versions v where v.id = s.policy_version_id)";
    assert_eq!(env.count(orphans).await, 0);
    log::verified_entries(&env, tenant.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn exactly_one_of_ratifying_and_editing_an_accepted_draft_succeeds() {
    let (env, tenant, other_process) = tenant_in_two_processes().await;
    for round in 0..20 {
        let id = create_draft(&tenant, round).await;
        accept_draft(&tenant, id).await;
        let (author, admin) = (tenant.author_cx().await, other_process.admin_cx().await);
        let save = async move { version::edit(&author, id, 1, edit(1, "autosave")).await };
        let ratify = async move { version::ratify(&admin, id, 1, ratification(1)).await };
        let (save_result, ratify_result) = run_both(save, ratify).await;
        let results = [result_summary(&save_result), result_summary(&ratify_result)];
        assert!(results == ["done", STALE] || results == [NOT_DRAFT, "done"], "{results:?}");
    }
    log::verified_entries(&env, tenant.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn exactly_one_of_setting_aside_and_activating_succeeds() {
    let (env, tenant, other_process) = tenant_in_two_processes().await;
    for round in 0..20 {
        let id = create_draft(&tenant, round).await;
        tenant.ratify(id, 1).await;
        let author = tenant.author_cx().await;
        let close = async move { version::set_aside(&author, id, 1, reason()).await };
        let other_process = other_process.clone();
        let activate = async move { other_process.activate(id, 1).await };
        let (close_result, activate_result) = run_both(close, activate).await;
        let results = [result_summary(&close_result), result_summary(&activate_result)];
        let not_ratified = "409 INVALID_TRANSITION (VERSION_NOT_RATIFIED)";
        let was_active = "409 INVALID_TRANSITION (VERSION_WAS_ACTIVE)";
        assert!(
            results == ["done", not_ratified] || results == [was_active, "done"],
            "{results:?}"
        );
    }
    log::verified_entries(&env, tenant.tenant).await;
}
