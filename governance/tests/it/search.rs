//! Search: what each caller finds by a name, a code or an ID.

use contract::{fold::fold_text, policy::PolicyFilter};
use governance::{
    PageRequest,
    authoring::policy,
    insight::search::{self, SearchResults},
};

use crate::prelude::*;

async fn find(cx: &Cx, text: &str) -> SearchResults {
    search::search(cx, text).await.unwrap()
}

#[tokio::test]
async fn policies_rules_and_members_are_found_by_a_part_of_their_names() {
    let (_env, tenant) = test_tenant().await;
    let id = tenant.active_policy(&spending("PAY.100", 5)).await;
    let admin = tenant.admin_cx().await;
    let policy = find(&admin, "  pay.1").await;
    assert_eq!(policy.policies.iter().map(|policy| policy.id).collect::<Vec<_>>(), [id]);
    assert_eq!(policy.policies[0].code, "PAY.100");
    assert_eq!(find(&admin, &id.to_string()).await.policies.len(), 1, "by id");
    assert_eq!(find(&admin, "pay_100").await.policies, [], "_ is not a wildcard");
    assert_eq!(find(&admin, "pay%0").await.policies, [], "% is not a wildcard");

    let rules = find(&admin, "limit").await.rules;
    let rules: Vec<_> = rules.iter().map(|rule| (rule.policy_id, rule.version)).collect();
    assert_eq!(rules, [(id, 1)], "rules of the active version");

    let viewer = tenant.create_member("vera@acme.example", Role::Viewer).await;
    let members = find(&admin, "VERA@acme").await.members;
    assert_eq!(members.iter().map(|member| member.user_id).collect::<Vec<_>>(), [viewer]);
    let by_viewer = find(&tenant.user_cx(viewer).await, "vera@acme").await;
    assert_eq!(by_viewer.members, [], "only admins list members");

    assert_eq!(find(&admin, " \t").await, SearchResults::default());
    assert_eq!(find(&admin, &"x".repeat(10_000)).await, SearchResults::default());
}

#[tokio::test]
async fn a_decision_is_found_by_its_id_and_by_its_correlation_id() {
    let (_env, tenant) = test_tenant().await;
    tenant.active_policy(&spending("PAY", 5)).await;
    let recorded = record(&tenant.key_cx().await, &request("one", payment(1))).await.unwrap();
    let decision = decision_record(&recorded.record);
    let (id, correlation_id) = (decision.id.to_string(), decision.correlation_id);
    let admin = tenant.admin_cx().await;
    for text in [&id, &id.to_uppercase(), &correlation_id] {
        let found = find(&admin, text).await.decisions;
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].id.to_string(), id, "{text}");
    }
    assert_eq!(find(&admin, &id[..8]).await.decisions, [], "a part of an id finds nothing");
}

#[tokio::test]
async fn search_is_for_members_of_the_tenant_only() {
    let (env, tenant) = test_tenant().await;
    let id = tenant.active_policy(&spending("PAY", 5)).await;
    let other = env.tenant("other").await;
    let by_other = other.admin_cx().await;
    assert_eq!(find(&by_other, "PAY").await, SearchResults::default());
    assert_eq!(find(&by_other, &id.to_string()).await, SearchResults::default());
    let by_key = search::search(&tenant.key_cx().await, "PAY").await;
    assert_eq!(result_summary(&by_key), "403 HUMAN_REQUIRED");
}

/// Inserts policies, active versions of every second and forms of every third. Most names have the same words.
const MANY_TEXTS: &str = r#"
    insert into policies (tenant_id, id, sequence, code, code_key, name, decision_types, shadow_mode, inheritable,
            regulatory_refs, created_at, updated_at)
        select '{tenant}', md5('p' || n)::uuid, n, 'PAY-' || n, 'pay-' || n,
            coalesce((array['ÜBERWEISUNG 100 %', 'a_b\c', 'Straẞe', 'x', '😀 naïve', 'Zzz last'])[n],
                'Policy of payments ' || n % 1000), '{}', false, false, '{}', now(), now()
        from generate_series(1, 6000) n;
    insert into policy_versions (tenant_id, policy_id, version, id, draft_revision, rules, rules_digest, is_active,
            status, created_at, makers)
        select tenant_id, id, 1, id, 1, format('[{"code":"MAX","name":"Größe %s"},{"code":"R-%s"}]',
            sequence % 7, sequence), '', true, 'ratified', now(), '{}'
        from policies where tenant_id = '{tenant}' and sequence % 2 = 0;
    insert into forms (tenant_id, id, sequence, policy_id, title, decision_type, fields, access_mode, is_published,
            budget_limit, budget_window, window_start, tokens_used, submissions, branding, language, created_at,
            updated_at)
        select tenant_id, md5('f' || id)::uuid, sequence, id, 'Form: ' || name, 'payment', '[]', 'open', true, 1, 'day',
            now(), 0, 0, '{}', 'en', now(), now()
        from policies where tenant_id = '{tenant}' and sequence % 3 = 0;"#;

const SEARCHED: [&str; 26] = [
    "a",
    "x",
    "ß",
    "ø",
    "%",
    "_",
    "\\",
    "99",
    "qq",
    "ü",
    "pay",
    "policy",
    "payments 77",
    "PAY-299",
    "pay-2999",
    "zzz",
    "überweisung 100 %",
    "STRASSE",
    "straße",
    "😀",
    "of of",
    "max",
    "größe 3",
    "r-2",
    "r-1000",
    "zzz last policy of payments",
];

/// Returns the results of a search as a scan of all texts finds them.
async fn scanned(env: &TestEnv, tenant: &TestTenant, text: &str) -> [Vec<String>; 4] {
    let part = format!("'{}'", fold_text(text).replace('\'', "''"));
    let tenant = tenant.tenant;
    let policies = format!(
        "from policies where tenant_id = '{tenant}' and (strpos(name_folded, {part}) > 0 or strpos(code_key, {part}) > 0)"
    );
    let statements = [
        format!(
            "select id::text {policies} order by {part} not in (code_key, name_folded), name_folded, id limit 8"
        ),
        format!(
            "select p.id || ' ' || upper(split_part(r.text, chr(10), 1)) from policy_versions v
             join policies p on p.id = v.policy_id, unnest(v.rule_texts_folded) with ordinality as r(text, position)
             where v.tenant_id = '{tenant}' and v.is_active and strpos(r.text, {part}) > 0
             order by split_part(r.text, chr(10), 1) <> {part}, p.name_folded, p.id, r.position limit 8"
        ),
        format!(
            "select id::text from forms where tenant_id = '{tenant}' and strpos(title_folded, {part}) > 0
             order by title_folded, id limit 8"
        ),
        format!("select code {policies} order by sequence desc limit 50"),
    ];
    let [policies, rules, forms, list] = &statements;
    [
        env.texts(policies).await,
        env.texts(rules).await,
        env.texts(forms).await,
        env.texts(list).await,
    ]
}

/// Returns the results of a search, and of the filter of the list of policies.
async fn found(cx: &Cx, text: &str) -> [Vec<String>; 4] {
    let results = find(cx, text).await;
    let filter = PolicyFilter { q: Some(text.to_owned()), ..PolicyFilter::default() };
    let list = policy::list(cx, filter, &PageRequest::default()).await.unwrap();
    let rules = results.rules.iter().map(|rule| format!("{} {}", rule.policy_id, rule.code));
    [
        results.policies.iter().map(|policy| policy.id.to_string()).collect(),
        rules.collect(),
        results.forms.iter().map(|form| form.id.to_string()).collect(),
        list.items.into_iter().map(|policy| policy.code).collect(),
    ]
}

#[tokio::test]
async fn the_index_finds_what_a_scan_finds() {
    let (env, tenant) = test_tenant().await;
    let other = env.tenant("other").await;
    let other_cx = other.admin_cx().await;
    other.active_policy(&spending("PAY-2999", 5)).await;
    let insert = MANY_TEXTS.replace("{tenant}", &tenant.tenant.to_string());
    env.execute_as_superuser(&insert).await;
    let admin = tenant.admin_cx().await;
    let changes = [
        "select 'nothing'",
        "update policies set name = 'ΣΊΣΥΦΟΣ payments' where sequence between 20 and 40;
         update forms set title = 'Zzz last' where sequence between 50 and 60",
        "update policy_versions set is_active = false where version = 1 and policy_id in (
             select id from policies where sequence % 3 = 0 or sequence between 995 and 1005)",
        "delete from forms where sequence % 4 = 0;
         delete from policies where sequence between 100 and 120 and not exists (
             select from policy_versions v where v.policy_id = policies.id)",
    ];
    for change in changes {
        env.execute_as_superuser(change).await;
        for text in SEARCHED.into_iter().chain(["σίσυφος"]) {
            assert_eq!(
                found(&admin, text).await,
                scanned(&env, &tenant, text).await,
                "{text:?} after {change:?}"
            );
        }
    }
    let of_other = found(&other_cx, "pay-2999").await;
    assert_eq!(of_other, scanned(&env, &other, "pay-2999").await, "only its own policy");
    assert_eq!(of_other[0].len(), 1);
}
