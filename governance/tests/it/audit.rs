//! Audit events: each state change writes its event in the same transaction, without personal data.

use contract::{
    group::{GroupDraft, GroupPatch},
    policy::{PolicyFilter, Ratification},
    session::SignInRequest,
};
use governance::{
    PageRequest,
    access::{
        session::{self, Client, SignIn},
        sign_in,
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

use crate::{connection_loss, log, prelude::*};

/// Parts of the names of users, keys and objects. Events must not contain them.
const NAME_PARTS: [&str; 9] =
    ["@", "example", "acme", "bootstrap", "orphan", "Spending", "outdated rules", "noted", "LIMIT"];

#[tokio::test]
async fn reads_write_no_event_and_events_contain_no_personal_data() {
    let (env, tenant) = test_tenant().await;
    let (key, author, admin) =
        (tenant.key_cx().await, tenant.author_cx().await, tenant.admin_cx().await);
    let id = tenant.create_policy(&spending("PAY", 100)).await;
    version::edit(&author, id, 1, edit(1, "outdated rules")).await.unwrap();
    version::submit(&author, id, 1).await.unwrap();
    version::reject(&admin, id, 1, reason()).await.unwrap();
    version::submit(&author, id, 1).await.unwrap();
    let with_note = Ratification { note: Some("noted".into()), ..ratification(2) };
    version::ratify(&admin, id, 1, with_note).await.unwrap();
    tenant.activate(id, 1).await.unwrap();
    let decision_id = tenant.record(&request("k", payment(1))).await.unwrap().id;
    let draft = value(r#"{"code":"G","name":"Spending","description":"outdated rules"}"#);
    let group_id = group::create(&key, body::<GroupDraft>(&draft)).await.unwrap().id;
    let new_name = body::<GroupPatch>(&object([("name", "Another group of acme".into())]));
    group::edit(&key, group_id, new_name, None).await.unwrap();
    policy::deactivate(&admin, id, reason(), None).await.unwrap();
    tenant.activate(id, 1).await.unwrap();

    let events = log::verified_entries(&env, tenant.tenant).await;
    call_reads(&tenant, id, decision_id).await;
    assert_eq!(log::verified_entries(&env, tenant.tenant).await.len(), events.len());
    for entry in events {
        let event = with(&value(&entry.event), "action", "");
        let event = with(&with(&event, "object", ""), "actor", "").to_canonical();
        let names: Vec<_> = NAME_PARTS.iter().filter(|part| event.contains(**part)).collect();
        assert!(names.is_empty(), "{names:?} in {}", entry.event);
    }
}

/// Calls each use case that only reads.
async fn call_reads(tenant: &TestTenant, id: PolicyId, decision_id: contract::id::DecisionId) {
    let page = PageRequest::default();
    let cx = tenant.key_cx().await;
    policy::list(&cx, PolicyFilter::default(), &page).await.unwrap();
    policy::read(&cx, id, Some(VersionSelector::Active)).await.unwrap();
    version::list(&cx, id, &page).await.unwrap();
    version::all(&cx, id).await.unwrap();
    version::read(&cx, id, 1).await.unwrap();
    version::diff(&cx, id, 1, None).await.unwrap();
    version::details(&tenant.admin_cx().await, id, 1).await.unwrap();
    version::history(&cx, id).await.unwrap();
    group::list(&cx, &page).await.unwrap();
    decision::list(&cx, contract::decision::DecisionFilter::default(), &page).await.unwrap();
    decision::read(&cx, decision_id).await.unwrap();
    settings::read(&cx).await.unwrap();
    governance::access::member::names(&cx).await.unwrap();
    let governance = &tenant.governance;
    decision::receipt(&governance.public(governance.correlation_id()), decision_id).await.unwrap();
    governance.ready().await.unwrap();
    let sign_in = SignInRequest {
        email: "ADMIN@acme.example ".to_owned(),
        password: "a long pass phrase".to_owned(),
    };
    let signed_in = sign_in::sign_in(governance, &Client::default(), sign_in).await.unwrap();
    let SignIn::Complete(signed_in) = signed_in else { panic!("{signed_in:?}") };
    session::session_info(governance, &signed_in).await.unwrap();
}

#[tokio::test]
async fn an_event_names_its_actor_action_and_object() {
    let (env, tenant) = test_tenant().await;
    let id = tenant.active_policy(&spending("PAY", 100)).await;
    let decision = tenant.record(&request("k", payment(500))).await.unwrap();
    let log = log::verified_entries(&env, tenant.tenant).await;
    let only_event = |action: &str| {
        let mut matches = log.iter().filter(|entry| entry.action == action);
        let entry = matches.next().expect(action);
        assert!(matches.next().is_none(), "{action}");
        entry
    };
    let version = version::read(&tenant.key_cx().await, id, 1).await.unwrap();

    let ratify_event = only_event("policy_version.ratify");
    assert_eq!(
        (&*ratify_event.actor_type, ratify_event.actor_id.clone()),
        ("human", tenant.admin.to_string())
    );
    assert_eq!(ratify_event.object_id, version.id.to_string());
    assert_eq!(ratify_event.detail("policy_id"), Some(id.to_string().into()));
    assert_eq!(ratify_event.detail("rules_digest"), Some(version.rules_digest.as_str().into()));
    assert_eq!(ratify_event.detail("draft_revision"), Some(1.into()));
    let personal = value(ratify_event.personal.as_ref().unwrap());
    let data = |name: &str| personal.get("data").and_then(|data| data.get(name));
    assert_eq!(
        data("email"),
        Some(&"admin@acme.example".into()),
        "the address is in the row that can be erased"
    );
    assert!(data("correlation_id").is_some_and(|id| id.as_str().is_some()));

    let record_event = only_event("decision.record");
    assert_eq!(
        (&*record_event.actor_type, record_event.actor_id.clone()),
        ("api_key", tenant.key_id.to_string())
    );
    assert_eq!(record_event.object_id, decision.id.to_string());
    assert_eq!(record_event.detail("decision"), Some("DENY".into()));
    env.decompress_decisions().await;
    let statement = env.texts("select decision_text(texts, 4) from decisions").await.concat();
    let receipt_digest = Digest::compute(statement.as_bytes()).to_string();
    assert_eq!(record_event.detail("receipt_digest"), Some(receipt_digest.into()));
}

#[tokio::test]
async fn digests_of_equal_personal_data_differ_because_of_their_salts() {
    let (env, tenant) = test_tenant().await;
    for code in ["A", "B", "C"] {
        tenant.create_policy(&spending(code, 1)).await;
    }
    let log = log::verified_entries(&env, tenant.tenant).await;
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
async fn erasing_personal_rows_leaves_the_events_canonical() {
    let (env, tenant) = test_tenant().await;
    tenant.create_policy(&spending("PAY", 1)).await;
    env.execute_as_superuser("delete from audit_personal").await;
    for entry in log::entries(&env, tenant.tenant).await {
        let canonical =
            receipt::canonical_json::CanonicalJson::parse(entry.event.as_bytes()).unwrap();
        assert_eq!(value(&canonical.text).get("seq"), Some(&Value::from(entry.seq)));
    }
}

#[tokio::test]
async fn a_dropped_request_commits_both_its_change_and_its_event_or_neither() {
    const COUNTS: &str = "select (select count(*) from decisions) \
         || ' ' || (select count(*) from public_ids) \
         || ' ' || (select count(*) from audit_events where action = 'decision.record') \
         || ' ' || (select count(*) from policies) \
         || ' ' || (select count(*) from policy_versions) \
         || ' ' || (select count(*) from audit_events where action = 'policy.create')";
    let (env, tenant) = test_tenant_with_policy().await;
    tenant.evaluate(&evaluate_request(payment(1))).await.unwrap();
    let mut finished = 0;
    for polls in 0..40 {
        let cx = tenant.key_cx().await;
        let record_request = request(&format!("k{polls}"), payment(1));
        finished += usize::from(
            connection_loss::cancel_after_polls(polls, record(&cx, &record_request))
                .await
                .is_some(),
        );
        let draft = body::<NewPolicy>(&spending(&format!("PAY-{polls}"), 1));
        finished += usize::from(
            connection_loss::cancel_after_polls(polls, policy::create(&cx, draft)).await.is_some(),
        );
        let counts = env.texts(COUNTS).await.concat();
        let counts: Vec<_> = counts.split(' ').collect();
        let [decisions, ids, record_events, policies, versions, create_events] = counts[..] else {
            panic!()
        };
        assert_eq!((decisions, policies), (record_events, create_events), "after {polls} polls");
        assert_eq!((ids, versions), (decisions, policies), "after {polls} polls");
        // The next record is committed: a dropped request leaves no transaction on its connection.
        let next = tenant.record(&request(&format!("next-{polls}"), payment(1))).await.unwrap();
        let stored = format!("select count(*) from decisions where id = '{}'", next.id);
        assert_eq!(env.count(&stored).await, 1, "after {polls} polls");
    }
    assert!(
        (2..80).contains(&finished),
        "some requests were dropped and some finished: {finished} of 80"
    );
    log::verified_entries(&env, tenant.tenant).await;
    // Each record can be requested again, whether or not its first request finished.
    for polls in 0..40 {
        let record_request = request(&format!("k{polls}"), payment(1));
        tenant.record(&record_request).await.unwrap();
    }
    assert_eq!(env.count("select count(*) from decisions").await, 80);
}

#[tokio::test]
async fn policy_create_events_state_whether_the_policy_has_a_draft() {
    let (env, tenant) = test_tenant().await;
    let new = body::<NewPolicy>(&value(r#"{"code":"BARE","name":"Bare"}"#));
    let created = policy::create(&tenant.author_cx().await, new).await.unwrap();
    assert_eq!((created.policy.latest_version, created.version), (0, None));
    let rules = object([("rules", limit("LIMIT", 1)), ("change_reason", "outdated rules".into())]);
    let (author, rules) = (tenant.author_cx().await, body::<NewVersion>(&rules));
    assert_eq!(version::create(&author, created.policy.id, rules).await.unwrap().version, 1);
    tenant.create_policy(&spending("PAY", 1)).await;
    let log = log::verified_entries(&env, tenant.tenant).await;
    let drafts: Vec<_> = log
        .iter()
        .filter(|entry| entry.action == "policy.create")
        .map(|entry| entry.detail("draft"))
        .collect();
    assert_eq!(drafts, [Some(false.into()), Some(true.into())]);
}
