//! Audit log filters: each uses an index under row-level security.

use crate::prelude::*;

/// Creates a tenant with 20,000 audit events, one second apart. Nearly all of them are decision
/// records of a key. Their bytes and hashes are not valid, because lists do not read them.
async fn tenant_with_long_log() -> (TestEnv, TestTenant) {
    let (env, tenant) = test_tenant().await;
    let tenant_id = tenant.tenant;
    env
        .execute_as_superuser(&format!(
            "alter table audit_events disable trigger all;
             insert into audit_events select '{tenant_id}', n, gen_random_uuid(),
                 '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second',
                 case when n % 1000 = 0 then 'policy.create' else 'decision.record' end,
                 case when n % 1000 = 0 then 'human' else 'api_key' end,
                 case when n % 1000 = 0 then 'ada' else 'key' end,
                 case when n % 1000 = 0 then 'policy' else 'decision' end,
                 'object ' || n, '{{}}', sha256(n::text::bytea), sha256((n - 1)::text::bytea)
                 from generate_series(11, 20010) n;
             insert into audit_personal (tenant_id, seq, personal) select tenant_id, seq,
                 case when actor_type = 'human' then '{{\"data\":{{\"email\":\"ada@example.org\"}}}}'
                     else '{{\"data\":{{\"key_name\":\"key\"}}}}' end from audit_events where seq > 10;
             analyze audit_events, audit_personal"
        ))
        .await;
    (env, tenant)
}

#[tokio::test]
async fn each_filter_uses_its_index_under_row_level_security() {
    let (env, tenant) = tenant_with_long_log().await;
    for (condition, index) in [
        ("action = 'policy.create' and action <> 'decision.record'", "audit_events_by_action"),
        ("object_type = 'policy' and object_type <> 'decision'", "audit_events_by_object_type"),
        ("actor_id = 'ada'", "audit_events_by_actor"),
        ("object_id = 'object 12000' and action <> 'decision.record'", "audit_events_by_object"),
        (
            "seq in (select seq from audit_personal where email = 'ada@example.org')",
            "audit_personal_by_email",
        ),
        ("action = 'decision.record'", "audit_events_pkey"),
    ] {
        let tenant_id = tenant.tenant;
        let query = format!(
            "select * from audit_events where tenant_id = '{tenant_id}' and {condition} \
             and seq < 9000000 order by seq desc limit 51"
        );
        let plan = env.plan(tenant_id, &query).await;
        assert!(plan.contains(index), "{condition}\n{plan}");
        assert!(!plan.contains("Seq Scan"), "{condition}\n{plan}");
    }
}
