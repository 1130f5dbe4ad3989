//! The number of queries of each page of the console, with its frame.

use crate::forms::publish_form;
use crate::prelude::*;

/// The maximum of a page. Each request reads the session, the user with all memberships, and the counts of the
/// navigation, so that a page has one query of its own.
const MAX: usize = 4;

/// The pages with more queries: their maximum, and what they read.
const EXCEPTIONS: [(&str, usize, &str); 20] = [
    ("inbox", 8, "names, completed actions, key figures, changed rules and alerts by rule"),
    (
        "alerts",
        8,
        "names, policies to filter by with the mark of live updates, the list with its total, decisions, the shown alert",
    ),
    ("policies", 7, "groups, a page of policies, stages and recent decisions"),
    ("policy", 6, "names, the policy with its versions, recent decisions"),
    (
        "version",
        10,
        "names, the policy with its versions, settings, submissions, approval, anchor and comments",
    ),
    (
        "review",
        10,
        "names, the policy with its versions, settings, submissions, makers, the saved review and comments; the rules of \
         the other version if there is one",
    ),
    (
        "comparison",
        9,
        "names, the policy with its versions, settings, submissions, makers and comments; the rules of the other version \
         if there is one",
    ),
    ("groups", 5, "the groups and their numbers of policies"),
    (
        "capabilities",
        7,
        "names, lineages with their grants, the trust registry, and the versions that can have a new one",
    ),
    ("forms", 5, "forms, their submissions and the policies of new forms"),
    ("decisions", 5, "policies to filter by, the mark of live updates, saved filters and the list"),
    (
        "decision",
        8,
        "names, the decision with outcome and snapshot, its anchor, the approval of a policy, and its chain",
    ),
    ("chain", 7, "the chain with its seal, its steps, the trust registry and the transparency log"),
    ("audit", 6, "events, names, and the names of the objects of events"),
    ("members", 6, "counts, a page of members and names"),
    ("keys", 5, "a page of keys and names"),
    ("webhooks", 6, "webhooks, deliveries of the last day and dead deliveries"),
    ("deliveries", 5, "webhooks to filter by and a page of deliveries"),
    ("settings", 7, "settings, names, waiting versions and the history in the audit log"),
    (
        "account",
        10,
        "the profile with its roles and whether its address is proven, sessions, passkeys, authenticator app and recovery \
         codes",
    ),
];

#[testkit::test]
async fn each_page_runs_at_most_its_number_of_queries(service: TestService) {
    let version = service.active("PAY-01").await;
    let draft = service.draft("PAY-02").await;
    service.seal(&draft).await;
    service.record("a", 20_000).await;
    let decision = record(&service.key, &chain_request("b", json!({"chain_id": CHAIN}))).await;
    publish_form(&service, &version, json!({})).await;
    let group = json!({"code": "G", "name": "Group"});
    service.key.post("/v1/policy-groups", &group).await.expect(201);
    let webhook = json!({"url": "https://1.1.1.1/hook", "severity_min": "low"});
    let webhook = service.key.post("/v1/alerts/subscriptions", &webhook).await.expect(201);
    let test = format!("/v1/alerts/subscriptions/{}/test", text(&webhook["subscription"]["id"]));
    service.key.post(test, &json!({})).await.expect(201);

    let admin = Browser::new(&service, &service.admin().await);
    let (policy, decision) = (&version.policy, text(&decision["id"]));
    let open = format!("policies/{}/versions/1", draft.policy);
    let own = |(name, path): (&'static str, String)| (name, admin.at(&path));
    let pages = [
        ("overview", String::new()),
        ("inbox", "inbox".to_owned()),
        ("alerts", "alerts".to_owned()),
        ("policies", "policies".to_owned()),
        ("policy", format!("policies/{policy}")),
        ("version", format!("policies/{policy}/versions/1")),
        ("review", format!("{open}/review")),
        ("comparison", format!("{open}/compare")),
        ("groups", "groups".to_owned()),
        ("capabilities", "capabilities".to_owned()),
        ("forms", "forms".to_owned()),
        ("decisions", "decisions".to_owned()),
        ("decision", format!("decisions/{decision}")),
        ("chains", "chains".to_owned()),
        ("chain", format!("chains/{CHAIN}")),
        ("audit", "audit".to_owned()),
        ("members", "members".to_owned()),
        ("keys", "keys".to_owned()),
        ("webhooks", "webhooks".to_owned()),
        ("deliveries", "webhooks/deliveries".to_owned()),
        ("settings", "settings".to_owned()),
        ("identity providers", "settings/identity-providers".to_owned()),
        ("search", "search?q=PAY".to_owned()),
    ];
    let other = [("log", "/log".to_owned()), ("account", "/account".to_owned())];
    let pages: Vec<_> = pages.map(own).into_iter().chain(other).collect();

    // The first request of the overview also counts the new records.
    let overview = admin.at("");
    let page = admin.client("theme=dark").get(overview.trim_end_matches('/')).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let (statements, process) = service.start_process_with_statements().await;
    let client = admin.client("theme=dark").at_process_of(&process);
    let mut measured = Vec::new();
    for (name, path) in pages {
        statements.lock().unwrap().clear();
        let page = client.get(path.trim_end_matches('/')).await;
        assert_eq!(page.status, 200, "{name}: {}", page.text);
        let statements = statements.lock().unwrap();
        // A transaction sets its tenant or user with a statement of its own.
        let queries = statements.iter().filter(|sql| !sql.contains("set_config")).count();
        measured.push((name, queries));
    }
    let max = |page: &str| {
        let exception = EXCEPTIONS.iter().find(|(name, ..)| *name == page);
        exception.map_or(MAX, |(_, max, _)| *max)
    };
    let over: Vec<_> = measured.iter().filter(|(name, queries)| *queries > max(name)).collect();
    assert!(over.is_empty(), "over the maximum: {over:?}; all pages: {measured:#?}");
    let names = EXCEPTIONS.map(|(name, ..)| name);
    let unknown = names.iter().find(|name| measured.iter().all(|(page, _)| page != *name));
    assert_eq!(unknown, None, "an exception has no page");
}
