//! Two tenants that are alike in every name: neither can see, move or guess anything of the other.

use contract::{
    capability::{Capability, CapabilityCarry},
    decision::DecisionFilter,
    form::{FormDraft, FormPatch, FormTokenDraft},
    id::{CapabilityId, ChainId, DecisionId, FormId, FormTokenId, PolicyId},
    policy::{PolicyFilter, PolicyPatch, ReasonBody, ReviewDraft, ReviewVerdict, SealRequest},
};
use governance::{
    Cx, PageRequest, Result, SignedIn,
    authoring::{
        capability,
        policy::{
            self, VersionSelector,
            rule_input::{NewVersion, SupersedeInput},
            version,
        },
    },
    deciding::{
        chain::{self, AdjacentSteps},
        decision, form,
    },
};

use crate::{
    capabilities,
    fixtures::{
        TestEnv, TestTenant, body, edit, limit, object, payment, question, ratification, request,
        said, spending, with, world,
    },
    log,
};

/// A tenant with a policy in force that has a second, submitted version; a draft, and a grant on it;
/// a decision; and a form with a token.
struct Furnished {
    house: TestTenant,
    in_force: PolicyId,
    draft: PolicyId,
    grant: Capability,
    decision: DecisionId,
    chain: ChainId,
    form: FormId,
    token: FormTokenId,
}

async fn populated(world: &TestEnv, name: &str) -> Furnished {
    let house = world.tenant(name).await;
    let in_force = Box::pin(house.active_policy(&spending("PAY", 100))).await;
    let second = house.next_draft(in_force, &limit("LIMIT", 2)).await;
    version::submit(&house.by_author().await, in_force, second).await.unwrap();
    let draft = house.drafted(&spending("DRAFT", 1)).await;
    let asked = capabilities::asked(draft, 9);
    let grant = capability::issue(&house.by_author().await, asked).await.unwrap().capability;
    let chain: ChainId = world.governance.entropy().id();
    let chained = object([("chain_id", chain.to_string().into())]);
    let chained = with(&request("same", payment(1)), "chain", chained);
    let decision = house.record(&chained).await.unwrap().id;
    let key = house.by_key().await;
    let form = form::create(&key, asking(in_force)).await.unwrap().id;
    let token = form::issue_token(&key, form, FormTokenDraft::default()).await.unwrap().id;
    Furnished { house, in_force, draft, grant, decision, chain, form, token }
}

/// A form of a policy.
fn asking(policy: PolicyId) -> FormDraft {
    body(&object([("policy_id", policy.to_string().into()), ("title", "Request".into())]))
}

/// What a caller is told about an id: the whole problem.
async fn told<T>(act: impl Future<Output = Result<T>>) -> String {
    // Boxed: an act is large, and so would everything be that waits for many.
    match Box::pin(act).await {
        Ok(_) => "done".to_owned(),
        Err(error) => {
            format!("{} {}", error.status(), serde_json::to_string(&error.problem()).unwrap())
        }
    }
}

fn because() -> ReasonBody {
    body(&object([("reason", "because".into())]))
}

fn accepted() -> ReviewDraft {
    ReviewDraft { verdict: ReviewVerdict::Accept, comments: Vec::new(), note: None }
}

fn corrected() -> SupersedeInput {
    body(&object([
        ("expected_revision", 1.into()),
        ("rules", limit("LIMIT", 2)),
        ("change_reason", "because".into()),
    ]))
}

/// What every use case that takes an id says of these ids.
async fn about(
    house: &TestTenant,
    policy: PolicyId,
    grant: CapabilityId,
    (decision, in_chain): (DecisionId, ChainId),
    (form, token): (FormId, FormTokenId),
) -> Vec<(&'static str, String)> {
    async fn cx(house: &TestTenant) -> [Cx; 2] {
        [house.by_admin().await, house.by_key().await]
    }
    let [admin, key] = cx(house).await;
    let new = || body::<NewVersion>(&object([("rules", limit("LIMIT", 2))]));
    let renamed = || body::<PolicyPatch>(&object([("name", "Another".into())]));
    let page = PageRequest::default();
    let mut told_all = Vec::new();
    macro_rules! ask {
        ($name:literal, $act:expr) => {
            told_all.push(($name, told($act).await));
        };
    }
    ask!("read", policy::read(&key, policy, None));
    ask!("read active", policy::read(&key, policy, Some(VersionSelector::Active)));
    ask!("read draft", policy::read(&key, policy, Some(VersionSelector::Draft)));
    ask!("read 1", policy::read(&admin, policy, Some(VersionSelector::Number(1))));
    ask!("deactivate", policy::deactivate(&admin, policy, because(), None));
    ask!("versions", version::list(&key, policy, &page));
    ask!("all versions", version::all(&key, policy));
    ask!("version", version::read(&key, policy, 1));
    ask!("prospects", version::action_availability(&admin, policy, 1));
    ask!("diff", version::diff(&key, policy, 1, None));
    ask!("diff against", version::diff(&key, policy, 2, Some(1)));
    ask!("edit policy", policy::edit(&key, policy, renamed(), None));
    ask!("delete policy", policy::delete(&key, policy));
    ask!("create", version::create(&key, policy, new()));
    for number in [1, 2] {
        ask!("delete", version::delete(&key, policy, number));
        ask!("edit", version::edit(&key, policy, number, edit(1, "x")));
        ask!("submit", version::submit(&key, policy, number));
        ask!("recall", version::recall(&key, policy, number));
        ask!("reject", version::reject(&admin, policy, number, because()));
        ask!("seal", version::seal(&key, policy, number, SealRequest::default()));
        ask!("submissions", version::submissions(&key, policy, number, &page));
        ask!("record", version::record(&admin, policy, number, decision.0.into(), accepted()));
        ask!("approval", version::approval(&key, policy, number));
        ask!("set aside", version::set_aside(&admin, policy, number, because()));
        ask!("supersede", version::supersede(&admin, policy, number, corrected()));
        ask!("ratify", version::ratify(&admin, policy, number, ratification(1)));
        ask!("activate", version::activate(&admin, policy, number));
    }
    let carry = CapabilityCarry { version: 2 };
    ask!("issue", capability::issue(&admin, capabilities::asked(policy, 1)));
    ask!("grant", capability::read(&key, grant));
    ask!("chain", capability::chain(&key, grant));
    ask!("carry", capability::carry(&admin, grant, carry));
    ask!("revoke", capability::revoke(&admin, grant));
    ask!("decision", decision::read(&key, decision));
    ask!("lineage", decision::lineage(&key, decision));
    ask!("own chain", chain::read(&key, in_chain));
    ask!("new form", form::create(&key, asking(policy)));
    ask!("form", form::read(&key, form));
    ask!("edit form", form::edit(&key, form, FormPatch::default()));
    ask!("form token", form::issue_token(&key, form, FormTokenDraft::default()));
    ask!("form tokens", form::tokens(&key, form));
    ask!("revoke a form's token", form::revoke_token(&key, form, token));
    ask!("delete form", form::delete(&key, form));
    told_all
}

#[tokio::test]
async fn another_tenants_things_are_as_if_they_did_not_exist() {
    let world = world().await;
    let a = populated(&world, "a").await;
    let b = populated(&world, "b").await;
    let before = world.table_digests().await;
    let chance = world.governance.entropy();
    let form = (chance.id(), chance.id());
    let decision = (chance.id(), chance.id());
    let missing = about(&a.house, chance.id(), chance.id(), decision, form).await;
    for (name, words) in &missing {
        assert!(words.starts_with("404 {\"code\":\"NOT_FOUND\""), "{name}: {words}");
    }
    for policy in [b.in_force, b.draft] {
        let (form_of_a, form_of_b) = ((a.form, a.token), (b.form, b.token));
        let (of_a, of_b) = ((a.decision, a.chain), (b.decision, b.chain));
        assert_eq!(about(&a.house, policy, b.grant.id, of_b, form_of_b).await, missing);
        assert_eq!(about(&b.house, a.in_force, a.grant.id, of_a, form_of_a).await, missing);
    }
    let beside = chain::adjacent_steps(&a.house.by_key().await, b.decision).await.unwrap();
    assert_eq!(beside, AdjacentSteps::default());
    assert_eq!(world.table_digests().await, before, "and stay as they were");
}

#[tokio::test]
async fn a_request_narrowed_to_another_tenants_policy_is_refused_like_a_missing_one() {
    let world = world().await;
    let a = populated(&world, "a").await;
    let b = populated(&world, "b").await;
    let missing: PolicyId = world.governance.entropy().id();
    let narrowed =
        |id: PolicyId| with(&question(payment(1)), "policy_ids", vec![id.to_string().into()]);
    let of_missing = told(a.house.evaluate(&narrowed(missing))).await;
    assert!(of_missing.starts_with("422 "), "{of_missing}");
    assert_eq!(told(a.house.evaluate(&narrowed(b.in_force))).await, of_missing);
    let recording = |id| with(&narrowed(id), "idempotency_key", "narrow");
    let of_missing = told(a.house.record(&recording(missing))).await;
    assert_eq!(told(a.house.record(&recording(b.in_force))).await, of_missing);
}

#[tokio::test]
async fn lists_hold_the_tenants_own_and_nothing_else() {
    let world = world().await;
    let a = populated(&world, "a").await;
    let b = populated(&world, "b").await;
    let page = PageRequest::default();
    for (own, other) in [(&a, &b), (&b, &a)] {
        let cx = own.house.by_key().await;
        let policies = policy::list(&cx, PolicyFilter::default(), &page).await.unwrap().items;
        let ids: Vec<_> = policies.iter().map(|policy| policy.id).collect();
        assert_eq!(ids, [own.draft, own.in_force], "newest first");
        assert!(policies.iter().all(|policy| policy.tenant_id == own.house.tenant));
        let decisions = decision::list(&cx, DecisionFilter::default(), &page).await.unwrap().items;
        assert_eq!(decisions.iter().map(|record| record.id).collect::<Vec<_>>(), [own.decision]);
        let foreign =
            DecisionFilter { policy_id: Some(other.in_force), ..DecisionFilter::default() };
        assert_eq!(decision::list(&cx, foreign, &page).await.unwrap().items, []);
        let forms = form::list(&cx, &page).await.unwrap().items;
        assert_eq!(forms.iter().map(|form| form.id).collect::<Vec<_>>(), [own.form]);
        let grants = capability::list(&cx, &page).await.unwrap().items;
        assert_eq!(grants, std::slice::from_ref(&own.grant));
        let chains = capability::list_lineages(&cx, &page).await.unwrap().items;
        assert_eq!(chains.into_iter().flat_map(|chain| chain.grants).collect::<Vec<_>>(), grants);
        let names = governance::access::member::names(&cx).await.unwrap();
        let mut own_names = [
            own.house.admin.to_string(),
            own.house.author.to_string(),
            own.house.key_id.to_string(),
            own.grant.api_key_id.to_string(),
        ];
        own_names.sort();
        assert_eq!(names.into_keys().collect::<Vec<_>>(), own_names);
    }
}

#[tokio::test]
async fn an_idempotency_key_belongs_to_its_tenant() {
    let world = world().await;
    let a = populated(&world, "a").await;
    let b = populated(&world, "b").await;
    assert_ne!(a.decision, b.decision);
    for own in [&a, &b] {
        let place = object([("chain_id", own.chain.to_string().into())]);
        let same = with(&request("same", payment(1)), "chain", place);
        let again = own.house.record(&same).await.unwrap();
        assert_eq!((again.is_new, again.id), (false, own.decision));
        log::intact(&world, own.house.tenant).await;
    }
}

#[tokio::test]
async fn a_receipt_is_found_by_whoever_has_its_id_and_by_nobody_else() {
    let world = world().await;
    let a = populated(&world, "a").await;
    let b = populated(&world, "b").await;
    let anybody = || world.governance.public(world.governance.correlation_id());
    for own in [&a, &b] {
        let receipt = decision::receipt(&anybody(), own.decision).await.unwrap();
        assert_eq!(receipt.tenant_id, own.house.tenant);
    }
    let missing = decision::receipt(&anybody(), world.governance.entropy().id()).await;
    assert_eq!(said(&missing), "404 NOT_FOUND");
}

#[tokio::test]
async fn credentials_open_their_own_tenant_only() {
    let world = world().await;
    let [a, b] = [world.tenant("a").await, world.tenant("b").await];
    let governance = &world.governance;
    let name = || governance.correlation_id();
    let foreign = governance.key(&a.key, b.tenant, name()).await;
    assert_eq!(said(&foreign), "403 FORBIDDEN");
    let nowhere = governance.key(&a.key, contract::id::TenantId(a.admin.0), name()).await;
    assert_eq!(told(async { foreign }).await, told(async { nowhere }).await);
    let now = governance.clock().now();
    let signed_in = SignedIn::of(a.admin, now);
    let foreign = governance.human(&signed_in, b.tenant, name()).await;
    assert_eq!(said(&foreign), "403 FORBIDDEN");
    let nowhere = governance.human(&signed_in, contract::id::TenantId(a.admin.0), name()).await;
    assert_eq!(told(async { foreign }).await, told(async { nowhere }).await);
    for wrong in ["", "svc_", "svc_x", &a.key.to_uppercase(), &a.key[..a.key.len() - 1]] {
        assert_eq!(said(&governance.key(wrong, a.tenant, name()).await), "401 UNAUTHORIZED");
    }
    let memberships = governance::access::session::session_info(governance, &signed_in)
        .await
        .unwrap()
        .memberships;
    assert_eq!(memberships.iter().map(|m| m.tenant_id).collect::<Vec<_>>(), [a.tenant]);
}

#[tokio::test]
async fn a_cursor_leads_on_in_its_own_list_only() {
    let world = world().await;
    let a = populated(&world, "a").await;
    let b = populated(&world, "b").await;
    a.house.record(&request("second", payment(1))).await.unwrap();
    b.house.record(&request("second", payment(1))).await.unwrap();
    let refused = "422 VALIDATION_ERROR";
    let one = PageRequest { limit: 1, cursor: None };
    let after = |cursor: &str| PageRequest { limit: 1, cursor: Some(cursor.to_owned()) };
    let (in_a, in_b) = (a.house.by_key().await, b.house.by_key().await);
    let second = capabilities::asked(a.draft, 9);
    capability::issue(&a.house.by_author().await, second).await.unwrap();
    let all = PolicyFilter::default;
    let every = DecisionFilter::default;

    let policies = policy::list(&in_a, all(), &one).await.unwrap().next_cursor.unwrap();
    let decisions = decision::list(&in_a, every(), &one).await.unwrap().next_cursor.unwrap();
    // In its own list it leads to the rest, from another process too.
    let elsewhere = a.house.in_process(&world.another_process(2).await).by_key().await;
    for cx in [&in_a, &elsewhere] {
        let rest = policy::list(cx, all(), &after(&policies)).await.unwrap();
        assert_eq!(rest.items.iter().map(|p| p.id).collect::<Vec<_>>(), [a.in_force]);
        assert_eq!(rest.next_cursor, None);
        let rest = decision::list(cx, every(), &after(&decisions)).await.unwrap();
        assert_eq!(rest.items.iter().map(|d| d.id).collect::<Vec<_>>(), [a.decision]);
    }
    let grants = capability::list(&in_a, &one).await.unwrap().next_cursor.unwrap();
    let rest = capability::list(&in_a, &after(&grants)).await.unwrap();
    assert_eq!((rest.items, rest.next_cursor), (vec![a.grant], None));
    assert_eq!(said(&capability::list(&in_b, &after(&grants)).await), refused);
    assert_eq!(said(&capability::list(&in_a, &after(&policies)).await), refused);
    // The other tenant, the other list, another filter.
    assert_eq!(said(&policy::list(&in_b, all(), &after(&policies)).await), refused);
    assert_eq!(said(&decision::list(&in_b, every(), &after(&decisions)).await), refused);
    assert_eq!(said(&policy::list(&in_a, all(), &after(&decisions)).await), refused);
    assert_eq!(said(&decision::list(&in_a, every(), &after(&policies)).await), refused);
    for filter in [
        PolicyFilter { q: Some("p".into()), ..all() },
        PolicyFilter { is_active: Some(true), ..all() },
        PolicyFilter { decision_type: Some("payment".into()), ..all() },
    ] {
        assert_eq!(said(&policy::list(&in_a, filter, &after(&policies)).await), refused);
    }
    // Forged or cut.
    for place in 0..policies.len() {
        let mut forged = policies.clone().into_bytes();
        forged[place] = if forged[place] == b'A' { b'B' } else { b'A' };
        let forged = String::from_utf8(forged).unwrap();
        let cut = &policies[..place];
        for cursor in [&*forged, cut] {
            assert_eq!(
                said(&policy::list(&in_a, all(), &after(cursor)).await),
                refused,
                "{cursor}"
            );
        }
    }
}

#[tokio::test]
async fn pages_are_stable_while_rows_arrive() {
    let world = world().await;
    let house = world.tenant("a").await;
    house.active_policy(&spending("PAY", 100)).await;
    for number in 0..7 {
        house.record(&request(&format!("k{number}"), payment(number))).await.unwrap();
    }
    let cx = house.by_key().await;
    let mut page = PageRequest { limit: 3, cursor: None };
    let mut seen = Vec::new();
    loop {
        let items = decision::list(&cx, DecisionFilter::default(), &page).await.unwrap();
        seen.extend(items.items.into_iter().map(|record| record.idempotency_key));
        house.record(&request(&format!("late {}", seen.len()), payment(1))).await.unwrap();
        match items.next_cursor {
            Some(cursor) => page.cursor = Some(cursor),
            None => break,
        }
    }
    assert_eq!(seen, ["k6", "k5", "k4", "k3", "k2", "k1", "k0"], "each once, newest first");
}
