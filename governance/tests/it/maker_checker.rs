//! Whoever had a part in making a version does not ratify it. People are compared, not sessions or
//! keys.

use contract::{
    id::{PolicyId, UserId},
    json::Value,
    policy::{PolicyVersion, SealRequest},
    scope::{Role, Scope},
    settings::SettingsPatch,
};
use governance::{
    Cx, Result,
    authoring::{
        policy::{
            self,
            rule_input::{NewPolicy, NewVersion},
            version,
        },
        settings,
    },
};

use crate::fixtures::{
    TestEnv, TestTenant, body, edit, limit, object, ratification, said, spending, world,
};

const REFUSED: &str = "403 MAKER_CHECKER_VIOLATION";

async fn created(by: &Cx) -> PolicyId {
    policy::create(by, body::<NewPolicy>(&spending("PAY", 1))).await.unwrap().policy.id
}

async fn submitted(by: &Cx, id: PolicyId) {
    version::submit(by, id, 1).await.unwrap();
}

/// The attempt to ratify version 1 as it now stands.
async fn ratify(house: &TestTenant, by: UserId, id: PolicyId) -> Result<PolicyVersion> {
    let cx = house.by(by).await;
    let read = version::read(&cx, id, 1).await.unwrap().draft_revision;
    version::ratify(&cx, id, 1, ratification(read)).await
}

/// A tenant with two people who may ratify, beside the admin.
async fn staffed() -> (TestEnv, TestTenant, [UserId; 2]) {
    let world = world().await;
    let house = world.tenant("house").await;
    let one = house.person("one@house.example", Role::Ratifier).await;
    let two = house.person("two@house.example", Role::Ratifier).await;
    (world, house, [one, two])
}

#[tokio::test]
async fn whoever_created_it_does_not_ratify_it() {
    let (_world, house, [one, two]) = staffed().await;
    let id = created(&house.by(one).await).await;
    submitted(&house.by(two).await, id).await;
    assert_eq!(said(&ratify(&house, one, id).await), REFUSED);
    assert_eq!(said(&ratify(&house, house.admin, id).await), "done");
}

#[tokio::test]
async fn whoever_submitted_it_does_not_ratify_it() {
    let (_world, house, [one, two]) = staffed().await;
    let id = created(&house.by_author().await).await;
    submitted(&house.by(one).await, id).await;
    assert_eq!(said(&ratify(&house, one, id).await), REFUSED);
    assert_eq!(said(&ratify(&house, two, id).await), "done");
}

#[tokio::test]
async fn whoever_edited_it_does_not_ratify_it() {
    let (_world, house, [one, two]) = staffed().await;
    let id = created(&house.by_author().await).await;
    version::edit(&house.by(one).await, id, 1, edit(1, "x")).await.unwrap();
    version::edit(&house.by_author().await, id, 1, edit(2, "y")).await.unwrap();
    submitted(&house.by_author().await, id).await;
    assert_eq!(said(&ratify(&house, one, id).await), REFUSED);
    assert_eq!(said(&ratify(&house, two, id).await), "done");
}

#[tokio::test]
async fn a_part_in_making_it_is_not_forgotten_when_it_is_recalled_or_rejected() {
    let (_world, house, [one, two]) = staffed().await;
    let id = created(&house.by_author().await).await;
    submitted(&house.by(one).await, id).await;
    version::recall(&house.by_author().await, id, 1).await.unwrap();
    submitted(&house.by_author().await, id).await;
    let because = body(&object([("reason", "because".into())]));
    version::reject(&house.by(two).await, id, 1, because).await.unwrap();
    submitted(&house.by_author().await, id).await;
    assert_eq!(said(&ratify(&house, one, id).await), REFUSED, "submitted it once");
    assert_eq!(said(&ratify(&house, two, id).await), "done", "judging is no part in making");
}

#[tokio::test]
async fn recalling_is_no_part_in_making() {
    let (_world, house, [one, _]) = staffed().await;
    let id = created(&house.by_author().await).await;
    submitted(&house.by_author().await, id).await;
    version::recall(&house.by(one).await, id, 1).await.unwrap();
    submitted(&house.by_author().await, id).await;
    assert_eq!(said(&ratify(&house, one, id).await), "done");
}

#[tokio::test]
async fn a_key_acts_for_its_owner() {
    let (world, house, [one, _]) = staffed().await;
    let id = created(&house.by_key().await).await;
    submitted(&house.by_author().await, id).await;
    assert_eq!(said(&ratify(&house, house.admin, id).await), REFUSED);
    let makers = world.texts("select unnest(makers)::text from policy_versions").await;
    let expected = [house.admin.to_string(), house.author.to_string()];
    assert_eq!(makers, expected, "the person behind the key, each once");
    assert_eq!(said(&ratify(&house, one, id).await), "done");
}

#[tokio::test]
async fn a_key_that_edits_or_submits_acts_for_its_owner_too() {
    let (_world, house, [one, _]) = staffed().await;
    let id = created(&house.by_author().await).await;
    version::edit(&house.by_key().await, id, 1, edit(1, "x")).await.unwrap();
    submitted(&house.by_author().await, id).await;
    assert_eq!(said(&ratify(&house, house.admin, id).await), REFUSED);
    version::recall(&house.by_author().await, id, 1).await.unwrap();
    submitted(&house.by_key().await, id).await;
    assert_eq!(said(&ratify(&house, house.admin, id).await), REFUSED);
    assert_eq!(said(&ratify(&house, one, id).await), "done");
}

#[tokio::test]
async fn nobody_ratifies_what_a_key_without_an_owner_had_a_part_in() {
    let (world, house, [one, _]) = staffed().await;
    let key = house.key_with(&[Scope::PoliciesWrite]).await;
    // As the command line made keys before owners were required.
    world
        .execute_as_superuser("update key_digests set owner = null where key_name = 'program'")
        .await;
    let id = created(&house.with_key(&key).await).await;
    submitted(&house.with_key(&key).await, id).await;
    assert_eq!(world.texts("select unnest(makers)::text from policy_versions").await, [""; 0]);
    let unknown = "403 MAKER_CHECKER_VIOLATION (MAKER_UNKNOWN)";
    assert_eq!(said(&ratify(&house, house.admin, id).await), unknown);
    // A known maker besides makes no difference; each act of such a key counts.
    for act in ["create", "edit", "submit", "seal"] {
        let orphan = house.with_key(&key).await;
        let new = body::<NewPolicy>(&spending(&act.to_uppercase(), 1));
        let maker = if act == "create" { &orphan } else { &house.by_author().await };
        let id = policy::create(maker, new).await.unwrap().policy.id;
        let mut read = 1;
        match act {
            "edit" => {
                version::edit(&orphan, id, 1, edit(1, "x")).await.unwrap();
                read = 2;
            }
            "seal" => drop(version::seal(&orphan, id, 1, SealRequest::default()).await.unwrap()),
            _ => {}
        }
        let by = if act == "submit" { &orphan } else { &house.by_author().await };
        version::submit(by, id, 1).await.unwrap();
        let cx = house.by(one).await;
        let ratified = version::ratify(&cx, id, 1, ratification(read)).await;
        assert_eq!(said(&ratified), unknown, "{act}");
    }
    // With maker-checker off, makers do not matter.
    let off = SettingsPatch { maker_checker_enabled: Some(false), ..SettingsPatch::default() };
    settings::change(&house.by_admin().await, off, None, None).await.unwrap();
    assert_eq!(said(&ratify(&house, house.admin, id).await), "done");
}

#[tokio::test]
async fn what_is_in_the_way_is_told_before_the_act() {
    let (world, house, [one, _]) = staffed().await;
    let id = created(&house.by_author().await).await;
    let told = async |person| {
        let prospects = version::action_availability(&house.by(person).await, id, 1).await.unwrap();
        let said = |refusal: Option<governance::Refusal>| {
            refusal.map_or_else(|| "done".to_owned(), |refusal| said::<()>(&Err(refusal.into())))
        };
        [said(prospects.ratify), said(prospects.activate)]
    };
    let not_ratified = "409 INVALID_TRANSITION (VERSION_NOT_RATIFIED)";
    let not_submitted = "409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)";
    assert_eq!(told(one).await, [not_submitted, not_ratified]);
    submitted(&house.by_admin().await, id).await;
    assert_eq!(told(house.admin).await, [REFUSED, not_ratified]);
    assert_eq!(told(one).await, ["done", not_ratified]);
    world.execute_as_superuser("update settings set review_required = true").await;
    assert_eq!(told(one).await, ["409 INVALID_TRANSITION (REVIEW_REQUIRED)", not_ratified]);
    assert_eq!(told(house.admin).await, [REFUSED, not_ratified], "no review will change that");
    world.execute_as_superuser("update settings set review_required = false").await;
    ratify(&house, one, id).await.unwrap();
    assert_eq!(told(house.admin).await, [not_submitted, "done"]);
    house.activated(id, 1).await.unwrap();
    let active = "409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE)";
    assert_eq!(told(one).await, [not_submitted, active]);
    let author = version::action_availability(&house.by_author().await, id, 1).await;
    assert_eq!(said(&author), "403 FORBIDDEN");
    assert_eq!(
        said(&version::action_availability(&house.by_key().await, id, 1).await),
        "403 HUMAN_REQUIRED"
    );
}

#[tokio::test]
async fn a_second_session_is_the_same_person() {
    let (world, house, [one, _]) = staffed().await;
    let id = created(&house.by(one).await).await;
    submitted(&house.by(one).await, id).await;
    world.governance.clock().advance(3_600_000);
    let elsewhere = house.in_process(&world.another_process(2).await);
    for session in [&house, &elsewhere] {
        assert_eq!(said(&ratify(session, one, id).await), REFUSED);
    }
}

#[tokio::test]
async fn each_version_has_makers_of_its_own() {
    let (_world, house, [one, two]) = staffed().await;
    let id = created(&house.by(one).await).await;
    submitted(&house.by(one).await, id).await;
    assert_eq!(said(&ratify(&house, two, id).await), "done");
    let rules = object([("rules", limit("LIMIT", 2)), ("based_on_version", 1.into())]);
    let by_two = house.by(two).await;
    version::create(&by_two, id, body::<NewVersion>(&rules)).await.unwrap();
    version::submit(&by_two, id, 2).await.unwrap();
    let again = version::ratify(&by_two, id, 2, ratification(1)).await;
    assert_eq!(said(&again), REFUSED);
    let other = version::ratify(&house.by(one).await, id, 2, ratification(1)).await;
    assert_eq!(said(&other), "done");
}

#[tokio::test]
async fn whoever_ratified_it_may_activate_it_and_so_may_its_maker() {
    let (_world, house, [one, two]) = staffed().await;
    let id = created(&house.by(one).await).await;
    submitted(&house.by(one).await, id).await;
    ratify(&house, two, id).await.unwrap();
    version::activate(&house.by(one).await, id, 1).await.unwrap();
    let over = body(&object([("reason", "over".into())]));
    policy::deactivate(&house.by(one).await, id, over, None).await.unwrap();
    version::activate(&house.by(two).await, id, 1).await.unwrap();
}

#[tokio::test]
async fn without_the_setting_one_person_may_do_it_all() {
    let (world, house, [one, _]) = staffed().await;
    let other = world.tenant("other").await;
    world
        .execute_as_superuser(&format!(
            "update settings set maker_checker_enabled = false where tenant_id = '{}'",
            house.tenant
        ))
        .await;
    let id = created(&house.by(one).await).await;
    submitted(&house.by(one).await, id).await;
    assert_eq!(said(&ratify(&house, one, id).await), "done");

    let id = created(&other.by_admin().await).await;
    submitted(&other.by_admin().await, id).await;
    assert_eq!(said(&ratify(&other, other.admin, id).await), REFUSED, "the setting is a tenant's");
}

#[tokio::test]
async fn where_a_review_is_asked_for_nothing_is_ratified_without_one() {
    let (world, house, [one, _]) = staffed().await;
    world.execute_as_superuser("update settings set review_required = true").await;
    let id = created(&house.by_author().await).await;
    submitted(&house.by_author().await, id).await;
    let refused = ratify(&house, one, id).await;
    assert_eq!(said(&refused), "409 INVALID_TRANSITION (REVIEW_REQUIRED)");
    let details = refused.unwrap_err().problem().details.unwrap();
    assert_eq!(details.get("requested").and_then(Value::as_str), Some("ratify"));
}
