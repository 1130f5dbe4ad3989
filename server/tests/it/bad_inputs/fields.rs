//! Field errors: a request that violates the contract gets all its errors, each with its path and code.

use crate::{
    capabilities::{FOLLOW, grant_request},
    prelude::*,
};

const MISSING: &str = "00000000-0000-4000-8000-000000000000";

/// Sends each request of one route and checks its errors. A row has the body, or the query of a list, and the errors.
async fn check(client: &Client, method: &str, path: impl AsRef<str>, rows: Value) {
    for row in rows.as_array().expect("rows") {
        let call = match &row[0] {
            Value::String(query) => client.get(format!("{}?{query}", path.as_ref())),
            body => client.call(method, path.as_ref()).json(body),
        };
        let response = call.await;
        let (errors, expected) = (response.field_errors(), text(&row[1]));
        assert_eq!(response.to_string(), "422 VALIDATION_ERROR", "{expected}: {}", response.text);
        assert_eq!(errors.trim_end().replace('\n', ", "), expected, "{method} {}", path.as_ref());
    }
}

/// Returns a text of many characters, each of two bytes: the limits count characters.
fn long(length: usize) -> Value {
    json!("ü".repeat(length))
}

#[testkit::test]
async fn all_errors_of_a_policy_and_its_versions_are_reported(service: TestService) {
    let admin = service.admin().await;
    let version = service.draft("PAY-01").await;
    let policy_errors = json!({
        "code": "no spaces", "name": "", "decision_types": ["", 7], "shadow_mode": "yes",
        "description": null, "inheritable": 1, "regulatory_refs": "GDPR", "policy_group_id": "x",
        "change_reason": "", "extra": 1, "rules": [{}],
    });
    let errors = json!([
        [{}, "/code required, /name required"],
        [policy_errors, "/code format, /name too_short, /decision_types/0 too_short, /decision_types/1 type, \
            /policy_group_id format, /shadow_mode type, /inheritable type, /regulatory_refs type, \
            /change_reason too_short, /extra unknown, /rules/0/code required, /rules/0/rule_type required, \
            /rules/0/condition required, /rules/0/severity required"],
        [{"code": "x".repeat(101), "name": long(201)}, "/code too_long, /name too_long"],
        [{"code": "C", "name": " \u{3000}"}, "/name too_short"],
        [{"code": "C", "name": "C", "description": long(65_537), "change_reason": long(501)},
            "/description too_long, /change_reason too_long"],
    ]);
    check(&admin, "POST", "/v1/policies", errors).await;
    for code in [".x", "-x", "a b", "ä", "a/b", "a\u{200b}"] {
        let body = json!({"code": code, "name": "Name"});
        let errors = json!([[body, "/code format"]]);
        check(&admin, "POST", "/v1/policies", errors).await;
    }
    let patch = json!({
        "name": " ", "description": 7, "decision_types": ["a", ""], "policy_group_id": "x",
        "shadow_mode": "yes", "inheritable": null, "regulatory_refs": "PSD2", "code": "NEW",
        "is_active": false, "shadow_mod": true,
    });
    let errors = json!([
        [patch, "/name too_short, /description type, /decision_types/1 too_short, /policy_group_id format, \
            /shadow_mode type, /inheritable type, /regulatory_refs type, /code unknown, /is_active unknown, \
            /shadow_mod unknown"],
        [{"policy_group_id": MISSING}, "/policy_group_id unknown"],
    ]);
    check(&admin, "PATCH", version.policy_path(), errors).await;
    let errors = json!([[{}, "/rules required"]]);
    check(&admin, "POST", version.versions_path(), errors).await;
    let range = "/expected_revision range";
    let errors = json!([
        [{}, "/expected_revision required"],
        [{"expected_revision": -1}, range],
        [{"expected_revision": 1.5}, range],
        [{"expected_revision": "1"}, range],
        [{"expected_revision": null}, range],
        [{"expected_revision": 4_294_967_296_u64}, range],
    ]);
    check(&admin, "PATCH", version.path(), errors).await;
    let correction = json!({
        "expected_revision": -1, "rules": [{"code": "R"}], "change_reason": long(501), "reason": "",
    });
    let errors = json!([
        [{}, "/expected_revision required, /rules required, /change_reason required"],
        [
            correction,
            "/expected_revision range, /change_reason too_long, /reason unknown, \
            /rules/0/rule_type required, /rules/0/condition required, /rules/0/severity required"
        ],
    ]);
    check(&admin, "POST", version.action_path("supersede"), errors).await;
    for (action, body, errors) in [
        ("submit", json!({"note": "please"}), "/note unknown"),
        ("reject", json!({}), "/reason required"),
        ("set-aside", json!({}), "/reason required"),
        (
            "seal",
            json!({"answers_record_id": 1, "answer": true}),
            "/answers_record_id format, /answer unknown",
        ),
    ] {
        let errors = json!([[body, errors]]);
        check(&admin, "POST", version.action_path(action), errors).await;
    }
    let submission = service.seal(&version).await;
    let record = json!({
        "verdict": "accept", "note": 1, "coments": [],
        "comments": [{"rule_code": "R"}, {"text": "", "line": 3}],
    });
    let errors = json!([
        [{}, "/verdict required"],
        [
            record,
            "/verdict enum, /comments/0/text required, /comments/1/text too_short, /comments/1/line unknown, \
            /note type, /coments unknown"
        ],
    ]);
    check(
        &admin,
        "POST",
        version.action_path(&format!("submissions/{submission}/records")),
        errors,
    )
    .await;
    let errors = json!([
        [{}, "/text required"],
        [{"text": " "}, "/text too_short"],
        [{"text": long(4_001)}, "/text too_long"],
        [{"text": "x", "unit_id": "u", "in_reply_to": "none"}, "/in_reply_to format, /unit_id unknown"],
        [{"text": "x", "rule_code": "amount"}, "/rule_code unknown"],
    ]);
    check(&admin, "POST", version.action_path("comments"), errors).await;
    for number in ["0", "-1", "1.0", "latest", "Active", "4294967296"] {
        let errors = json!([[format!("version={number}"), "/version format"]]);
        check(&admin, "GET", version.policy_path(), errors).await;
    }
    let errors = json!([
        ["against=0", "/against format"],
        ["against=-1", "/against format"],
        ["against=one", "/against format"],
        ["against=", "/against format"],
        ["against=4294967296", "/against format"],
        ["against=1&against=1", "/against repeated"],
    ]);
    check(&admin, "GET", version.action_path("diff"), errors).await;
    assert_eq!(service.sql("select count(*)::text from policy_versions").await, ["1"]);
}

#[testkit::test]
async fn all_errors_of_a_decision_are_reported(service: TestService) {
    service.active("PAY-01").await;
    let body = json!({
        "idempotency_key": "", "actor": {"declared_id": "x", "name": "x"}, "action": {"kind": "x"},
        "chain": {},
        "policy_ids": ["x"], "policy_group_code": "-",
        "context": {
            "decision_type": "", "fields": [], "evidence": [7, {"kind": 7}, {"data": null, "x": 1}],
            "metadata": {"timestamp": "yesterday", "actor_id": ""},
            "source_artifact": {"byte_size": 0, "size": 1}, "x": 1,
        },
    });
    let errors = json!([
        [{}, "/context required, /idempotency_key required"],
        [
            body,
            "/context/decision_type too_short, /context/fields type, /context/evidence/0 type, \
            /context/evidence/1/kind type, /context/evidence/2/x unknown, /context/metadata/actor_id too_short, \
            /context/metadata/timestamp format, /context/source_artifact/byte_size range, \
            /context/source_artifact/size unknown, /context/x unknown, /idempotency_key too_short, \
            /actor/declared_id unknown, /actor/name unknown, /chain/chain_id required, /action/type required, \
            /action/kind unknown, /policy_group_code format, /policy_ids/0 format"
        ],
    ]);
    check(&service.key, "POST", "/v1/decisions/record", errors).await;
    let record = |member: &str, value: Value| {
        let mut body = request("k", 1);
        *body.pointer_mut(member).unwrap_or_else(|| panic!("{member}")) = value;
        body
    };
    let evidence = |count: usize| Value::Array(vec![json!({"kind": "k"}); count]);
    let with_evidence = |count: usize| {
        let mut body = request("evidence", 1);
        body["context"]["evidence"] = evidence(count);
        body
    };
    let errors = json!([
        [record("/idempotency_key", long(256)), "/idempotency_key too_long"],
        [record("/context/decision_type", long(101)), "/context/decision_type too_long"],
        [with_evidence(1_001), "/context/evidence too_many"],
    ]);
    check(&service.key, "POST", "/v1/decisions/record", errors).await;
    for longest in [record("/idempotency_key", long(255)), with_evidence(1_000)] {
        service.key.post("/v1/decisions/record", &longest).await.expect(201);
    }
    let chain = |chain: Value| {
        let mut body = request("k", 1);
        body["chain"] = chain;
        body
    };
    let range = "/chain/chain_step range";
    let errors = json!([
        [chain(json!([])), "/chain type"],
        [chain(json!({"chain_id": "x"})), "/chain/chain_id format"],
        [chain(json!({"chain_id": CHAIN, "chain_step": 0})), range],
        [chain(json!({"chain_id": CHAIN, "chain_step": -1})), range],
        [chain(json!({"chain_id": CHAIN, "chain_step": 1.5})), range],
        [chain(json!({"chain_id": CHAIN, "chain_step": "1"})), range],
        [chain(json!({"chain_id": CHAIN, "chain_step": 1_000_000})), range],
        [
            chain(json!({"chain_id": 7, "step": 1, "parent_decision_id": null})),
            "/chain/chain_id format, /chain/step unknown"
        ],
    ]);
    check(&service.key, "POST", "/v1/decisions/record", errors).await;
    let errors = json!([[{}, "/context required"]]);
    check(&service.key, "POST", "/v1/decisions/evaluate", errors).await;
    let contexts = json!({"contexts": [
        payment(1),
        {"decision_type": "", "fields": []},
        7,
        {"decision_type": "payment", "fields": {}, "feilds": {}},
    ]});
    let errors = json!([
        [contexts, "/contexts/1/decision_type too_short, /contexts/1/fields type, /contexts/2 type, \
            /contexts/3/feilds unknown"],
        [{}, "/contexts required"],
        [{"contexts": {}}, "/contexts type"],
        [{"contexts": vec![payment(1); 101]}, "/contexts too_many"],
        [{"contexts": [], "explain": true}, "/explain unknown"],
    ]);
    check(&service.key, "POST", "/v1/decisions/evaluate-batch", errors).await;
    let decision = service.record("outcome", 1).await;
    let outcome = json!({
        "status": "no", "note": 1, "reference_id": "", "actor": {"nam": "x"}, "occurred_at": "today",
        "outcome": true,
    });
    let errors = json!([
        [{}, "/status required"],
        [{"status": "Accepted"}, "/status enum"],
        [{"status": null}, "/status enum"],
        [{"status": "accepted", "note": long(2_001)}, "/note too_long"],
        [outcome, "/status enum, /note type, /reference_id too_short, /actor/nam unknown, /occurred_at format, \
            /outcome unknown"],
    ]);
    check(&service.key, "POST", format!("/v1/decisions/{}/outcome", text(&decision["id"])), errors)
        .await;
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["3"]);
    assert_eq!(service.sql("select count(*)::text from outcomes").await, ["0"]);
}

#[testkit::test]
async fn all_errors_of_other_requests_are_reported(service: TestService) {
    let (admin, version) = (service.admin().await, service.draft("PAY-01").await);
    let errors = json!([
        [{}, "/code required, /name required"],
        [{"code": "a b", "name": "", "description": null, "policies": []},
            "/code format, /name too_short, /policies unknown"],
    ]);
    check(&admin, "POST", "/v1/policy-groups", errors).await;
    let group =
        admin.post("/v1/policy-groups", &json!({"code": "G", "name": "Group"})).await.expect(201);
    let group = format!("/v1/policy-groups/{}", text(&group["id"]));
    let errors = json!([(
        json!({"code": null, "name": 7, "description": [], "id": MISSING}),
        "/code type, /name type, /description type, /id unknown",
    )]);
    check(&admin, "PATCH", &group, errors).await;
    let ids = |count: usize| -> Vec<String> {
        (0..count).map(|n| format!("00000000-0000-4000-8000-{n:012}")).collect()
    };
    let errors = json!([
        [{"ids": ids(501)}, "/ids too_many"],
        [{"ids": []}, "/ids too_few"],
        [{"ids": ["x"]}, "/ids/0 format"],
        [{"ids": [MISSING, MISSING]}, "/ids/1 duplicate"],
    ]);
    check(&admin, "POST", "/v1/alerts/acknowledge", errors).await;
    let scopes = |scopes: Value| json!({"name": "k", "scopes": scopes});
    let expires = |at: &str| json!({"name": "k", "scopes": ["policies:read"], "expires_at": at});
    let several =
        json!({"name": 7, "scopes": ["policies:read", "all", "tenants:provision", 7], "ttl": 1});
    let errors = json!([
        [{}, "/name required, /scopes required"],
        [{"name": " ", "scopes": []}, "/name too_short, /scopes too_few"],
        [{"name": long(201), "scopes": "policies:read"}, "/name too_long, /scopes type"],
        [several, "/name type, /scopes/1 enum, /scopes/2 not_grantable, /scopes/3 enum, /ttl unknown"],
        [scopes(json!(["policies:read", "alerts:read", "policies:read"])), "/scopes/2 duplicate"],
        [scopes(json!(["Policies:Read"])), "/scopes/0 enum"],
        [expires("2026-12-24"), "/expires_at format"],
        [expires(NOW), "/expires_at range"],
    ]);
    check(&admin, "POST", "/v1/api-keys", errors).await;
    let errors = json!([
        [{"from_seq": 5, "to_seq": 3}, "/from_seq order"],
        [{"from_seq": 1_000}, "/from_seq range"],
        [{"to_seq": 1_000}, "/to_seq range"],
        [{"from_seq": 0, "to_seq": null}, "/from_seq range"],
        [{"from": 1}, "/from unknown"],
        [[], " type"],
    ]);
    check(&admin, "POST", "/v1/audit-log/verify", errors).await;
    let errors = json!([
        [{}, "/user_id required"],
        [{"user_id": MISSING, "email": "a@b.example"}, "/email conflict"],
        [{"email": "ada", "role": "owner"}, "/email format, /role enum"],
        [{"user_id": "ada", "rol": "admin"}, "/user_id format, /rol unknown"],
        [{"email": null}, "/user_id required"],
    ]);
    check(&admin, "POST", "/v1/admin/members/invite", errors).await;
    let errors = json!([
        [{}, "/email required, /display_name required"],
        [{"email": "ada", "display_name": ""}, "/email format, /display_name too_short"],
        [{"email": "a@b.example", "display_name": "A", "role": "admin"}, "/role unknown"],
        // A display name is one line, and does not change the direction of other text.
        [{"email": "a@b.example", "display_name": "Ada\r\nBcc: e@evil.example"}, "/display_name format"],
        [{"email": "a@b.example", "display_name": "Ada\u{2028}Eve"}, "/display_name format"],
        [{"email": "a@b.example", "display_name": "Ada\u{85}"}, "/display_name format"],
        [{"email": "a@b.example", "display_name": "\u{202e}adA"}, "/display_name format"],
    ]);
    check(&admin, "POST", "/v1/admin/users", errors).await;
    let errors = json!([
        [{}, "/name required"],
        [{"name": "", "parent": MISSING}, "/name too_short, /parent unknown"],
        [{"name": long(201)}, "/name too_long"],
        [{"name": "x", "parent_tenant_id": "acme"}, "/parent_tenant_id format"],
        [{"name": "x", "parent_tenant_id": MISSING}, "/parent_tenant_id unknown"],
    ]);
    check(&service.operator().await, "POST", "/v1/admin/tenants", errors).await;
    let settings = json!({
        "maker_checker_enabled": "no", "review_required": null, "public_receipt_redaction": "all",
        "bundle_include_context": 1, "alert_min_severity": "severe", "reason": "because",
        "updated_by": "me",
    });
    let errors = json!([(
        settings,
        "/maker_checker_enabled type, /review_required type, /public_receipt_redaction enum, \
            /bundle_include_context type, /alert_min_severity enum, /reason unknown, /updated_by unknown",
    )]);
    check(&admin, "PATCH", "/v1/settings", errors).await;
    let grant = json!({
        "policy_id": "x", "version": 0, "actions": ["policy.read", "policy.read", "policy.ratify"],
        "expires_at": "2026-09-02T00:00:00Z", "not_before": "2026-09-02T00:00:00Z", "max_uses": 0,
        "name": "", "scopes": [],
    });
    let mut expired = grant_request(&version, &FOLLOW);
    expired["expires_at"] = json!(NOW);
    let errors = json!([
        [{}, "/policy_id required, /version required, /actions required, /name required"],
        [
            grant,
            "/policy_id format, /version range, /actions/1 duplicate, /actions/2 enum, /max_uses range, \
            /name too_short, /expires_at order, /scopes unknown"
        ],
        [grant_request(&version, &[]), "/actions too_few"],
        [expired, "/expires_at range"],
    ]);
    check(&admin, "POST", "/v1/authoring-capabilities", errors).await;
    let form = json!({
        "title": "", "fields": [{"name": "a", "label": "A", "type": "select"}], "access_mode": "password",
        "token_budget": {"limit": 0, "window": "week"}, "branding": {"logo": "x"}, "published": true,
    });
    let errors = json!([(
        form,
        "/policy_id required, /title too_short, /fields/0/options required, /token_budget/limit range, \
            /token_budget/window enum, /branding/logo unknown, /password required, /published unknown",
    )]);
    check(&admin, "POST", "/v1/forms", errors).await;
    let credentials = "/email required, /password required";
    let errors = json!([[{}, credentials]]);
    check(&service.public, "POST", "/v1/session", errors).await;
    // The keys of the service and of the grants, and the first tenant.
    let counts = "select (select count(*) from api_keys) || ' ' || (select count(*) from tenants)";
    assert_eq!(service.sql(counts).await, ["1 1"]);
}

#[testkit::test]
async fn all_errors_of_the_parameters_of_a_list_are_reported(service: TestService) {
    let long = "x".repeat(256);
    let version = service.draft("PAY-01").await;
    let errors = json!([
        ["is_active=maybe", "/is_active format"],
        ["is_active=True", "/is_active format"],
        ["policy_group_id=x", "/policy_group_id format"],
        ["q=", "/q length"],
        ["q=%00", "/q nul"],
        ["q=%FFx", "/q format"],
        ["a/b~c=1", "/a~1b~0c unknown"],
        ["limit=5&limit=5", "/limit repeated"],
        ["q=a&q=b&page=2&x", "/q repeated, /page unknown, /x unknown"],
    ]);
    check(&service.key, "GET", "/v1/policies", errors).await;
    let errors = json!([["status=closed", "/status format"], ["chain_id=x", "/chain_id format"],]);
    check(&service.key, "GET", "/v1/chains", errors).await;
    let errors = json!([
        ["decision=deny", "/decision format"],
        ["decision=MAYBE&policy_id=7", "/decision format, /policy_id format"],
        [
            "severity=none&outcome=open&shadow_converted=1",
            "/severity format, /outcome format, /shadow_converted format"
        ],
        ["chain_id=", "/chain_id format"],
        ["chain_id=c&chain_id=d", "/chain_id repeated, /chain_id format"],
        ["actor_id=", "/actor_id length"],
        ["recorded_from=yesterday", "/recorded_from format"],
        ["recorded_to=2026-09-01", "/recorded_to format"],
        // An unescaped plus is a space.
        ["recorded_to=2026-09-01T10:00:00+02:00", "/recorded_to format"],
        [
            "recorded_from=2026-09-02T00:00:00Z&recorded_to=2026-09-01T00:00:00Z",
            "/recorded_from range"
        ],
        ["recorded_form=2026-09-01T10:00:00Z", "/recorded_form unknown"],
        [format!("idempotency_key={long}"), "/idempotency_key length"],
        [format!("rule_code={long}"), "/rule_code length"],
        ["cursor=AAAA", "/cursor cursor"],
        ["cursor=%F0%9F%98%80", "/cursor cursor"],
        ["cursor=", "/cursor length"],
    ]);
    check(&service.key, "GET", "/v1/decisions", errors).await;
    let errors = json!([
        ["", "/recorded_from required, /recorded_to required"],
        ["recorded_from=2026-09-01T00:00:00Z", "/recorded_to required"],
        [
            "recorded_from=x&format=xml&limit=5&cursor=a",
            "/recorded_from format, /recorded_to required, /format format, /cursor unknown, /limit unknown"
        ],
        [
            "recorded_from=2026-09-02T00:00:00Z&recorded_to=2026-09-01T00:00:00Z",
            "/recorded_from range"
        ],
    ]);
    check(&service.key, "GET", "/v1/decisions/export", errors).await;
    let exports = "select count(*)::text from audit_events where action = 'decision.export'";
    assert_eq!(service.sql(exports).await, ["0"], "a rejected export creates no audit event");
    let errors = json!([
        ["actor=x", "/actor unknown"],
        ["from=yesterday", "/from format"],
        ["from=2026-09-02T00:00:00Z&to=2026-09-01T00:00:00Z", "/from range"],
        ["action=&object_id=", "/action length, /object_id length"],
    ]);
    check(&service.key, "GET", "/v1/audit-log", errors).await;
    let errors = json!([
        ["limit=0", "/limit range"],
        ["limit=101", "/limit range"],
        ["offset=-1", "/offset format"],
        [
            "severity=bad&status=x&alert_type=x",
            "/severity format, /status format, /alert_type format"
        ],
        ["assigned_to=x&a=1", "/assigned_to format, /a unknown"],
        [format!("rule_code={long}"), "/rule_code length"],
    ]);
    check(&service.key, "GET", "/v1/alerts", errors).await;
    let errors = json!([
        ["bucket=week", "/bucket format"],
        ["from=yesterday&to=x", "/from format, /to format"],
        ["from=2026-09-02T00:00:00Z&to=2026-09-01T00:00:00Z", "/from range"],
        ["bucket=hour&from=2026-01-01T00:00:00Z", "/from range"],
        ["from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z", "/from range"],
        ["until=2026-01-01T00:00:00Z", "/until unknown"],
    ]);
    check(&service.key, "GET", format!("{}/analytics", version.policy_path()), errors).await;
}
