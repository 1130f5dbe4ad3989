//! Assigning and snoozing alerts.

use super::{ASSIGN, SNOOZE, UNDO, alerts, fields, of_ids, only};
use crate::prelude::*;

#[tokio::test]
async fn assigning_and_snoozing_are_undone_unless_another_person_changed_the_alert() {
    let service = test_service().await;
    service.active("PAY-01").await;
    for key in ["a", "b", "c"] {
        service.record(key, 20_000).await;
    }
    let rows = alerts(&service, "").await;
    let ids: Vec<&str> = rows.iter().map(|row| text(&row["id"])).collect();
    let person = service.signed_in_member(Role::Operator).await;
    let person_id = user_id(&person).await;
    let (operator, person_id) = (Browser::new(&service, &person), text(&person_id));
    let back = operator.at("alerts?page=1");
    let assign = format!("{}&{}", of_ids(&ids), form(&[("back", &back), ("assignee", person_id)]));

    operator.post(ASSIGN, &assign).await.assert_redirects_to(&back);
    let page = operator.shows("alerts?page=1", ["3 alerts assigned to operator"]).await;
    // Another person acknowledges one and assigns one to another member.
    let other = user_id(&service.signed_in_member(Role::Author).await).await;
    service.clock.advance(1);
    let acknowledge = format!("/v1/alerts/{}/acknowledge", ids[0]);
    service.key.post(acknowledge, &json!({})).await.expect(200);
    let assign = json!({"user_id": other});
    service.key.post(format!("/v1/alerts/{}/assign", ids[1]), &assign).await.expect(200);
    let undo = fields(&page, UNDO);
    operator.post(UNDO, &undo).await.assert_redirects_to(&back);
    let page = operator.shows("alerts?page=1", ["Alert restored."]).await;
    assert!(page.contains("2 alerts have changed in the meantime."), "{page}");
    assert!(page.contains("Assigned to author"), "{page}");
    assert!(!page.contains(UNDO), "an undo is not undone: {page}");
    let assigned = alerts(&service, &format!("assigned_to={person_id}")).await;
    assert_eq!(assigned.len(), 1, "the acknowledged alert keeps its assignee");
    operator.post(UNDO, &undo).await;
    assert!(
        operator.page("alerts?page=1").await.text.contains("This action can no longer be undone.")
    );

    // A snooze time is restored, not removed.
    let own = operator.at(&format!("alerts/{}", ids[2]));
    let snooze = |until: &str| format!("{}&until={until}", only(ids[2], &own));
    operator.post(SNOOZE, &snooze("1h")).await;
    let until = alerts(&service, "status=snoozed").await[0]["snoozed_until"].clone();
    operator.post(SNOOZE, &snooze("tomorrow")).await;
    let page = operator
        .shows(&format!("alerts/{}", ids[2]), ["Alert snoozed until 2 Sep 2026 09:00 UTC."])
        .await;
    operator.post(UNDO, &fields(&page, UNDO)).await.assert_redirects_to(&own);
    assert!(operator.page(&format!("alerts/{}", ids[2])).await.text.contains("Alert restored."));
    assert_eq!(alerts(&service, "status=snoozed").await[0]["snoozed_until"], until);

    // The acknowledgement of another person since the page was loaded is reported, and nothing changes.
    let page = operator.page(&format!("alerts/{}", ids[2])).await.text;
    let opened = format!("{}&assignee={person_id}", fields(&page, ASSIGN));
    service.clock.advance(1);
    service.key.post(format!("/v1/alerts/{}/snooze", ids[2]), &json!({})).await.expect(200);
    operator.post(ASSIGN, &opened).await;
    operator.shows(&format!("alerts/{}", ids[2]), ["1 alert has changed in the meantime."]).await;
    assert_eq!(alerts(&service, &format!("assigned_to={person_id}")).await.len(), 1);
}

#[testkit::test]
async fn alerts_are_assigned_and_snoozed_with_html_forms(service: TestService) {
    service.active("PAY-01").await;
    for key in ["a", "b", "c"] {
        service.record(key, 20_000).await;
    }
    let rows = alerts(&service, "").await;
    let ids: Vec<&str> = rows.iter().map(|row| text(&row["id"])).collect();
    let person = service.signed_in_member(Role::Operator).await;
    let person_id = user_id(&person).await;
    let (operator, person_id) = (Browser::new(&service, &person), text(&person_id));

    // Two selected alerts are assigned after a confirmation page.
    let confirmation = operator.at("alerts/assign");
    let back = operator.at("alerts");
    let selected = format!("{}&{}", of_ids(&ids[..2]), form(&[("back", &back)]));
    let page = operator.post(&confirmation, &selected).await.text;
    assert!(page.contains("Assign 2 alerts") && page.contains(person_id), "{page}");
    let list = fields(&page, ASSIGN);
    let assign = format!("{list}&assignee={person_id}");
    operator.post(ASSIGN, &assign).await.assert_redirects_to(&back);
    operator.shows("alerts", ["2 alerts assigned to operator"]).await;
    let own = operator.page(&format!("alerts?assignee={person_id}")).await.text;
    assert_eq!(own.matches("name=\"selection[ids][]\"").count(), 2, "{own}");
    operator.post(ASSIGN, &format!("{list}&assignee=")).await;
    assert!(operator.page("alerts").await.text.contains("2 alerts assigned to no one."));

    // One alert is snoozed on its page, and has a tab until its time has passed.
    let own = operator.at(&format!("alerts/{}", ids[0]));
    let one = only(ids[0], &own);
    let tomorrow = format!("{one}&until=tomorrow");
    operator.post(SNOOZE, &tomorrow).await.assert_redirects_to(&own);
    operator.shows(&format!("alerts/{}", ids[0]), ["Snoozed until", "2 Sep 2026 09:00 UTC"]).await;
    assert!(!operator.page("alerts").await.text.contains(ids[0]));
    let snoozed = operator.page("alerts?status=snoozed").await.text;
    assert!(snoozed.contains(ids[0]) && snoozed.contains("2 Sep 2026 09:00 UTC"), "{snoozed}");
    operator.post(SNOOZE, &format!("{one}&until=open")).await;
    assert!(operator.page("alerts").await.text.contains(ids[0]));
    assert!(operator.page("alerts?status=snoozed").await.text.contains("No snoozed alerts"));

    // A rejected date stays on the page of the form.
    for (date, error) in
        [("soon", "The date is invalid."), ("2026-12-01T00:00", "must be at most 30 days from now")]
    {
        let rejected = format!("{one}&until=1h&date={}", encoded(date));
        operator.post(SNOOZE, &rejected).await.assert_redirects_to(&own);
        let page = operator.page(&format!("alerts/{}", ids[0])).await.text;
        assert!(page.contains(error) && page.contains(&format!("value=\"{date}\"")), "{page}");
    }
    let unknown = format!("{one}&assignee=00000000-0000-4000-8000-000000000000");
    operator.post(ASSIGN, &unknown).await.assert_redirects_to(&own);

    operator.shows(&format!("alerts/{}", ids[0]), ["must be the id of an active member"]).await;

    // The page of a rejected form shows the error and the same selection.
    let page = operator.at("alerts/snooze");
    let snooze = fields(&operator.post(&page, &selected).await.text, SNOOZE);
    operator.post(SNOOZE, &format!("{snooze}&date=soon")).await.assert_redirects_to(&page);
    let rejected = operator.page("alerts/snooze").await.text;
    assert!(rejected.contains("The date is invalid.") && rejected.contains("Snooze 2 alerts"));
    assert_eq!(fields(&rejected, SNOOZE), snooze);
}
