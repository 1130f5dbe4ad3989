//! What is changed in the store, past every wall, is found and named.

use serde_json::{Value, json};

use super::{ready, recorded, sound, verified};
use crate::service::{CHAIN, TestService};

/// The tables of a chain, and the triggers that keep their rows.
const TABLES: [(&str, &str); 4] = [
    ("chain_links", "prevent_row_changes"),
    ("chain_seals", "prevent_row_changes"),
    ("chains", "prevent_sealed_chain_changes"),
    ("decisions", "prevent_row_changes"),
];

/// Runs `acts` with every wall down, and puts the walls up again.
pub(super) async fn with_triggers_disabled(world: &TestService, acts: &str) {
    let each = |form: fn(&str, &str) -> String| -> String {
        TABLES.iter().map(|(table, trigger)| form(table, trigger)).collect()
    };
    let down = each(|table, trigger| format!("alter table {table} disable trigger {trigger}; "));
    let up =
        each(|table, trigger| format!("alter table {table} enable always trigger {trigger}; "));
    // One after the other: walls are not put up while a check of the same transaction waits.
    for step in [down, format!("{acts};"), up] {
        world.sql(&format!("do $$ begin {step} end $$")).await;
    }
}

/// Puts everything back as it was kept.
async fn restored(world: &TestService) {
    let back = |(table, _): &(&str, &str)| {
        format!("delete from {table}; insert into {table} select * from kept_{table};")
    };
    // The seals refer to their chains.
    let acts: String = [TABLES[1], TABLES[0], TABLES[3]].iter().map(back).collect();
    let head = "update chains c set links = k.links, head = k.head, is_sealed = k.is_sealed \
                from kept_chains k where k.id = c.id";
    // Their rules are indexed, and their alerts raised, from the first time.
    let each = |act: &str| {
        ["index_decision_rules", "create_decision_alerts"]
            .map(|trigger| format!("alter table decisions {act} trigger {trigger}"))
            .join("; ")
    };
    let (down, up) = (each("disable"), each("enable"));
    world.sql(&format!("do $$ begin {down}; end $$")).await;
    with_triggers_disabled(world, &format!("{acts} {head}")).await;
    world.sql(&format!("do $$ begin {up}; end $$")).await;
}

/// An attack on the second link: the acts, what is told of each link, the problems.
type Attack = (&'static str, &'static str, &'static str);

const ATTACKS: [Attack; 17] = [
    (
        "update chain_links set link = replace(link, '\"step\":2', '\"step\":9') where position = 2",
        "++ -- -+ ++",
        "LINK_MISMATCH LINK_SIGNATURE_INVALID SEAL_MISMATCH",
    ),
    (
        "update chain_links set link = replace(link, '\"step\":2', '\"step\":9'), step = 9, \
         hash = encode(sha256(convert_to(replace(link, '\"step\":2', '\"step\":9'), 'UTF8')), 'hex') \
         where position = 2",
        "++ -- -+ ++",
        "LINK_MISMATCH LINK_SIGNATURE_INVALID SEAL_MISMATCH",
    ),
    (
        "update chain_links set link = 'no link' where position = 2",
        "++ -- -+ ++",
        "LINK_GAP LINK_MISMATCH LINK_SIGNATURE_INVALID SEAL_MISMATCH",
    ),
    ("update chain_links set hash = prev where position = 2", "++ -+ ++ ++", "LINK_MISMATCH"),
    ("update chain_links set step = 9 where position = 2", "++ -+ ++ ++", "LINK_MISMATCH"),
    ("delete from chain_links where position = 2", "++ -+ ++", "LINK_GAP SEAL_MISMATCH"),
    ("delete from chain_links where position = 1", "-+ ++ ++", "LINK_GAP SEAL_MISMATCH"),
    ("delete from chain_links where position = 4", "++ ++ ++", "LINK_GAP SEAL_MISMATCH"),
    (
        "delete from chain_links where position = 4; update chains set links = 3, \
         head = (select hash from chain_links where position = 3)",
        "++ ++ ++",
        "SEAL_MISMATCH",
    ),
    (
        "update chain_links set position = 9 where position = 2; \
         update chain_links set position = 2 where position = 3; \
         update chain_links set position = 3 where position = 9",
        "++ -+ -+ -+",
        "LINK_GAP LINK_MISMATCH SEAL_MISMATCH",
    ),
    (
        "update chain_links set signature = (select signature from chain_links where position = 1) \
         where position = 2",
        "++ +- ++ ++",
        "LINK_SIGNATURE_INVALID",
    ),
    (
        "update chain_links set signature = null, kid = null where position = 2",
        "++ +- ++ ++",
        "LINK_SIGNATURE_INVALID",
    ),
    ("update chain_links set kid = 'mine' where position = 2", "++ +- ++ ++", "KEY_UNKNOWN"),
    (
        "update decisions set statement = replace(statement, '\"decision\":\"REVIEW\"', \
         '\"decision\":\"ALLOW\"') where idempotency_key = 'b'",
        "++ -+ ++ ++",
        "LINK_MISMATCH",
    ),
    ("delete from decisions where idempotency_key = 'b'", "++ -+ ++ ++", "RECEIPT_MISSING"),
    (
        "update chain_seals set seal = replace(seal, '\"step_count\":4', '\"step_count\":3')",
        "++ ++ ++ ++",
        "SEAL_MISMATCH SEAL_SIGNATURE_INVALID",
    ),
    ("delete from chain_seals", "++ ++ ++ ++", "SEAL_MISMATCH"),
];

/// Link and signature of each item: `++` when both are good.
fn marks(told: &Value) -> String {
    let mark = |fact: &Value| if fact == &json!(true) { '+' } else { '-' };
    let items = told["items"].as_array().expect("a list").iter();
    let items = items
        .map(|item| format!("{}{}", mark(&item["link_valid"]), mark(&item["signature_valid"])));
    items.collect::<Vec<_>>().join(" ")
}

fn problems(told: &Value) -> String {
    let problems = told["problems"].as_array().expect("a list").iter();
    problems.map(|problem| problem.as_str().expect("a code")).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn every_change_of_a_chain_is_found_and_named() {
    let world = ready().await;
    for key in ["a", "b", "c", "d"] {
        recorded(&world.key, key, json!({})).await;
    }
    world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    for (table, _) in TABLES {
        world.sql(&format!("create table kept_{table} as select * from {table}")).await;
    }
    for (attack, links, found) in ATTACKS {
        with_triggers_disabled(&world, attack).await;
        let told = verified(&world).await;
        assert_eq!((&*marks(&told), &*problems(&told)), (links, found), "{attack}");
        assert_eq!(told["valid"], json!(false), "{attack}");
        restored(&world).await;
        sound(&world, 4).await;
    }
}

#[tokio::test]
async fn a_cut_chain_is_not_sealed_and_a_parent_that_went_is_missed() {
    let world = ready().await;
    let first = recorded(&world.key, "a", json!({})).await;
    recorded(&world.key, "b", json!({"parent_decision_id": first["id"]})).await;
    with_triggers_disabled(&world, "delete from chain_links where position = 1").await;
    let told = verified(&world).await;
    assert_eq!(problems(&told), "LINK_GAP PARENT_NOT_IN_CHAIN");
    let refused = world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await;
    assert_eq!(refused.to_string(), "409 CONFLICT");
}
