//! Pages of lists: each row is on one page, also if rows are added between two pages.

use crate::{capabilities::FOLLOW, prelude::*};

/// Adds at least one row to each list. `number` is the revision of the draft.
async fn add_rows(service: &TestService, [active, draft]: [&Version; 2], number: u32) {
    let (key, author) = (&service.key, service.author().await);
    let chain = json!({"chain_id": format!("c0000000-0000-4000-8000-{number:012}")});
    for (path, body) in [
        ("/v1/policies", policy(&format!("POLICY-{number}"))),
        ("/v1/policy-groups", json!({"code": format!("GROUP-{number}"), "name": "Group"})),
        ("/v1/api-keys", json!({"name": "a program", "scopes": ["policies:read"]})),
        ("/v1/decisions/record", chain_request(&format!("chained-{number}"), chain)),
        ("/v1/forms", json!({"policy_id": active.policy, "title": "Form"})),
    ] {
        key.post(path, &body).await.expect(201);
    }
    service.record(&format!("denied-{number}"), 20_000).await;
    service.member(Role::Viewer).await;
    service.grant(draft, &FOLLOW).await;
    service.seal(draft).await;
    let comment = json!({"text": number.to_string()});
    author.post(draft.action_path("comments"), &comment).await.expect(201);
    let edit = json!({"expected_revision": number, "change_reason": number.to_string()});
    author.patch(draft.path(), &edit).await.expect(200);
}

/// Returns the IDs of the rows of a page.
fn ids(page: &Value) -> Vec<Value> {
    let id = |item: &Value| {
        let mut members = ["id", "user_id", "chain_id", "seq"].iter();
        members.find_map(|name| item.get(name)).expect("an ID").clone()
    };
    items(page).iter().map(id).collect()
}

#[testkit::test]
async fn pages_have_each_row_once_while_rows_are_added(service: TestService) {
    let active = service.active("ACTIVE").await;
    let draft = service.draft("DRAFT").await;
    for number in 1..=4 {
        add_rows(&service, [&active, &draft], number).await;
    }
    let admin = service.admin().await;
    let read = async |path: &str, query: &str| {
        let separator = if path.contains('?') { '&' } else { '?' };
        admin.get(format!("{path}{separator}{query}")).await.expect(200)
    };
    for (round, path) in [
        "/v1/policies",
        "/v1/policy-groups",
        "/v1/decisions",
        "/v1/decisions?decision=DENY",
        "/v1/decisions?rule_code=AMOUNT",
        &format!("/v1/decisions?policy_id={}", active.policy),
        &format!("{}/decisions", active.policy_path()),
        "/v1/chains",
        "/v1/forms",
        "/v1/api-keys",
        "/v1/admin/members",
        "/v1/authoring-capabilities",
        "/v1/audit-log?action=decision.record",
        &draft.action_path("comments"),
        &draft.action_path("submissions"),
    ]
    .into_iter()
    .enumerate()
    {
        let all = ids(&read(path, "limit=200").await);
        let mut page = read(path, "limit=3").await;
        add_rows(&service, [&active, &draft], 5 + u32::try_from(round).expect("few lists")).await;
        let mut paged = ids(&page);
        while let Some(cursor) = page["next_cursor"].as_str() {
            page = read(path, &format!("limit=3&cursor={cursor}")).await;
            paged.extend(ids(&page));
        }
        assert_eq!(paged, all, "{path}");
    }
}
