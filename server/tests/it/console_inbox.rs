//! The inbox in the console, in a browser without JavaScript.

use crate::prelude::*;

#[testkit::test]
async fn the_inbox_shows_the_changed_rules_and_the_open_alerts_by_rule(service: TestService) {
    let first = service.active("PAY-01").await;
    let second = service.next_draft(&first, &rules(7)).await;
    service.submit(&second).await;
    service.submitted("SPEND").await;
    for key in ["a", "b"] {
        service.record(key, 20_000).await;
    }
    service.record("mild", 1).await;
    // The clock is at a full hour, at which the chart would end.
    service.clock.advance(60_000);
    let ratifier = Browser::member(&service, Role::Ratifier).await;
    let html = ratifier.page("inbox").await.html();
    let (main, _) = html.split_once("</main>").expect("the page has content");
    assert_contains(
        main,
        [
            "1 of 3 rules changed",
            "3 rules, all new",
            "Open alerts by rule",
            "Show all (3)",
            "Decisions in 24 hours",
            "none critical",
        ],
    );

    // A rule links to its alerts, and the number of its alerts is that of the linked list.
    let (_, table) = main.split_once("alerts-by-rule").expect("a table of rules");
    let (_, row) = table.split_once("?rule=AMOUNT\"").expect("a rule with alerts");
    let (row, _) = row.split_once("</tr>").expect("the row ends");
    assert!(row.contains("Amounts have a limit") && row.contains(">2<"), "{row}");
    let linked = ratifier.page("alerts?rule=AMOUNT").await.text;
    assert_eq!(linked.matches("name=\"selection[ids][]\"").count(), 2, "{linked}");

    // The decisions by hour link to those of each verdict.
    let (_, chart) = main.split_once("decisions-by-hour").expect("a chart");
    assert!(chart.contains("decisions?verdict=DENY&amp;from="), "{chart}");
    assert!(chart.contains("3 decisions") && chart.contains("Each bar is 1 hour."), "{chart}");

    // The other tabs have no figures.
    let others = ratifier.page("inbox?tab=others").await.html();
    assert!(!others.contains("Decisions in 24 hours"), "{others}");
}

#[testkit::test]
async fn an_empty_inbox_names_the_versions_that_wait_for_others(service: TestService) {
    service.submitted("SPEND").await;
    let operator = Browser::member(&service, Role::Operator).await;
    let html = operator.shows("inbox", ["Nothing to review"]).await;
    assert!(html.contains("1 version is waiting on others."), "{html}");
    assert!(html.contains("nothing is waiting") && !html.contains("Open alerts by rule"), "{html}");
}
