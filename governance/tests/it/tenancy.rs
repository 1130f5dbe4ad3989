//! Tenant isolation: two tenants with identically named objects cannot read, change or guess each
//! other's objects.

use contract::{
    capability::{Capability, CapabilityCarry},
    decision::DecisionFilter,
    form::{FormDraft, FormPatch, FormTokenDraft},
    id::{CapabilityId, ChainId, DecisionId, FormId, FormTokenId},
    policy::{CommentDraft, PolicyFilter, PolicyPatch, ReviewVerdict, SealRequest},
};
use governance::{
    PageRequest, Result,
    authoring::{
        capability,
        policy::{
            self, VersionSelector,
            version::{
                self, comment,
                saved_review::{self, SavedReview},
            },
        },
    },
    deciding::{
        chain::{self, AdjacentSteps},
        decision, form,
    },
};

use crate::{capabilities, log, prelude::*};

/// A tenant with an active policy that has a second, submitted version, a draft with a capability
/// grant, a decision, and a form with a token.
struct PopulatedTenant {
    tenant: TestTenant,
    active: PolicyId,
    draft: PolicyId,
    grant: Capability,
    decision: DecisionId,
    chain: ChainId,
    form: FormId,
    token: FormTokenId,
}

async fn populated(env: &TestEnv, name: &str) -> PopulatedTenant {
    let tenant = env.tenant(name).await;
    let active = Box::pin(tenant.active_policy(&spending("PAY", 100))).await;
    let second = tenant.next_draft(active, &limit("LIMIT", 2)).await;
    version::submit(&tenant.author_cx().await, active, second).await.unwrap();
    let draft = tenant.create_policy(&spending("DRAFT", 1)).await;
    let grant_request = capabilities::grant_request(draft, 9);
    let grant =
        capability::issue(&tenant.author_cx().await, grant_request).await.unwrap().capability;
    let chain: ChainId = env.governance.entropy().id();
    let chain_request = object([("chain_id", chain.to_string().into())]);
    let chained = with(&request("same", payment(1)), "chain", chain_request);
    let decision = tenant.record(&chained).await.unwrap().id;
    let key = tenant.key_cx().await;
    let form = form::create(&key, form_draft(active)).await.unwrap().id;
    let token = form::issue_token(&key, form, FormTokenDraft::default()).await.unwrap().id;
    PopulatedTenant { tenant, active, draft, grant, decision, chain, form, token }
}

fn form_draft(policy: PolicyId) -> FormDraft {
    body(&object([("policy_id", policy.to_string().into()), ("title", "Request".into())]))
}

fn note() -> CommentDraft {
    body(&object([("text", "a comment".into())]))
}

/// Returns the full response to the caller: the status and the problem, or `done`.
async fn response<T>(operation: impl Future<Output = Result<T>>) -> String {
    // Boxed: the futures of operations are large, and would enlarge the future of each caller.
    match Box::pin(operation).await {
        Ok(_) => "done".to_owned(),
        Err(error) => {
            format!("{} {}", error.status(), serde_json::to_string(&error.problem()).unwrap())
        }
    }
}

/// Returns the response of every use case that takes an ID, for the given IDs.
async fn responses_for(
    tenant: &TestTenant,
    policy: PolicyId,
    grant: CapabilityId,
    (decision, chain_id): (DecisionId, ChainId),
    (form, token): (FormId, FormTokenId),
) -> Vec<(&'static str, String)> {
    async fn cx(tenant: &TestTenant) -> [Cx; 2] {
        [tenant.admin_cx().await, tenant.key_cx().await]
    }
    let [admin, key] = cx(tenant).await;
    let renamed = || body::<PolicyPatch>(&object([("name", "Another".into())]));
    let page = PageRequest::default();
    let mut responses = Vec::new();
    macro_rules! call {
        ($name:literal, $operation:expr) => {
            responses.push(($name, response($operation).await));
        };
    }
    call!("read", policy::read(&key, policy, None));
    call!("read active", policy::read(&key, policy, Some(VersionSelector::Active)));
    call!("read draft", policy::read(&key, policy, Some(VersionSelector::Draft)));
    call!("read 1", policy::read(&admin, policy, Some(VersionSelector::Number(1))));
    call!("deactivate", policy::deactivate(&admin, policy, reason(), None));
    call!("versions", version::list(&key, policy, &page));
    call!("all versions", version::all(&key, policy));
    call!("version", version::read(&key, policy, 1));
    call!("version details", version::details(&admin, policy, 1));
    call!("version history", version::history(&key, policy));
    call!("diff", version::diff(&key, policy, 1, None));
    call!("diff against", version::diff(&key, policy, 2, Some(1)));
    call!("edit policy", policy::edit(&key, policy, renamed(), None));
    call!("delete policy", policy::delete(&key, policy));
    call!("create", version::create(&key, policy, new_version()));
    for number in [1, 2] {
        call!("delete", version::delete(&key, policy, number));
        call!("edit", version::edit(&key, policy, number, edit(1, "x")));
        call!("submit", version::submit(&key, policy, number));
        call!("recall", version::recall(&key, policy, number));
        call!("reject", version::reject(&admin, policy, number, reason()));
        call!("seal", version::seal(&key, policy, number, SealRequest::default()));
        call!("submissions", version::submissions(&key, policy, number, &page));
        call!(
            "record",
            version::record(
                &admin,
                policy,
                number,
                decision.0.into(),
                review(ReviewVerdict::Accept)
            )
        );
        call!("review draft", saved_review::read(&admin, policy, number));
        call!(
            "save review draft",
            saved_review::save(&admin, policy, number, decision.0.into(), &SavedReview::default())
        );
        call!("comments", comment::list(&admin, policy, number, &page));
        call!("comment", comment::create(&admin, policy, number, note()));
        call!("resolve", comment::resolve(&admin, policy, number, decision.0.into()));
        call!("reopen", comment::reopen(&admin, policy, number, decision.0.into()));
        call!("approval", version::approval(&key, policy, number));
        call!("set aside", version::set_aside(&admin, policy, number, reason()));
        call!("supersede", version::supersede(&admin, policy, number, correction(1)));
        call!("ratify", version::ratify(&admin, policy, number, ratification(1)));
        call!("activate", version::activate(&admin, policy, number));
    }
    let carry = CapabilityCarry { version: 2 };
    call!("issue", capability::issue(&admin, capabilities::grant_request(policy, 1)));
    call!("grant", capability::read(&key, grant));
    call!("grant lineage", capability::lineage(&key, grant));
    call!("carry", capability::carry(&admin, grant, carry));
    call!("revoke", capability::revoke(&admin, grant));
    call!("decision", decision::read(&key, decision));
    call!("provenance", decision::provenance(&key, decision));
    call!("decision chain", chain::read(&key, chain_id));
    call!("new form", form::create(&key, form_draft(policy)));
    call!("form", form::read(&key, form));
    call!("edit form", form::edit(&key, form, FormPatch::default(), None));
    call!("form token", form::issue_token(&key, form, FormTokenDraft::default()));
    call!("form tokens", form::tokens(&key, form));
    call!("revoke form token", form::revoke_token(&key, form, token));
    call!("delete form", form::delete(&key, form, None));
    responses
}

#[testkit::test]
async fn objects_of_another_tenant_return_not_found_and_do_not_change(env: TestEnv) {
    let a = populated(&env, "a").await;
    let b = populated(&env, "b").await;
    let before = env.table_digests().await;
    let entropy = env.governance.entropy();
    let form = (entropy.id(), entropy.id());
    let decision = (entropy.id(), entropy.id());
    let missing = responses_for(&a.tenant, entropy.id(), entropy.id(), decision, form).await;
    for (name, response) in &missing {
        assert!(response.starts_with("404 {\"code\":\"NOT_FOUND\""), "{name}: {response}");
    }
    for policy in [b.active, b.draft] {
        let (form_of_a, form_of_b) = ((a.form, a.token), (b.form, b.token));
        let (of_a, of_b) = ((a.decision, a.chain), (b.decision, b.chain));
        assert_eq!(responses_for(&a.tenant, policy, b.grant.id, of_b, form_of_b).await, missing);
        assert_eq!(responses_for(&b.tenant, a.active, a.grant.id, of_a, form_of_a).await, missing);
    }
    let adjacent = chain::adjacent_steps(&a.tenant.key_cx().await, b.decision).await.unwrap();
    assert_eq!(adjacent, AdjacentSteps::default());
    assert_eq!(env.table_digests().await, before, "no row changes");
}

#[tokio::test]
async fn request_narrowed_to_a_policy_of_another_tenant_is_rejected_like_a_missing_one() {
    let env = test_env().await;
    let a = populated(&env, "a").await;
    let b = populated(&env, "b").await;
    let missing: PolicyId = env.governance.entropy().id();
    let narrowed = |id: PolicyId| {
        with(&evaluate_request(payment(1)), "policy_ids", vec![id.to_string().into()])
    };
    let of_missing = response(a.tenant.evaluate(&narrowed(missing))).await;
    assert!(of_missing.starts_with("422 "), "{of_missing}");
    assert_eq!(response(a.tenant.evaluate(&narrowed(b.active))).await, of_missing);
    let recording = |id| with(&narrowed(id), "idempotency_key", "narrow");
    let of_missing = response(a.tenant.record(&recording(missing))).await;
    assert_eq!(response(a.tenant.record(&recording(b.active))).await, of_missing);
}

#[testkit::test]
async fn lists_contain_only_objects_of_the_tenant(env: TestEnv) {
    let a = populated(&env, "a").await;
    let b = populated(&env, "b").await;
    let page = PageRequest::default();
    for (owner, other) in [(&a, &b), (&b, &a)] {
        let cx = owner.tenant.key_cx().await;
        let policies = policy::list(&cx, PolicyFilter::default(), &page).await.unwrap().items;
        let ids: Vec<_> = policies.iter().map(|policy| policy.id).collect();
        assert_eq!(ids, [owner.draft, owner.active], "newest first");
        assert!(policies.iter().all(|policy| policy.tenant_id == owner.tenant.tenant));
        let decisions = decision::list(&cx, DecisionFilter::default(), &page).await.unwrap().items;
        assert_eq!(decisions.iter().map(|record| record.id).collect::<Vec<_>>(), [owner.decision]);
        let filter = DecisionFilter { policy_id: Some(other.active), ..DecisionFilter::default() };
        assert_eq!(decision::list(&cx, filter, &page).await.unwrap().items, []);
        let forms = form::list(&cx, &page).await.unwrap().items;
        assert_eq!(forms.iter().map(|form| form.id).collect::<Vec<_>>(), [owner.form]);
        let grants = capability::list(&cx, &page).await.unwrap().items;
        assert_eq!(grants, std::slice::from_ref(&owner.grant));
        let lineages = capability::list_lineages(&cx, &page).await.unwrap().items;
        assert_eq!(
            lineages.into_iter().flat_map(|lineage| lineage.grants).collect::<Vec<_>>(),
            grants
        );
        let names = governance::access::member::names(&cx).await.unwrap();
        let mut expected_names = [
            owner.tenant.admin.to_string(),
            owner.tenant.author.to_string(),
            owner.tenant.key_id.to_string(),
            owner.grant.api_key_id.to_string(),
        ];
        expected_names.sort();
        assert_eq!(names.into_keys().collect::<Vec<_>>(), expected_names);
    }
}

#[testkit::test]
async fn idempotency_keys_of_different_tenants_are_independent(env: TestEnv) {
    let a = populated(&env, "a").await;
    let b = populated(&env, "b").await;
    assert_ne!(a.decision, b.decision);
    for owner in [&a, &b] {
        let chain_request = object([("chain_id", owner.chain.to_string().into())]);
        let repeated = with(&request("same", payment(1)), "chain", chain_request);
        let recorded = owner.tenant.record(&repeated).await.unwrap();
        assert_eq!((recorded.is_new, recorded.id), (false, owner.decision));
        log::verified_entries(&env, owner.tenant.tenant).await;
    }
}

#[testkit::test]
async fn cursor_is_valid_only_for_its_list_filter_and_tenant(env: TestEnv) {
    let a = populated(&env, "a").await;
    let b = populated(&env, "b").await;
    a.tenant.record(&request("second", payment(1))).await.unwrap();
    b.tenant.record(&request("second", payment(1))).await.unwrap();
    let invalid_cursor = "422 VALIDATION_ERROR";
    let first_page = PageRequest { limit: 1, cursor: None };
    let page_after = |cursor: &str| PageRequest { limit: 1, cursor: Some(cursor.to_owned()) };
    let (in_a, in_b) = (a.tenant.key_cx().await, b.tenant.key_cx().await);
    let second_grant = capabilities::grant_request(a.draft, 9);
    capability::issue(&a.tenant.author_cx().await, second_grant).await.unwrap();
    let all_policies = PolicyFilter::default;
    let all_decisions = DecisionFilter::default;

    let policies =
        policy::list(&in_a, all_policies(), &first_page).await.unwrap().next_cursor.unwrap();
    let decisions =
        decision::list(&in_a, all_decisions(), &first_page).await.unwrap().next_cursor.unwrap();
    // In its owner list the cursor returns the remaining items, also in another process.
    let in_other_process = a.tenant.in_process(&env.another_process(2).await).key_cx().await;
    for cx in [&in_a, &in_other_process, &a.tenant.admin_cx().await] {
        let remaining = policy::list(cx, all_policies(), &page_after(&policies)).await.unwrap();
        assert_eq!(remaining.items.iter().map(|p| p.id).collect::<Vec<_>>(), [a.active]);
        assert_eq!(remaining.next_cursor, None);
        let remaining = decision::list(cx, all_decisions(), &page_after(&decisions)).await.unwrap();
        assert_eq!(remaining.items.iter().map(|d| d.id).collect::<Vec<_>>(), [a.decision]);
    }
    let grants = capability::list(&in_a, &first_page).await.unwrap().next_cursor.unwrap();
    let remaining = capability::list(&in_a, &page_after(&grants)).await.unwrap();
    assert_eq!((remaining.items, remaining.next_cursor), (vec![a.grant], None));
    // Another tenant, another list and another filter reject the cursor.
    let policies_at = async |cx, filter, cursor: &str| {
        result_summary(&policy::list(cx, filter, &page_after(cursor)).await)
    };
    let decisions_at = async |cx, cursor: &str| {
        result_summary(&decision::list(cx, all_decisions(), &page_after(cursor)).await)
    };
    let grants_at =
        async |cx, cursor: &str| result_summary(&capability::list(cx, &page_after(cursor)).await);
    assert_eq!(grants_at(&in_b, &grants).await, invalid_cursor);
    assert_eq!(grants_at(&in_a, &policies).await, invalid_cursor);
    assert_eq!(policies_at(&in_b, all_policies(), &policies).await, invalid_cursor);
    assert_eq!(policies_at(&in_a, all_policies(), &decisions).await, invalid_cursor);
    assert_eq!(decisions_at(&in_b, &decisions).await, invalid_cursor);
    assert_eq!(decisions_at(&in_a, &policies).await, invalid_cursor);
    for filter in [
        PolicyFilter { q: Some("p".into()), ..all_policies() },
        PolicyFilter { is_active: Some(true), ..all_policies() },
        PolicyFilter { decision_type: Some("payment".into()), ..all_policies() },
    ] {
        assert_eq!(policies_at(&in_a, filter, &policies).await, invalid_cursor);
    }
    // Changed and truncated cursors are rejected.
    for position in 0..policies.len() {
        let mut forged = policies.clone().into_bytes();
        forged[position] = if forged[position] == b'A' { b'B' } else { b'A' };
        let forged = String::from_utf8(forged).unwrap();
        let truncated = &policies[..position];
        for cursor in [&*forged, truncated] {
            let refused = policies_at(&in_a, all_policies(), cursor).await;
            assert_eq!(refused, invalid_cursor, "{cursor}");
        }
    }
}

#[testkit::test]
async fn pages_are_stable_while_rows_arrive(env: TestEnv) {
    let tenant = env.tenant("a").await;
    tenant.active_policy(&spending("PAY", 100)).await;
    for number in 0..7 {
        tenant.record(&request(&format!("k{number}"), payment(number))).await.unwrap();
    }
    let cx = tenant.key_cx().await;
    let mut page = PageRequest { limit: 3, cursor: None };
    let mut keys = Vec::new();
    loop {
        let items = decision::list(&cx, DecisionFilter::default(), &page).await.unwrap();
        keys.extend(items.items.into_iter().map(|record| record.idempotency_key));
        tenant.record(&request(&format!("late {}", keys.len()), payment(1))).await.unwrap();
        match items.next_cursor {
            Some(cursor) => page.cursor = Some(cursor),
            None => break,
        }
    }
    assert_eq!(keys, ["k6", "k5", "k4", "k3", "k2", "k1", "k0"], "each once, newest first");
}
