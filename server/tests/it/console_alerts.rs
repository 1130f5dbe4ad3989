//! The alerts in the console, as a browser without scripts uses them.

use contract::scope::Role;
use serde_json::Value;

use crate::{
    client::{TestResponse, text},
    console_pages::{Browser, FORM, attribute},
    service::{TestService, request, world},
};

async fn alerts(world: &TestService, query: &str) -> Vec<Value> {
    let page = world.key.get(format!("/v1/alerts?{query}")).await.expect(200);
    page["items"].as_array().cloned().unwrap_or_default()
}

#[tokio::test]
async fn alerts_are_grouped_counted_and_acknowledged_by_plain_forms() {
    let world = world().await;
    world.active("PAY-01").await;
    for (key, amount) in [("a", 20_000), ("b", 20_000), ("c", 20_000), ("d", 1)] {
        world.key.post("/v1/decisions/record", &request(key, amount)).await.expect(201);
    }
    let operator = Browser::of(&world, &world.person(Role::Operator).await);
    let page = operator.page("alerts").await.text;
    assert_eq!(page.matches("name=\"ids[]\"").count(), 4);
    assert_eq!(page.matches("scope=\"rowgroup\"").count(), 2, "by their first rule");
    assert!(page.contains("1 to 4 of 4") && page.contains("3 alerts on this page"), "{page}");
    let high = operator.page("alerts?severity=high").await.text;
    assert_eq!(high.matches("name=\"ids[]\"").count(), 3);
    assert!(high.contains("?severity=high&amp;rule=AMOUNT"), "a rule leads to its alerts: {high}");
    let amount = operator.page("alerts?rule=AMOUNT").await.text;
    assert_eq!(amount.matches("name=\"ids[]\"").count(), 3);
    assert!(operator.page("alerts?rule=NO-SUCH").await.text.contains("Clear filters"));
    let all = operator.page("alerts/acknowledge?all=1&rule=AMOUNT").await.text;
    assert!(all.contains("Acknowledge 3 alerts"), "{all}");
    let ticked = operator.page("alerts?select=page").await.text;
    assert_eq!(ticked.matches(" checked").count(), 4);
    assert!(operator.page("alerts?severity=bad").await.text.contains("does not know"));

    // Two that are ticked, then one by its own button, then none.
    let rows = alerts(&world, "status=open").await;
    let ids: Vec<&str> = rows.iter().map(|row| text(&row["id"])).collect();
    let back = operator.at("alerts?page=1");
    let form =
        format!("back={}&ids%5B%5D={}&ids%5B%5D={}", back.replace('?', "%3F"), ids[0], ids[1]);
    let path = "/console/acknowledge-alerts";
    let answer = operator.post(path, &form).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some(&*back)), "{answer:?}");
    assert_eq!(alerts(&world, "status=open").await.len(), 2);
    let one = operator.at(&format!("alerts/{}", ids[2]));
    operator.post(path, &format!("back={one}&only={}", ids[2])).await;
    let sheet = operator.page(&format!("alerts/{}", ids[2])).await.text;
    assert!(
        sheet.contains("<bdi>operator") && !sheet.contains("<button data-key=\"e\""),
        "{sheet}"
    );
    let none = operator.post(path, &format!("back={}", operator.at("alerts"))).await;
    assert_eq!(none.status, 303);
    assert!(operator.page("alerts").await.text.contains("Tick at least one alert."));
    assert_eq!(alerts(&world, "status=open").await.len(), 1);
    let none = operator.page("alerts").await.text;
    assert!(!none.contains("The last one was raised"), "one is open still: {none}");
    let done = operator.page("alerts?status=acknowledged").await.text;
    assert!(done.contains("1 to 3 of 3") && !done.contains("ids[]"), "{done}");

    // Who only reads has nothing to press, and may not press it.
    let viewer = Browser::of(&world, &world.person(Role::Viewer).await);
    let page = viewer.page("alerts").await.text;
    assert!(page.contains(ids[3]) && !page.contains("ids[]") && !page.contains("name=\"only\""));
    viewer.post(path, &format!("back=/&only={}", ids[3])).await;
    assert_eq!(alerts(&world, "status=open").await.len(), 1);

    operator.post(path, &format!("back={}&only={}", operator.at("alerts"), ids[3])).await;
    let none = operator.page("alerts").await.text;
    assert!(none.contains("No unacknowledged alerts.") && none.contains("The last one was raised"));
}

/// The ids that the form of the next page holds.
fn held(page: &str) -> Vec<&str> {
    let form = page.split_once("name=\"ids[]\"").expect("the form holds ids").1;
    attribute(form, "value").split(',').collect()
}

async fn send(browser: &Browser<'_>, page: &str, back: &str) -> TestResponse {
    let back = back.replace('?', "%3F").replace('=', "%3D");
    let form = format!("ids%5B%5D={}&back={back}", held(page).join("%2C"));
    browser.post("/console/acknowledge-alerts", &form).await
}

#[tokio::test]
async fn exactly_those_that_were_counted_are_acknowledged_and_each_failure_is_told() {
    let world = world().await;
    world.active("PAY-01").await;
    for key in ["a", "b", "c", "d", "e"] {
        world.key.post("/v1/decisions/record", &request(key, 20_000)).await.expect(201);
    }
    world.key.post("/v1/decisions/record", &request("mild", 1)).await.expect(201);
    let operator = Browser::of(&world, &world.person(Role::Operator).await);
    let list = operator.page("alerts?severity=high").await.text;
    assert!(list.contains("All matching (5)"), "{list}");

    let page = operator.page("alerts/acknowledge?all=1&severity=high").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Acknowledge 5 alerts"), "{}", page.text);
    assert!(page.text.contains("There is no undo") && page.text.contains("is not among them"));
    let ids = held(&page.text);
    assert_eq!(ids.len(), 5);
    // One more is raised, and somebody is first with one of the five.
    world.key.post("/v1/decisions/record", &request("newer", 20_000)).await.expect(201);
    let first = world.person(Role::Reviewer).await;
    let path = format!("/v1/alerts/{}/acknowledge", ids[2]);
    let taken = first.post(path, &serde_json::json!({})).await.expect(200);

    let back = operator.at("alerts?severity=high");
    let answer = send(&operator, &page.text, &back).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some(&*back)), "{answer:?}");
    let told = operator.page("alerts?severity=high").await.text;
    assert!(told.contains("4 alerts acknowledged."), "{told}");
    assert!(told.contains("1 alert was not, because somebody was first:"), "{told}");
    let failure = told.split("somebody was first:").nth(1).expect("it says which");
    let failure = failure.split("</ul>").next().expect("it says which");
    assert!(failure.contains(ids[2]) && failure.contains(text(&taken["message"])), "{failure}");
    assert!(failure.contains("reviewer"), "and who: {failure}");
    assert!(!operator.page("alerts?severity=high").await.text.contains("acknowledged."), "once");
    assert_eq!(alerts(&world, "status=open&severity=high").await.len(), 1, "the newer one");
    assert_eq!(alerts(&world, "status=open").await.len(), 2);
    let events = world.key.get("/v1/audit-log?action=alert.acknowledge").await.expect(200);
    assert_eq!(events["items"].as_array().map(Vec::len), Some(5), "one for each alert");

    // Sent twice, it says the same, and nothing is done twice.
    send(&operator, &page.text, &back).await;
    assert!(operator.page("alerts?severity=high").await.text.contains("4 alerts acknowledged."));
    let events = world.key.get("/v1/audit-log?action=alert.acknowledge").await.expect(200);
    assert_eq!(events["items"].as_array().map(Vec::len), Some(5));
}

#[tokio::test]
async fn ticked_alerts_are_counted_before_they_are_acknowledged() {
    let world = world().await;
    world.active("PAY-01").await;
    for key in ["a", "b", "c"] {
        world.key.post("/v1/decisions/record", &request(key, 20_000)).await.expect(201);
    }
    let neighbour = world.neighbour().await;
    let operator = Browser::of(&world, &world.person(Role::Operator).await);
    let rows = alerts(&world, "status=open").await;
    let ids: Vec<&str> = rows.iter().map(|row| text(&row["id"])).collect();
    let done = format!("/v1/alerts/{}/acknowledge", ids[0]);
    world.key.post(done, &serde_json::json!({})).await.expect(200);
    let asked = |ids: &[&str]| {
        let ids: Vec<String> = ids.iter().map(|id| format!("ids%5B%5D={id}")).collect();
        format!("alerts/acknowledge?tenant=x&back=y&{}", ids.join("&"))
    };
    let page = operator.page(&asked(&[ids[0], ids[1], ids[2], "x"])).await.text;
    assert!(page.contains("Acknowledge 2 alerts"), "{page}");
    assert!(page.contains("1 alert of those you ticked was acknowledged before."), "{page}");
    for none in [asked(&[ids[0]]), asked(&[]), "alerts/acknowledge".to_owned()] {
        let page = operator.page(&none).await;
        assert!(page.status == 200 && page.text.contains("Nothing to acknowledge"), "{none}");
        assert!(!page.text.contains("ids[]"), "{none}");
    }
    let bad = operator.page("alerts/acknowledge?all=1&severity=bad").await.text;
    assert!(bad.contains("does not know") && !bad.contains("ids[]"), "{bad}");

    // Another tenant's alerts are not there, on the page and in the form alike.
    let stranger = neighbour.admin.cookie().expect("a person has a cookie");
    let stranger = world.public.with("accept", "text/html").with("cookie", stranger);
    let stranger = stranger.with("sec-fetch-site", "same-origin");
    let theirs = format!("/t/{}/{}", neighbour.tenant, asked(&ids));
    assert!(stranger.get(theirs).await.text.contains("Nothing to acknowledge"));
    let back = format!("/t/{}/alerts", neighbour.tenant);
    let form = format!("tenant={}&ids%5B%5D={}&back={back}", neighbour.tenant, ids[1]);
    let path = "/console/acknowledge-alerts";
    let answer = stranger.call("POST", path).body(FORM, form).await;
    assert_eq!(answer.header("location"), Some(&*back));
    assert!(stranger.get(back).await.text.contains("1 alert is not there."));
    assert_eq!(alerts(&world, "status=open").await.len(), 2);

    // The role decides, whatever the form says.
    let auditor = Browser::of(&world, &world.person(Role::Auditor).await);
    assert_eq!(auditor.page(&asked(&ids)).await.status, 403);
    send(&auditor, &page, &auditor.at("alerts")).await;
    assert_eq!(alerts(&world, "status=open").await.len(), 2);
    send(&operator, &page, &operator.at("alerts")).await;
    assert_eq!(alerts(&world, "status=open").await.len(), 0);
}

#[tokio::test]
async fn five_hundred_go_at_once_and_no_more() {
    let world = world().await;
    let raise = "insert into alerts (tenant_id, id, alert_type, severity, message, data, created_at) \
                 select tenant_id, gen_random_uuid(), 'governance_change', 'high', 'Look.', '{}', now() \
                 from tenants, generate_series(1, 620) returning id::text";
    let all = world.sql(raise).await;
    let operator = Browser::of(&world, &world.person(Role::Operator).await);
    let page = operator.page("alerts/acknowledge?all=1").await.text;
    assert!(page.contains("Acknowledge 500 alerts") && page.contains("120 more match"), "{page}");
    let answer = send(&operator, &page, &operator.at("alerts")).await;
    assert_eq!(answer.status, 303, "{answer:?}");
    let list = operator.page("alerts").await.text;
    assert!(list.contains("500 alerts acknowledged.") && list.contains("All matching (120)"));
    world.key.post("/v1/audit-log/verify", &serde_json::json!({})).await.expect(200);

    let form = format!("ids%5B%5D={}&back={}", all[..501].join("%2C"), operator.at("alerts"));
    operator.post("/console/acknowledge-alerts", &form).await;
    assert!(operator.page("alerts").await.text.contains("500 alerts are acknowledged at once"));
    assert!(operator.page("alerts").await.text.contains("All matching (120)"));
}
