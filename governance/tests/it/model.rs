//! The state machine of versions: random actions of two people, compared with a small pure model.
//!
//! Each person has two sessions in different processes and a key, and issues capabilities for a
//! version to programs. A quarter of the steps are two concurrent actions. Their results must be
//! those of one of the two sequential orders.

mod action;
mod coverage;
mod pure;
mod simulation;
mod state;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use contract::{
    api_key::ApiKeyDraft,
    id::{TenantId, UserId},
};
use governance::access::api_key;
use tokio::task::JoinSet;

use self::{
    coverage::RESULTS,
    state::{Credential, Identity},
};
use crate::prelude::*;

/// The minimum number of actions, over all tenants.
const STEPS: u32 = 20_000;

/// The maximum number of actions, over all tenants, if some results have not occurred.
const STEPS_MAX: u32 = 4 * STEPS;

/// The number of tenants that run at the same time, each with its own model.
const TENANTS: u32 = 4;

/// The number of times that each action had each result.
type ResultCounts = BTreeMap<(String, String), u32>;

/// A person with a session, a key or the key of a program.
#[derive(Clone)]
struct Actor {
    identity: Identity,
    cx: Cx,
}

/// A tenant with two people, each with two sessions and a key.
struct Participants {
    tenant: TestTenant,
    tenant_id: TenantId,
    people: [UserId; 2],
    actors: Vec<Actor>,
}

async fn create_participants(env: &TestEnv, number: u32) -> Participants {
    let tenant = env.tenant(&format!("acme-{number}")).await;
    let other = tenant.create_member(&format!("second@acme-{number}.example"), Role::Admin).await;
    let people = [tenant.admin, other];
    let other_process = tenant.in_process(&env.another_process(u64::from(number) + 100).await);
    let mut actors = Vec::new();
    for (person, user) in people.into_iter().enumerate() {
        for process in [&tenant, &other_process] {
            let identity = Identity { person, credential: Credential::Session };
            actors.push(Actor { identity, cx: process.user_cx(user).await });
        }
        let scopes = vec![Scope::PoliciesRead, Scope::PoliciesWrite];
        let draft = ApiKeyDraft { name: "a program".to_owned(), scopes, expires_at: None };
        let key = api_key::create(&tenant.user_cx(user).await, draft).await.unwrap().plaintext_key;
        let identity = Identity { person, credential: Credential::Key };
        actors.push(Actor { identity, cx: tenant.cx_with_key(&key).await });
    }
    Participants { tenant_id: tenant.tenant, tenant, people, actors }
}

#[testkit::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_state_machine_of_versions_matches_its_model(env: TestEnv) {
    let mut tenants = JoinSet::new();
    let counts = Arc::new(Mutex::new(ResultCounts::new()));
    for number in 0..TENANTS {
        let participants = create_participants(&env, number).await;
        let database = env.superuser.clone();
        tenants.spawn(simulation::run(
            participants,
            database,
            u64::from(number),
            Arc::clone(&counts),
        ));
    }
    tenants.join_all().await;
    let counts = counts.lock().unwrap();
    assert!(counts.values().sum::<u32>() >= STEPS);
    // Every possible result occurred, so that no transition remains untested.
    let missing = missing_results(&counts);
    assert!(missing.is_empty(), "did not occur: {missing:?}");
}

/// Returns the possible results that have not occurred, each after its action.
fn missing_results(counts: &ResultCounts) -> Vec<(&'static str, &'static str)> {
    let occurred: BTreeSet<(&str, &str)> =
        counts.keys().map(|(action, result)| (&**action, &**result)).collect();
    let actions = RESULTS.lines().filter_map(|line| line.split_once(": "));
    let possible = actions
        .flat_map(|(action, results)| results.split(" | ").map(move |result| (action, result)));
    possible.filter(|result| !occurred.contains(result)).collect()
}
