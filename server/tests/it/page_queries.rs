//! The number of queries of each page of the console, with its frame.

use crate::{
    console_roles::{PAGES, create_content},
    prelude::*,
};

/// The maximum of a page. Each request reads the session, the user with all memberships, and the counts of the
/// navigation, so that a page has one query of its own.
const MAX: usize = 4;

/// The pages with more queries: their maximum, and what they read.
const EXCEPTIONS: &str = "
inbox 8: names, completed actions, key figures, changed rules and alerts by rule
alerts 8: names, policies to filter by with the mark of live updates, the list with its total, decisions, the shown alert
alerts/ALERT 7: names, the alert with its decision, its deliveries and its history
policies 7: groups, a page of policies, stages and recent decisions
policies/POLICY 6: names, the policy with its versions, recent decisions
policies/POLICY/analytics 5: the policy and its counts
policies/POLICY/details 5: the policy and the groups
policies/POLICY/deactivate 6: names, the policy with its versions, and what a deactivation affects
policies/POLICY/versions/1 10: names, the policy with its versions, settings, submissions, approval, anchor and comments
DRAFT/review 10: names, the policy with its versions, settings, submissions, makers, the saved review and comments; the rules of the other version if there is one
DRAFT/review/accept 9: as the review
DRAFT/review/return 9: as the review
DRAFT/edit 12: as the review, with the requested changes, and the decisions that are samples
DRAFT/compare 9: names, the policy with its versions, settings, submissions, makers and comments; the rules of the other version if there is one
groups 5: the groups and their numbers of policies
groups/GROUP 7: names, the group, its policies and their numbers
capabilities 7: names, lineages with their grants, the trust registry, and the versions that can have a new one
forms 5: forms, their submissions and the policies of new forms
decisions 5: policies to filter by, the mark of live updates, saved filters and the list
decisions/DECISION 8: names, the decision with outcome and snapshot, its anchor, the approval of a policy, and its chain
decisions/DECISION/bundle 19: what the bundle contains
decisions/DECISION/outcome 5: the decision with its outcome
chains/CHAIN 7: the chain with its seal, its steps, the trust registry and the transparency log
audit 6: events, names, and the names of the objects of events
members/MEMBER/remove 7: the member, the roles and keys of all members
members/MEMBER/second-factors 7: the member and the factors of the account
members 6: counts, a page of members and names
keys 5: a page of keys and names
webhooks 6: webhooks, deliveries of the last day and dead deliveries
webhooks/deliveries/DELIVERY 9: the delivery with its attempts, its webhook, its alert and the decision
webhooks/deliveries 5: webhooks to filter by and a page of deliveries
settings 7: settings, names, waiting versions and the history in the audit log
/account 10: the profile with its roles and whether its address is proven, sessions, passkeys, authenticator app and recovery codes
";

#[testkit::test]
async fn each_page_runs_at_most_its_number_of_queries(service: TestService) {
    let path = create_content(&service).await;
    service.record("a", 20_000).await;
    let admin = Browser::new(&service, &service.admin().await);
    // The first request of the overview also counts the new records.
    let page = admin.client("theme=dark").get(path("/")).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let (statements, process) = service.start_process_with_statements().await;
    let client = admin.client("theme=dark").at_process_of(&process);
    let mut measured = Vec::new();
    for name in PAGES.split_whitespace().chain(["/log", "/account"]) {
        statements.lock().unwrap().clear();
        let own = ["/log", "/account"].contains(&name);
        let page = client.get(if own { name.to_owned() } else { path(name) }).await;
        assert_eq!(page.status, 200, "{name}: {}", page.text);
        let statements = statements.lock().unwrap();
        // A transaction sets its tenant or user with a statement of its own.
        let queries = statements.iter().filter(|sql| !sql.contains("set_config")).count();
        measured.push((name, queries));
    }
    let exceptions = EXCEPTIONS.lines().filter_map(|line| line.split_once(": ")?.0.split_once(' '));
    let exceptions: Vec<(&str, usize)> =
        exceptions.map(|(page, max)| (page, max.parse().expect("a number"))).collect();
    let max =
        |page: &str| exceptions.iter().find(|(name, _)| *name == page).map_or(MAX, |(_, max)| *max);
    let over: Vec<_> = measured.iter().filter(|(name, queries)| *queries > max(name)).collect();
    assert!(over.is_empty(), "over the maximum: {over:?}; all pages: {measured:#?}");
    let unknown = exceptions.iter().find(|(name, _)| measured.iter().all(|(page, _)| page != name));
    assert_eq!(unknown, None, "an exception has no page");
}
