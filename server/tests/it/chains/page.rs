//! The page of a chain, and the way from a decision to it.

use contract::scope::Role;
use serde_json::json;

use super::{member, ready, recorded, tampering::with_triggers_disabled};
use crate::{
    client::text,
    console_bundle::{bare, says},
    console_pages::Browser,
    service::CHAIN,
};

#[tokio::test]
async fn a_chain_is_shown_with_its_gaps_its_seal_and_what_its_check_finds() {
    let world = ready().await;
    for (key, step) in [("a", 1), ("b", 2), ("c", 6)] {
        recorded(&world.key, key, json!({"chain_step": step})).await;
    }
    let viewer = world.person(Role::Viewer).await;
    let browser = Browser::of(&world, &viewer);
    let path = format!("chains/{CHAIN}");
    let open = browser.page(&path).await;
    assert_eq!(open.status, 200);
    for said in [
        "Every link holds: 3 steps, checked now from what is stored.",
        "Open. Later steps can still be added.",
        "Steps without a decision: 3 to 5. That is allowed",
        "Step 6",
    ] {
        assert!(says(&open.text, said), "{said}: {}", bare(&open.text));
    }
    assert!(!says(&open.text, "Sealed"), "{}", bare(&open.text));

    let sealed = world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    let closed = browser.page(&path).await.text;
    assert!(says(&closed, "Sealed. No step can be added."), "{}", bare(&closed));
    for digest in [&sealed["seal_digest"], &sealed["seal"]["head"], &sealed["seal"]["merkle_root"]]
    {
        assert!(says(&closed, text(digest)), "{digest}: {}", bare(&closed));
    }

    let act = "update chain_links set signature = null, kid = null where position = 2";
    with_triggers_disabled(&world, act).await;
    let broken = browser.page(&path).await.text;
    for said in [
        "This chain does not hold. The first bad step is 2 .",
        "A signature over a link is wrong. LINK_SIGNATURE_INVALID",
    ] {
        assert!(says(&broken, said), "{said}: {}", bare(&broken));
    }
    for never in ["Every link holds", "That is allowed"] {
        assert!(!says(&broken, never), "{never}: {}", bare(&broken));
    }
    with_triggers_disabled(&world, "delete from chain_seals").await;
    let lost = browser.page(&path).await.text;
    assert!(says(&lost, "The chain is closed, and its seal is not there."), "{}", bare(&lost));
}

#[tokio::test]
async fn a_key_that_is_not_known_is_no_proof_of_tampering() {
    let world = ready().await;
    for key in ["a", "b"] {
        recorded(&world.key, key, json!({})).await;
    }
    with_triggers_disabled(&world, "update chain_links set kid = 'another' where position = 2")
        .await;
    let viewer = world.person(Role::Viewer).await;
    let page = Browser::of(&world, &viewer).page(&format!("chains/{CHAIN}")).await.text;
    for said in [
        "Not every signature could be checked.",
        "A key is none of this service. KEY_UNKNOWN",
        "Holds Unknown key",
    ] {
        assert!(says(&page, said), "{said}: {}", bare(&page));
    }
    for never in ["Every link holds", "does not hold", "first bad step", "Not good"] {
        assert!(!says(&page, never), "{never}: {}", bare(&page));
    }
}

#[tokio::test]
async fn a_decision_leads_to_its_chain_and_to_its_neighbours_there() {
    let world = ready().await;
    let first = recorded(&world.key, "a", json!({})).await;
    let parent = json!({"chain_step": 4, "parent_decision_id": first["id"]});
    let second = recorded(&world.key, "b", parent).await;
    let third = recorded(&world.key, "c", json!({})).await;
    let viewer = world.person(Role::Viewer).await;
    let browser = Browser::of(&world, &viewer);
    let page = async |id: &str| browser.page(&format!("decisions/{id}")).await.text;
    let [first, second, third] = [&first, &second, &third].map(|made| member(made, "id"));
    for (own, said) in [
        (first, format!("Chain {CHAIN} Step 1 Step after 4")),
        (
            second,
            format!("Chain {CHAIN} Step 4 Step before 1 Step after 5 Follows decision {first}"),
        ),
        (third, format!("Chain {CHAIN} Step 5 Step before 4 Step after None so far")),
    ] {
        let shown = page(own).await;
        assert!(says(&shown, &said), "{said}: {}", bare(&shown));
        assert!(says(&shown, "Transparency log Not yet in the log"), "{}", bare(&shown));
    }
    let shown = page(second).await;
    for to in
        [format!("chains/{CHAIN}"), format!("decisions/{first}"), format!("decisions/{third}")]
    {
        assert!(shown.contains(&format!("href=\"{}\"", browser.at(&to))), "{to}");
    }
    let alone = world.key.post("/v1/decisions/record", &crate::service::request("d", 1)).await;
    let alone = page(member(&alone.expect(201)["decision"], "id")).await;
    assert!(!says(&alone, "Step after"), "outside of chains: {}", bare(&alone));
}
