//! The page of a bundle: what it holds, where the decision comes from, and no word on whether it holds.

use contract::scope::Role;
use serde_json::json;

use crate::{
    client::text,
    codification::codified,
    console_pages::Browser,
    service::{TestService, TestServiceBuilder, Version, request, world},
};

/// Records a decision, and gives the path of the page of its bundle.
async fn recorded(world: &TestService, key: &str) -> (String, String) {
    let made = world.key.post("/v1/decisions/record", &request(key, 20_000)).await.expect(201);
    let id = text(&made["decision"]["id"]).to_owned();
    (format!("decisions/{id}/bundle"), id)
}

/// What stands on a page, in the order of reading: without tags, scripts and spaces.
pub(crate) fn bare(page: &str) -> String {
    let main = page.split("<main").nth(1).and_then(|rest| rest.split("</main>").next());
    let pieces =
        main.unwrap_or_default().split('<').skip(1).filter(|tag| !tag.starts_with("script"));
    let text = pieces.filter_map(|piece| Some(piece.rsplit_once('>')?.1));
    text.flat_map(str::chars).filter(|letter| !letter.is_whitespace()).collect()
}

/// Whether the page says so, wherever its lines break.
pub(crate) fn says(page: &str, said: &str) -> bool {
    bare(page).contains(&said.replace(' ', ""))
}

#[tokio::test]
async fn a_bundle_is_shown_with_the_line_from_clause_to_outcome_and_nothing_is_called_verified() {
    let world = world().await;
    let made = world.author().await.post("/v1/policies", &codified("PAY-01")).await.expect(201);
    let version = Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 };
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    world.ratify(&version).await;
    world.activate(&version).await;
    let (page, id) = recorded(&world, "a").await;
    let viewer = world.person(Role::Viewer).await;
    let browser = Browser::of(&world, &viewer);
    let shown = browser.page(&page).await.text;
    for said in [
        "Codified from Payment handbook; 2 clauses became no rule.",
        "section 1 A payment may not exceed 10,000 euros. Rule: AMOUNT High",
        "3 rules, 3 of them from a clause, in 1 policy, ratified by ratifier",
        "gave DENY: 2 were violated. Nobody has told yet what happened.",
        "The approval carries a signature.",
        "The receipt carries a signature.",
        "Not yet in the transparency log.",
        "None of them was looked at here.",
        "govern-verify --trust trust.json",
        "receipt/statement.json What was signed about the decision",
        "trusted_keys.json Keys, for reading only: decides nothing",
    ] {
        assert!(says(&shown, said), "{said}: {}", bare(&shown));
    }
    let bare = bare(&shown);
    assert!(!bare.to_lowercase().contains("verified"), "{bare}");
    // Name, size and digest of each file are those of the public bundle.
    let bundle =
        world.public.get(format!("/v1/receipts/{id}/bundle?format=json")).await.expect(200);
    for (name, file) in bundle["files"].as_object().expect("files by name") {
        use receipt::digest::Digest;
        let digest = Digest::compute(text(file).as_bytes()).to_string();
        assert!(bare.contains(name) && bare.contains(&digest), "{name} {digest}");
    }

    // A file is read in the page, and an envelope with what it holds.
    let open = format!("{page}?file=receipt%2Freceipt.dsse.json");
    let open = browser.page(&open).await.text;
    assert!(says(&open, "What the envelope holds") && says(&open, "service-receipt/v2"), "{open}");
    let none = browser.page(&format!("{page}?file=passwd")).await.text;
    assert!(says(&none, "The bundle has no file of this name."), "{none}");

    let outcome = json!({"status": "overridden", "note": "paid by hand"});
    world.key.post(format!("/v1/decisions/{id}/outcome"), &outcome).await.expect(201);
    let told = browser.page(&page).await.text;
    assert!(says(&told, "Overridden paid by hand"), "{told}");

    // Nobody else's page, whatever the public may have.
    let neighbour = world.neighbour().await;
    let elsewhere = format!("/t/{}/{page}", neighbour.tenant);
    let answer = neighbour.admin.with("accept", "text/html").get(elsewhere).await;
    assert_eq!(answer.status, 404);
}

#[tokio::test]
async fn what_is_missing_in_the_line_is_said_in_words() {
    let world =
        TestServiceBuilder { is_signed: false, ..TestServiceBuilder::default() }.world().await;
    world.active("PAY-01").await;
    let (page, id) = recorded(&world, "a").await;
    let viewer = world.person(Role::Viewer).await;
    let shown = Browser::of(&world, &viewer).page(&page).await.text;
    for said in [
        "Written without codification: no clauses are kept.",
        "No clause Rule: AMOUNT",
        "The approval is unsigned.",
        "Unsigned: signing was not set up.",
        "Not yet in the transparency log.",
        "Nobody has told yet what happened.",
    ] {
        assert!(says(&shown, said), "{said}: {}", bare(&shown));
    }
    // The public receipt tells when rules were ratified, and not by whom.
    let public = world.public.with("accept", "text/html").get(format!("/r/{id}")).await;
    assert!(says(&public.text, "Rules ratified Payments v1, 1 Sep 2026"), "{}", public.text);
    assert!(!says(&public.text, "ratifier"), "{}", public.text);
}
