//! The state machine of versions, by random acts of two people beside a small pure model of it.
//!
//! Each person has two sessions, in processes of their own, and a key, and grants programs some work on
//! a version. A quarter of the steps are two acts at once: they must end as they would one after the
//! other, in one order or the other.

mod act;
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
    scope::{Role, Scope},
};
use governance::{Cx, access::api_key};
use tokio::task::JoinSet;

use self::{
    coverage::ENDINGS,
    state::{By, Who},
};
use crate::fixtures::{TestEnv, TestTenant, world};

/// How many acts are made, over all tenants, before an ending may be missing.
const STEPS: u32 = 20_000;

/// How many acts are made at most, over all tenants, until every ending was met.
const STEPS_MAX: u32 = 4 * STEPS;

/// How many tenants act at the same time, each beside a model of its own.
const TENANTS: u32 = 4;

/// How often each act ended in which way.
type Endings = BTreeMap<(&'static str, String), u32>;

/// Who acts: one of two people, by a session, by a key, or by a program under a grant.
#[derive(Clone)]
struct Actor {
    who: Who,
    cx: Cx,
}

/// The people of a tenant, each with two sessions and a key, and where they stand in the model.
struct Cast {
    house: TestTenant,
    tenant: TenantId,
    people: [UserId; 2],
    actors: Vec<Actor>,
}

async fn cast(world: &TestEnv, number: u32) -> Cast {
    let house = world.tenant(&format!("house-{number}")).await;
    let other = house.person(&format!("second@house-{number}.example"), Role::Admin).await;
    let people = [house.admin, other];
    let elsewhere = house.in_process(&world.another_process(u64::from(number) + 100).await);
    let mut actors = Vec::new();
    for (person, user) in people.into_iter().enumerate() {
        for process in [&house, &elsewhere] {
            let who = Who { person, by: By::Session };
            actors.push(Actor { who, cx: process.by(user).await });
        }
        let scopes = vec![Scope::PoliciesRead, Scope::PoliciesWrite];
        let draft = ApiKeyDraft { name: "a program".to_owned(), scopes, expires_at: None };
        let key = api_key::create(&house.by(user).await, draft).await.unwrap().plaintext_key;
        let who = Who { person, by: By::Key };
        actors.push(Actor { who, cx: house.with_key(&key).await });
    }
    Cast { tenant: house.tenant, house, people, actors }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_people_cannot_get_past_the_rules_of_the_state_machine() {
    let world = world().await;
    let mut tenants = JoinSet::new();
    let endings = Arc::new(Mutex::new(Endings::new()));
    for number in 0..TENANTS {
        let cast = cast(&world, number).await;
        let database = world.superuser.clone();
        tenants.spawn(simulation::run(cast, database, u64::from(number), Arc::clone(&endings)));
    }
    tenants.join_all().await;
    let endings = endings.lock().unwrap();
    assert!(endings.values().sum::<u32>() >= STEPS);
    // Every way an act can end was met, so that nothing here passes for want of trying.
    let missed = missed(&endings);
    assert!(missed.is_empty(), "never met: {missed:?}");
}

/// The endings that no act has had so far.
fn missed(endings: &Endings) -> Vec<&'static str> {
    let met: BTreeSet<String> =
        endings.keys().map(|(act, ending)| format!("{act}: {ending}")).collect();
    ENDINGS.iter().copied().filter(|ending| !met.contains(*ending)).collect()
}
