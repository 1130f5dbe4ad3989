//! Lists use an index in its own order, under row-level security, independent of the number of rows.

use sea_orm_migration::sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use testkit::database::{TENANT_A, TENANT_B, TestDatabase, connect, two_tenants};

use crate::{AS_A, begin};

/// Returns SQL that inserts 10,000 policies of tenant A: 1 in 100 in its group, 1 in 50 active.
fn insert_many_policies() -> String {
    format!(
        "insert into policies (tenant_id, id, sequence, code, code_key, name, decision_types,
             policy_group_id, shadow_mode, inheritable, regulatory_refs, active_version, created_at,
             updated_at)
         select '{TENANT_A}', gen_random_uuid(), n, 'P' || n, 'p' || n, 'policy', '{{}}',
             case when n % 100 = 0 then '{TENANT_A}'::uuid end, false, false, '{{}}',
             case when n % 50 = 0 then 1 end, now(), now()
         from generate_series(2, 10000) n"
    )
}

/// Returns the query plan of the service role for a page of policies with this filter.
async fn policy_page_plan(db: &TestDatabase, filter: &str) -> String {
    let query = format!(
        "select * from policies where tenant_id = '{TENANT_A}' and {filter}
         and sequence < 9000 order by sequence desc limit 51"
    );
    query_plan(db, &query).await
}

/// Returns the query plan of the service role for a query.
async fn query_plan(db: &TestDatabase, query: &str) -> String {
    let tx = begin(&db.app, AS_A).await;
    let explain = format!("explain (costs off) {query}");
    let rows = tx.query_all_raw(Statement::from_string(DbBackend::Postgres, explain)).await;
    let rows = rows.expect("the role can read").into_iter();
    rows.map(|row| row.try_get_by_index::<String>(0).expect("a plan line") + "\n").collect()
}

#[tokio::test]
async fn every_policy_list_uses_an_index_in_its_order() {
    let db = two_tenants().await;
    let superuser = connect(&db.superuser_url).await;
    superuser.execute_unprepared(&insert_many_policies()).await.expect("insert policies");
    superuser.execute_unprepared("analyze policies").await.expect("analyze the table");
    let in_group = format!("policy_group_id = '{TENANT_A}'");
    for (filter, index) in [
        ("true", "policies_unique_sequence"),
        (&*in_group, "policies_by_group"),
        ("active_version is not null", "policies_active"),
        ("active_version is null", "policies_unique_sequence"),
        ("(decision_types = '{}' or 'payment' = any (decision_types))", "policies_unique_sequence"),
        ("strpos(code_key, 'p7') > 0 or strpos(name_folded, 'p7') > 0", "policies_unique_sequence"),
    ] {
        let plan = policy_page_plan(&db, filter).await;
        assert!(plan.contains(index) && !plan.contains("Sort"), "{filter}: {plan}");
    }
}

#[tokio::test]
async fn a_search_uses_the_index_of_its_tenant() {
    let db = two_tenants().await;
    let superuser = connect(&db.superuser_url).await;
    superuser.execute_unprepared(&insert_many_policies()).await.expect("insert policies");
    superuser.execute_unprepared("vacuum (analyze) search_texts").await.expect("analyze the table");
    // The functions of searches run as the owner.
    let explain = format!(
        "explain (costs off) select id from search_texts
         where search_grams(tenant_id, kind, parts, 1)
             @> search_grams('{TENANT_A}', 'policy', 'p9999', 3)"
    );
    let tx = begin(&db.owner, AS_A).await;
    let rows = tx.query_all_raw(Statement::from_string(DbBackend::Postgres, explain)).await;
    let plan: String = rows
        .expect("the owner can read")
        .into_iter()
        .map(|row| row.try_get_by_index::<String>(0).expect("a plan line"))
        .collect();
    assert!(plan.contains("Bitmap Index Scan on search_texts_by_gram"), "{plan}");
    for (tenant, count) in [(TENANT_A, 1), (TENANT_B, 0)] {
        let tx = begin(&db.app, &[("app.tenant", tenant)]).await;
        let search = "select search_any('policy', 'p9999', 9)";
        let query = Statement::from_string(DbBackend::Postgres, search);
        assert_eq!(tx.query_all_raw(query).await.expect("the role can search").len(), count);
    }
}

#[tokio::test]
async fn deliveries_since_a_time_use_the_time_index() {
    let db = two_tenants().await;
    let superuser = connect(&db.superuser_url).await;
    let insert = format!(
        "insert into webhook_deliveries (tenant_id, id, subscription_id, alert_id, body, status,
             delivered_at, created_at)
         select '{TENANT_A}', gen_random_uuid(), '{TENANT_A}', '{TENANT_A}', '{{}}', 'delivered',
             now(), timestamptz '2026-01-01Z' + n * interval '1 hour'
         from generate_series(1, 10000) n"
    );
    superuser.execute_unprepared(&insert).await.expect("insert deliveries");
    superuser.execute_unprepared("analyze webhook_deliveries").await.expect("analyze the table");
    let query = format!(
        "select subscription_id, status, count(*) from webhook_deliveries
         where tenant_id = '{TENANT_A}'
             and created_at >= '2027-02-20Z'::timestamptz
         group by subscription_id, status"
    );
    let plan = query_plan(&db, &query).await;
    assert!(plan.contains("webhook_deliveries_by_time"), "{plan}");
}
