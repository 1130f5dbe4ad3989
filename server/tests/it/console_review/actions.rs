//! Superseding, setting aside and deactivating, and submissions that need another step.

use super::{act, version_page};
use crate::prelude::*;

#[testkit::test]
async fn a_draft_can_be_superseded_and_set_aside(service: TestService) {
    let version = service.draft("SPEND").await;
    let author = Browser::new(&service, service.author().await);
    let reason = [("form[text]", "The limit was too low.")];
    let response = act(&service, &author, &version, "Supersede", &reason).await;
    let page = author.at(&format!("policies/{}/versions/2/edit", version.policy));
    assert_eq!(response.header("location"), Some(&*page), "{}", response.text);
    let replaced = service.read(&version).await;
    assert_eq!(
        (&replaced["status"], &replaced["closed_reason"]),
        (&json!("replaced"), &json!("The limit was too low."))
    );
    let html = author.page(&version_page(&version)).await.html();
    assert!(html.contains("It was replaced by") && html.contains("The limit was too low."));
    assert!(!html.contains("id=\"lifecycle\""), "it has no further phase: {html}");
    let second = Version { policy: version.policy.clone(), number: 2 };
    assert_eq!(service.read(&second).await["rules"].as_array().map(Vec::len), Some(3));
    let refusal = act(&service, &author, &second, "SetAside", &[]).await;
    assert!(refusal.header("location").is_some_and(|page| page.ends_with("/set-aside")));
    act(&service, &author, &second, "SetAside", &reason).await;
    assert_eq!(service.read(&second).await["status"], "set_aside");
}

#[testkit::test]
async fn a_ratifier_can_deactivate_a_policy_with_a_reason(service: TestService) {
    let version = service.active("SPEND").await;
    let (policy, tenant) = (version.policy.clone(), service.tenant.to_string());
    let ratifier = Browser::new(&service, service.ratifier().await);
    let page = format!("policies/{policy}/deactivate");
    let deactivate = async |browser: &Browser<'_>, seen: &str, reason: &str| {
        let fields =
            [("tenant", &*tenant), ("policy", &*policy), ("version", seen), ("reason", reason)];
        let request = browser.client("theme=dark").call("POST", "/console/deactivate-policy");
        request.body(crate::console_pages::FORM, form(&fields)).await
    };
    assert!(ratifier.page(&format!("policies/{policy}")).await.text.contains("/deactivate\""));
    ratifier
        .shows(
            &page,
            ["Deactivate v1", "SPEND", "payment", "stops affecting decisions immediately"],
        )
        .await;
    // A missing reason or a changed active version is refused, and the input is preserved.
    for (seen, reason, expected) in [
        ("1", "", "Enter a reason of 1 to 500 characters"),
        ("7", "It is a mistake.", "Another version was activated"),
    ] {
        let refusal = deactivate(&ratifier, seen, reason).await;
        assert_eq!(refusal.header("location"), Some(&*ratifier.at(&page)), "{}", refusal.text);
        let html = ratifier.page(&page).await.text;
        assert!(html.contains(expected) && html.contains(reason), "{expected}: {html}");
    }
    assert_eq!(service.read(&version).await["is_active"], true);

    // Other roles see no link and can neither open the page nor submit its form.
    let author = Browser::new(&service, service.author().await);
    let html = author.page(&format!("policies/{policy}")).await.text;
    assert!(!html.contains("/deactivate\""), "{html}");
    assert_eq!(author.page(&page).await.status, 403);
    deactivate(&author, "1", "It is a mistake.").await;
    assert_eq!(service.read(&version).await["is_active"], true);

    let response = deactivate(&ratifier, "1", "It is a mistake.").await;
    let location = ratifier.at(&format!("policies/{policy}"));
    response.assert_redirects_to(&location);
    assert_eq!(service.read(&version).await["is_active"], false);
    ratifier.shows(&format!("policies/{policy}"), ["Decisions do not use this policy."]).await;
    assert!(ratifier.page(&page).await.text.contains("Decisions do not use this policy."));
}

#[testkit::test]
async fn a_failed_submission_seals_nothing(service: TestService) {
    let version = service.draft("SPEND").await;
    let author = Browser::new(&service, service.author().await);
    // A trigger makes the second step fail.
    for statement in [
        "create function refuse() returns trigger language plpgsql as \
         $$ begin raise exception 'no'; end $$",
        "create trigger z_refuse before update on policy_versions for each row \
         when (new.status = 'submitted') execute function refuse()",
    ] {
        service.sql(statement).await;
    }
    let submissions = async || service.sql("select count(*)::text from review_submissions").await;
    let seal_events = async || {
        let query = "select count(*)::text from audit_events where action = 'policy_version.seal'";
        service.sql(query).await
    };
    act(&service, &author, &version, "Send", &[]).await;
    assert_eq!(
        (submissions().await, seal_events().await),
        (vec!["0".to_owned()], vec!["0".to_owned()])
    );
    service.sql("drop trigger z_refuse on policy_versions").await;
    act(&service, &author, &version, "Send", &[]).await;
    assert_eq!(
        (submissions().await, seal_events().await),
        (vec!["1".to_owned()], vec!["1".to_owned()])
    );
    assert_eq!(service.read(&version).await["status"], "submitted");
}

#[testkit::test]
async fn submitting_the_rules_of_the_active_version_requires_a_confirmation(service: TestService) {
    let first = service.active("SPEND").await;
    let rules = service.read(&first).await["rules"].clone();
    let author = Browser::new(&service, service.author().await);
    let second = service.next_draft(&first, &rules).await;
    let page = format!("{}/send", version_page(&second));
    let warning = "This version has the same rules as v1, the active version.";
    let html = author.page(&page).await.text;
    assert!(html.contains(warning) && html.contains("form[same_rules]"), "{html}");

    let refusal = act(&service, &author, &second, "Send", &[]).await;
    refusal.assert_redirects_to(&author.at(&page));
    let html = author.shows(&page, ["Confirm that the active version has the same rules."]).await;
    assert!(html.contains(warning), "{html}");
    assert_eq!(service.read(&second).await["status"], "draft");

    act(&service, &author, &second, "Send", &[("form[same_rules]", "yes")]).await;
    assert_eq!(service.read(&second).await["status"], "submitted");

    // Other rules need no confirmation.
    service.key.post(second.action_path("recall"), &json!({})).await.expect(200);
    let edit = json!({"expected_revision": 1, "rules": crate::service::rules(7)});
    service.key.patch(second.path(), &edit).await.expect(200);
    let html = author.page(&page).await.text;
    assert!(!html.contains("same rules"), "{html}");
    act(&service, &author, &second, "Send", &[]).await;
    assert_eq!(service.read(&second).await["status"], "submitted");
}
