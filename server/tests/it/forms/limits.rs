//! How many submissions a form takes.

use serde_json::{Value, json};
use server::config::edge::{EdgeConfig, Rates};

use super::{answers, path, published, submit};
use crate::{
    client::{TestResponse, text},
    service::{MINUTE_MS, TestService, TestServiceBuilder, world},
};

/// So many submissions at once.
async fn at_once(
    world: &TestService,
    form: &Value,
    count: u32,
    token: Option<&str>,
) -> Vec<TestResponse> {
    let calls: Vec<_> = (0..count)
        .map(|number| {
            let mut body = answers(1, &format!("key {number}"));
            if let Some(token) = token {
                body["access_token"] = token.into();
            }
            tokio::spawn(world.public.post(path(form, "/submit"), &body).into_future())
        })
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.expect("no call panics"));
    }
    answers
}

/// How many answered what.
fn counts(answers: &[TestResponse], wanted: &str) -> usize {
    answers.iter().filter(|answer| answer.to_string() == wanted).count()
}

#[tokio::test]
async fn of_fifty_at_the_last_of_a_budget_exactly_one_passes() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let budget = json!({"token_budget": {"limit": 1, "window": "hour"}});
    let form = published(&world, &version, budget).await;
    let answers = at_once(&world, &form, 50, None).await;
    assert_eq!(counts(&answers, "201"), 1);
    assert_eq!(counts(&answers, "429 FORM_BUDGET_EXHAUSTED"), 49);
    let refused = answers.iter().find(|answer| answer.status == 429).expect("one is refused");
    assert_eq!(refused.header("retry-after"), Some("3600"));
    assert_eq!(refused.details(), json!({"retry_after": 3_600, "window": "hour"}));
    assert_eq!(world.sql("select count(*)::text from decisions").await, ["1"]);
    assert_eq!(world.key.get(path(&form, "")).await.expect(200)["tokens_used"], 1);

    world.clock.advance(60 * MINUTE_MS);
    assert_eq!(world.key.get(path(&form, "")).await.expect(200)["tokens_used"], 0);
    submit(&world, &form, &self::answers(1, "later")).await.expect(201);
}

#[tokio::test]
async fn a_budget_that_never_refills_states_no_time_to_try_again() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let budget = json!({"token_budget": {"limit": 1, "window": "total"}});
    let form = published(&world, &version, budget).await;
    submit(&world, &form, &self::answers(1, "first")).await.expect(201);
    let refused = submit(&world, &form, &self::answers(1, "second")).await;
    assert_eq!(refused.to_string(), "429 FORM_BUDGET_EXHAUSTED");
    assert_eq!(refused.header("retry-after"), None);
    assert_eq!(refused.details(), json!({"window": "total"}));
}

#[tokio::test]
async fn of_fifty_with_a_token_for_one_exactly_one_passes() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let form = published(&world, &version, json!({"access_mode": "token"})).await;
    let made = world.key.post(path(&form, "/tokens"), &json!({"max_uses": 1})).await.expect(201);
    let answers = at_once(&world, &form, 50, Some(text(&made["token"]))).await;
    assert_eq!(counts(&answers, "201"), 1);
    assert_eq!(counts(&answers, "403 FORBIDDEN"), 49);
    assert_eq!(world.sql("select count(*)::text from decisions").await, ["1"]);
}

#[tokio::test]
async fn an_address_submits_ten_times_a_minute_to_one_form() {
    let rates = Rates { form_per_min: Rates::default().form_per_min, ..Rates::UNLIMITED };
    let edge = EdgeConfig { rates, ..EdgeConfig::default() };
    let world = TestServiceBuilder { edge, ..TestServiceBuilder::default() }.world().await;
    let version = world.active("PAY-01").await;
    let form = published(&world, &version, json!({})).await;
    let wrong = json!({"values": {}});
    for left in (0..10).rev() {
        // What does not fit counts as well.
        let body = if left % 2 == 0 { wrong.clone() } else { answers(1, &left.to_string()) };
        let answer = submit(&world, &form, &body).await;
        assert_ne!(answer.status, 429);
        assert_eq!(answer.header("rate-limit-remaining"), Some(&*left.to_string()));
    }
    let refused = submit(&world, &form, &answers(1, "one more")).await;
    assert_eq!(refused.to_string(), "429 TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), Some("60"));
    let told = ["rate-limit-limit", "rate-limit-remaining"].map(|name| refused.header(name));
    assert_eq!(told, [Some("10"), Some("0")]);
    let other = published(&world, &version, json!({})).await;
    submit(&world, &other, &answers(1, "k")).await.expect(201);
    world.clock.advance(MINUTE_MS);
    submit(&world, &form, &answers(1, "one more")).await.expect(201);
}

#[tokio::test]
async fn the_page_of_a_form_without_budget_says_so_before_anything_is_typed() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let budget = json!({"token_budget": {"limit": 1, "window": "hour"}});
    let form = published(&world, &version, budget).await;
    let page = format!("/f/{}", text(&form["id"]));
    assert!(
        world.public.get(&*page).await.text.contains("<button"),
        "there is something to submit"
    );
    submit(&world, &form, &self::answers(1, "only")).await.expect(201);
    let exhausted = world.public.get(&*page).await;
    assert_eq!(exhausted.status, 200);
    assert!(!exhausted.text.contains("<button"), "{}", exhausted.text);
    assert!(exhausted.text.contains("no more submissions this hour"), "{}", exhausted.text);
    world.clock.advance(60 * MINUTE_MS);
    assert!(world.public.get(&*page).await.text.contains("<button"), "the next window has begun");
}
