//! The page of a chain, and the links between decisions and chains.

use super::{member, record, tampering::with_triggers_disabled, with_active_policy};
use crate::{console_bundle::plain_text, prelude::*};

#[tokio::test]
async fn the_page_of_a_chain_shows_its_gaps_its_seal_and_its_problems() {
    let service = with_active_policy().await;
    for (key, step) in [("a", 1), ("b", 2), ("c", 6)] {
        record(&service.key, key, json!({"chain_step": step})).await;
    }
    let browser = Browser::member(&service, Role::Viewer).await;
    let path = format!("chains/{CHAIN}");
    let open = browser.page(&path).await;
    assert_eq!(open.status, 200);
    assert_shows(
        &open.text,
        [
            "All links are valid: 3 steps, verified from the stored data.",
            "Open: more steps can be added",
            "Unused step numbers: 3 to 5. This is allowed; callers choose step numbers.",
            "Step 6",
        ],
    );
    assert!(!contains_text(&open.text, "Sealed"), "{}", plain_text(&open.text));

    let sealed = service.seal_chain().await;
    let closed = browser.page(&path).await.text;
    assert!(contains_text(&closed, "Sealed. No step can be added."), "{}", plain_text(&closed));
    for digest in [&sealed["seal_digest"], &sealed["seal"]["head"], &sealed["seal"]["merkle_root"]]
    {
        assert!(contains_text(&closed, text(digest)), "{digest}: {}", plain_text(&closed));
    }

    let change = "update chain_links set signature = null, kid = null where position = 2";
    with_triggers_disabled(&service, change).await;
    let broken = browser.page(&path).await.text;
    assert_shows(
        &broken,
        [
            "Chain verification failed. First invalid step: 2 .",
            "A link has an invalid signature. LINK_SIGNATURE_INVALID",
        ],
    );
    for absent in ["All links are valid", "This is allowed"] {
        assert!(!contains_text(&broken, absent), "{absent}: {}", plain_text(&broken));
    }
    with_triggers_disabled(&service, "delete from chain_seals").await;
    let lost = browser.page(&path).await.text;
    assert!(
        contains_text(&lost, "The chain is sealed, but its seal is missing."),
        "{}",
        plain_text(&lost)
    );
}

#[tokio::test]
async fn an_unknown_key_is_not_reported_as_tampering() {
    let service = with_active_policy().await;
    for key in ["a", "b"] {
        record(&service.key, key, json!({})).await;
    }
    with_triggers_disabled(&service, "update chain_links set kid = 'another' where position = 2")
        .await;
    let browser = Browser::member(&service, Role::Viewer).await;
    let page = browser.page(&format!("chains/{CHAIN}")).await.text;
    assert_shows(
        &page,
        [
            "Some signatures could not be checked.",
            "Unknown signing key. KEY_UNKNOWN",
            "Valid Unknown key",
        ],
    );
    for absent in ["All links are valid", "verification failed", "First invalid step", "Invalid"] {
        assert!(!contains_text(&page, absent), "{absent}: {}", plain_text(&page));
    }
}

#[tokio::test]
async fn the_page_of_a_decision_links_to_its_chain_and_to_adjacent_decisions() {
    let service = with_active_policy().await;
    let first = record(&service.key, "a", json!({})).await;
    let parent = json!({"chain_step": 4, "parent_decision_id": first["id"]});
    let second = record(&service.key, "b", parent).await;
    let third = record(&service.key, "c", json!({})).await;
    let browser = Browser::member(&service, Role::Viewer).await;
    let page = async |id: &str| browser.page(&format!("decisions/{id}")).await.text;
    let [first, second, third] = [&first, &second, &third].map(|decision| member(decision, "id"));
    for (id, expected) in [
        (first, format!("Chain {CHAIN} Step 1 Next step 4")),
        (
            second,
            format!("Chain {CHAIN} Step 4 Previous step 1 Next step 5 Follows decision {first}"),
        ),
        (third, format!("Chain {CHAIN} Step 5 Previous step 4 Next step None")),
    ] {
        let html = page(id).await;
        assert!(contains_text(&html, &expected), "{expected}: {}", plain_text(&html));
        assert!(contains_text(&html, "Transparency log Not yet anchored"), "{}", plain_text(&html));
    }
    let html = page(second).await;
    for target in
        [format!("chains/{CHAIN}"), format!("decisions/{first}"), format!("decisions/{third}")]
    {
        assert!(html.contains(&format!("href=\"{}\"", browser.at(&target))), "{target}");
    }
    let unchained =
        service.key.post("/v1/decisions/record", &crate::service::request("d", 1)).await;
    let unchained = page(member(&unchained.expect(201)["decision"], "id")).await;
    assert!(!contains_text(&unchained, "Next step"), "no chain: {}", plain_text(&unchained));
}
