//! Every change of state writes its event, in its own transaction, and nothing of a person into it.

use contract::{
    group::{GroupDraft, GroupPatch},
    id::PolicyId,
    json::Value,
    policy::{PolicyFilter, PolicyPatch},
    scope::{Role, Scope},
    session::SignInRequest,
};
use governance::{
    PageRequest,
    access::{
        operator,
        session::{self, Client},
    },
    authoring::{
        group,
        policy::{
            self, VersionSelector,
            rule_input::{NewPolicy, NewVersion},
            version,
        },
        settings,
    },
    deciding::decision,
};
use receipt::digest::Digest;

use crate::{
    connection_loss,
    fixtures::{
        TestEnv, TestTenant, body, edit, limit, object, payment, question, ratification, record,
        request, spending, value, with, world,
    },
    log,
};

/// Texts that name people, keys or things; none may stand in an event.
const NAMES: [&str; 9] =
    ["@", "example", "house", "bootstrap", "orphan", "Spending", "because", "noted", "LIMIT"];

/// What a tenant's log tells beyond what it told before.
async fn news(world: &TestEnv, house: &TestTenant, told: &mut usize) -> String {
    let entries = log::intact(world, house.tenant).await;
    let new: Vec<_> = entries[*told..]
        .iter()
        .map(|entry| format!("{} {} {}", entry.actor_type, entry.action, entry.object_type))
        .collect();
    *told = entries.len();
    new.join(", ")
}

#[tokio::test]
async fn every_change_of_state_writes_its_event_and_a_read_writes_none() {
    let world = world().await;
    let house = world.tenant("house").await;
    let mut told = 0;
    macro_rules! tells {
        ($act:expr, $news:literal) => {{
            let done = $act;
            assert_eq!(news(&world, &house, &mut told).await, $news, stringify!($act));
            done
        }};
    }

    tells!(
        (),
        "system tenant.create tenant, system user.create user, system api_key.create api_key, \
         system user.create user"
    );
    let ratifier = tells!(
        house.person("ratifier@house.example", Role::Ratifier).await,
        "system user.create user"
    );
    tells!(house.key_with(&[Scope::PoliciesRead]).await, "system api_key.create api_key");

    let bare = value(r#"{"code":"BARE","name":"Spending"}"#);
    let bare = body::<NewPolicy>(&bare);
    let bare = tells!(
        policy::create(&house.by_key().await, bare).await.unwrap().policy.id,
        "api_key policy.create policy"
    );
    let id = tells!(house.drafted(&spending("PAY", 100)).await, "human policy.create policy");
    tells!(
        house.next_draft(bare, &limit("LIMIT", 1)).await,
        "human policy_version.create policy_version"
    );
    tells!(
        version::edit(&house.by_key().await, id, 1, edit(1, "because")).await.unwrap(),
        "api_key policy_version.edit policy_version"
    );
    tells!(
        version::submit(&house.by_author().await, id, 1).await.unwrap(),
        "human policy_version.submit policy_version"
    );
    tells!(
        version::recall(&house.by_author().await, id, 1).await.unwrap(),
        "human policy_version.recall policy_version"
    );
    tells!(
        version::submit(&house.by_author().await, id, 1).await.unwrap(),
        "human policy_version.submit policy_version"
    );
    let because = || body(&object([("reason", "because".into())]));
    tells!(
        version::reject(&house.by(ratifier).await, id, 1, because()).await.unwrap(),
        "human policy_version.reject policy_version"
    );
    tells!(
        version::submit(&house.by_author().await, id, 1).await.unwrap(),
        "human policy_version.submit policy_version"
    );
    let noted = contract::policy::Ratification { note: Some("noted".into()), ..ratification(2) };
    tells!(
        version::ratify(&house.by(ratifier).await, id, 1, noted).await.unwrap(),
        "human policy_version.ratify policy_version"
    );
    tells!(house.activated(id, 1).await.unwrap(), "human policy_version.activate policy_version");

    tells!(house.evaluate(&question(payment(1))).await.unwrap(), "");
    let paid = tells!(
        house.record(&request("k", payment(1))).await.unwrap().id,
        "api_key snapshot.append policy_snapshot, api_key decision.record decision"
    );
    tells!(
        record(&house.by_author().await, &request("l", payment(1))).await.unwrap(),
        "human decision.record decision"
    );
    tells!(house.record(&request("k", payment(1))).await.unwrap(), "");

    tells!(reads(&house, id, paid).await, "");
    tells!(
        policy::deactivate(&house.by_admin().await, id, because(), None).await.unwrap(),
        "human policy.deactivate policy"
    );
    tells!(house.activated(id, 1).await.unwrap(), "human policy_version.activate policy_version");
    groups_and_what_goes(&world, &house, &mut told).await;

    // A child is another tenant, with a log of its own.
    let child = tells!(
        operator::create_tenant(&world.governance, "child", Some(house.tenant)).await.unwrap(),
        ""
    );
    let born = log::intact(&world, child.tenant_id).await;
    assert_eq!(born.iter().map(|e| &*e.action).collect::<Vec<_>>(), ["tenant.create"]);

    for entry in log::entries(&world, house.tenant).await {
        let event = with(&value(&entry.event), "action", "");
        let event = with(&with(&event, "object", ""), "actor", "").to_canonical();
        let named: Vec<_> = NAMES.iter().filter(|name| event.contains(**name)).collect();
        assert!(named.is_empty(), "{named:?} in {}", entry.event);
    }
}

/// Groups, and policies and drafts that are changed or deleted.
async fn groups_and_what_goes(world: &TestEnv, house: &TestTenant, told: &mut usize) {
    macro_rules! tells {
        ($act:expr, $news:literal) => {{
            let done = $act;
            assert_eq!(news(world, house, told).await, $news, stringify!($act));
            done
        }};
    }
    let cx = house.by_key().await;
    let drafted = tells!(house.drafted(&spending("GONE", 1)).await, "human policy.create policy");
    let draft = value(r#"{"code":"G","name":"Spending","description":"because"}"#);
    let made = tells!(
        group::create(&cx, body::<GroupDraft>(&draft)).await.unwrap().id,
        "api_key policy_group.create policy_group"
    );
    let into = |group: Value| body::<PolicyPatch>(&object([("policy_group_id", group)]));
    let renamed = || body::<GroupPatch>(&object([("name", "Another house".into())]));
    tells!(
        group::edit(&cx, made, renamed(), None).await.unwrap(),
        "api_key policy_group.edit policy_group"
    );
    tells!(group::edit(&cx, made, renamed(), None).await.unwrap(), "");
    tells!(
        policy::edit(&cx, drafted, into(made.to_string().into()), None).await.unwrap(),
        "api_key policy.edit policy"
    );
    tells!(policy::edit(&cx, drafted, into(made.to_string().into()), None).await.unwrap(), "");
    tells!(group::delete(&cx, made, None).await.unwrap_err(), "");
    tells!(
        policy::edit(&cx, drafted, into(Value::Null), None).await.unwrap(),
        "api_key policy.edit policy"
    );
    tells!(
        group::delete(&cx, made, None).await.unwrap(),
        "api_key policy_group.delete policy_group"
    );
    tells!(
        version::delete(&cx, drafted, 1).await.unwrap(),
        "api_key policy_version.delete policy_version"
    );
    tells!(policy::delete(&cx, drafted).await.unwrap(), "api_key policy.delete policy");
}

/// Everything that only reads.
async fn reads(house: &TestTenant, id: PolicyId, paid: contract::id::DecisionId) {
    let page = PageRequest::default();
    let cx = house.by_key().await;
    policy::list(&cx, PolicyFilter::default(), &page).await.unwrap();
    policy::read(&cx, id, Some(VersionSelector::Active)).await.unwrap();
    version::list(&cx, id, &page).await.unwrap();
    version::all(&cx, id).await.unwrap();
    version::read(&cx, id, 1).await.unwrap();
    version::diff(&cx, id, 1, None).await.unwrap();
    version::action_availability(&house.by_admin().await, id, 1).await.unwrap();
    group::list(&cx, &page).await.unwrap();
    decision::list(&cx, contract::decision::DecisionFilter::default(), &page).await.unwrap();
    decision::read(&cx, paid).await.unwrap();
    settings::read(&cx).await.unwrap();
    governance::access::member::names(&cx).await.unwrap();
    let governance = &house.governance;
    decision::receipt(&governance.public(governance.correlation_id()), paid).await.unwrap();
    governance.ready().await.unwrap();
    let log_in = SignInRequest {
        email: "ADMIN@house.example ".to_owned(),
        password: "a long pass phrase".to_owned(),
    };
    let signed_in = session::log_in(governance, &Client::default(), log_in).await;
    session::session_info(governance, &signed_in.unwrap()).await.unwrap();
}

#[tokio::test]
async fn an_event_says_who_did_what_to_which_thing() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.active_policy(&spending("PAY", 100)).await;
    let paid = house.record(&request("k", payment(500))).await.unwrap();
    let log = log::intact(&world, house.tenant).await;
    let only = |action: &str| {
        let mut of = log.iter().filter(|entry| entry.action == action);
        let one = of.next().expect(action);
        assert!(of.next().is_none(), "{action}");
        one
    };
    let version = version::read(&house.by_key().await, id, 1).await.unwrap();

    let ratified = only("policy_version.ratify");
    assert_eq!(
        (&*ratified.actor_type, ratified.actor_id.clone()),
        ("human", house.admin.to_string())
    );
    assert_eq!(ratified.object_id, version.id.to_string());
    assert_eq!(ratified.detail("policy_id"), Some(id.to_string().into()));
    assert_eq!(ratified.detail("rules_digest"), Some(version.rules_digest.as_str().into()));
    assert_eq!(ratified.detail("draft_revision"), Some(1.into()));
    let personal = value(ratified.personal.as_ref().unwrap());
    assert_eq!(
        personal.get("data"),
        Some(&object([("email", "admin@house.example".into())])),
        "whose address may be erased with the side row"
    );

    let recorded = only("decision.record");
    assert_eq!(
        (&*recorded.actor_type, recorded.actor_id.clone()),
        ("api_key", house.key_id.to_string())
    );
    assert_eq!(recorded.object_id, paid.id.to_string());
    assert_eq!(recorded.detail("decision"), Some("DENY".into()));
    let statement = world.texts("select statement from decisions").await.concat();
    let bound = Digest::compute(statement.as_bytes()).to_string();
    assert_eq!(recorded.detail("receipt_digest"), Some(bound.into()), "the log binds the receipt");
}

#[tokio::test]
async fn salts_differ_so_equal_names_cannot_be_told_from_their_digests() {
    let world = world().await;
    let house = world.tenant("house").await;
    for code in ["A", "B", "C"] {
        house.drafted(&spending(code, 1)).await;
    }
    let log = log::intact(&world, house.tenant).await;
    let mut digests: Vec<_> = log
        .iter()
        .filter_map(|entry| value(&entry.event).get("personal_digest").cloned())
        .map(|digest| digest.to_canonical())
        .collect();
    assert_eq!(digests.len(), 3);
    digests.dedup();
    assert_eq!(digests.len(), 3);
}

#[tokio::test]
async fn a_log_whose_side_rows_were_erased_is_intact() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.drafted(&spending("PAY", 1)).await;
    world.execute_as_superuser("delete from audit_personal").await;
    for entry in log::entries(&world, house.tenant).await {
        let canonical =
            receipt::canonical_json::CanonicalJson::parse(entry.event.as_bytes()).unwrap();
        assert_eq!(value(&canonical.text).get("seq"), Some(&Value::from(entry.seq)));
    }
}

#[tokio::test]
async fn an_act_that_is_cut_off_is_done_with_its_event_or_not_at_all() {
    const WHOLE: &str = "select (select count(*) from decisions) \
         || ' ' || (select count(*) from public_ids) \
         || ' ' || (select count(*) from audit_events where action = 'decision.record') \
         || ' ' || (select count(*) from policies) \
         || ' ' || (select count(*) from policy_versions) \
         || ' ' || (select count(*) from audit_events where action = 'policy.create')";
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    house.evaluate(&question(payment(1))).await.unwrap();
    let mut finished = 0;
    for polls in 0..40 {
        let cx = house.by_key().await;
        let asked = request(&format!("k{polls}"), payment(1));
        finished += usize::from(connection_loss::after(polls, record(&cx, &asked)).await.is_some());
        let draft = body::<NewPolicy>(&spending(&format!("PAY-{polls}"), 1));
        finished +=
            usize::from(connection_loss::after(polls, policy::create(&cx, draft)).await.is_some());
        let counts = world.texts(WHOLE).await.concat();
        let counts: Vec<_> = counts.split(' ').collect();
        let [decisions, ids, recorded, policies, versions, created] = counts[..] else { panic!() };
        assert_eq!((decisions, policies), (recorded, created), "after {polls} polls");
        assert_eq!((ids, versions), (decisions, policies), "after {polls} polls");
        // What is acknowledged next is there for everybody, whatever was left on its connection.
        let next = house.record(&request(&format!("next-{polls}"), payment(1))).await.unwrap();
        let stored = format!("select count(*) from decisions where id = '{}'", next.id);
        assert_eq!(world.count(&stored).await, 1, "after {polls} polls");
    }
    assert!((2..80).contains(&finished), "some were cut off, some not: {finished} of 80");
    log::intact(&world, house.tenant).await;
    // Whatever became of them, each can be asked for again.
    for polls in 0..40 {
        let asked = request(&format!("k{polls}"), payment(1));
        house.record(&asked).await.unwrap();
    }
    assert_eq!(world.count("select count(*) from decisions").await, 80);
}

#[tokio::test]
async fn a_draft_that_is_opened_and_a_policy_with_one_are_told_apart() {
    let world = world().await;
    let house = world.tenant("house").await;
    let bare = value(r#"{"code":"BARE","name":"Bare"}"#);
    let bare = policy::create(&house.by_author().await, body::<NewPolicy>(&bare)).await.unwrap();
    assert_eq!((bare.policy.latest_version, bare.version), (0, None));
    let rules = object([("rules", limit("LIMIT", 1)), ("change_reason", "because".into())]);
    let (author, rules) = (house.by_author().await, body::<NewVersion>(&rules));
    assert_eq!(version::create(&author, bare.policy.id, rules).await.unwrap().version, 1);
    house.drafted(&spending("PAY", 1)).await;
    let log = log::intact(&world, house.tenant).await;
    let drafts: Vec<_> = log
        .iter()
        .filter(|entry| entry.action == "policy.create")
        .map(|entry| entry.detail("draft"))
        .collect();
    assert_eq!(drafts, [Some(false.into()), Some(true.into())]);
}
