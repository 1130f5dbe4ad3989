//! Anchors: they never change, and are those of the format.

use contract::time::Timestamp;
use receipt::{
    merkle::{self, leaf_hash},
    transparency_log::{Checkpoint, EntryKind, Note},
};

use super::{drain, due_between, ready, sequencer, vkey};
use crate::fixtures::{list, payment, request, spending, text, value, world};

#[tokio::test]
async fn an_anchor_does_not_change_however_the_log_grows() {
    let (world, house) = ready().await;
    let (sequencer, _) = sequencer(&world.governance);
    let mut ids = Vec::new();
    for batch in 0..4_u32 {
        for place in 0..3 {
            let key = format!("{batch}/{place}");
            ids.push(house.record(&request(&key, payment(place))).await.unwrap().id);
        }
        due_between(&world, batch * 400 + 1, batch * 400 + 400).await;
        drain(&sequencer, &world.governance).await;
        world.governance.clock().advance(1_000);
    }
    let anchors = async || {
        let mut anchors = Vec::new();
        for id in &ids {
            let cx = house.by_key().await;
            let receipt = governance::deciding::decision::receipt(&cx, *id).await.unwrap();
            let anchor = receipt.transparency_anchor.clone().unwrap();
            assert_eq!(receipt.result.transparency_anchor.as_ref(), Some(&anchor));
            let read = governance::deciding::decision::read(&cx, *id).await.unwrap();
            assert_eq!(read.result.transparency_anchor.as_ref(), Some(&anchor));
            anchors.push(anchor);
        }
        anchors
    };
    let before = anchors().await;
    due_between(&world, 10_000, 10_700).await;
    drain(&sequencer, &world.governance).await;
    assert_eq!(anchors().await, before);
    let vkey = vkey(&world.governance).await;
    let digests = world.texts("select receipt_digest from decisions order by sequence").await;
    for (anchor, digest) in before.iter().zip(digests) {
        let anchor = receipt::transparency_log::Anchor::read(anchor).unwrap();
        let proof = &anchor.inclusion_proof;
        let note = proof.checkpoint.as_deref().unwrap();
        let note = Note::read(note).unwrap();
        assert_eq!(note.verify(&vkey), Ok(()));
        let checkpoint = Checkpoint::read(note.text).unwrap();
        let data =
            receipt::transparency_log::entry(EntryKind::Receipt, digest.parse().unwrap()).text;
        let leaf = leaf_hash(data.as_bytes());
        assert_eq!(anchor.entry_uuid, format!("{}{leaf}", checkpoint.tree_id()));
        let (index, size) = (anchor.log_index, checkpoint.size);
        let shown = merkle::verify_inclusion(leaf, index, size, &proof.hashes, checkpoint.root);
        assert_eq!(shown, Ok(()));
        assert_eq!((proof.tree_size, proof.root_hash), (checkpoint.size, checkpoint.root));
        let now: Timestamp = crate::fixtures::NOW.parse().unwrap();
        assert!(anchor.anchored_at >= now);
    }
}

#[tokio::test]
async fn the_worked_example_comes_out_of_the_real_tree() {
    let oracle = value(include_str!("../../../../receipt/vectors/service_profile_oracle.json"));
    let expected = oracle.get("public_receipt").unwrap().get("transparency_anchor").unwrap();
    let world = world().await;
    world.governance.set_log_origin("govern.example/log/1");
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    let id = house.record(&request("a", payment(1))).await.unwrap().id;
    world.execute_as_superuser("delete from log_pending").await;
    let mut of_receipt = String::new();
    for entry in list(oracle.get("log").unwrap(), "entries") {
        let entry = value(entry.as_str().unwrap());
        let (kind, digest) = (text(&entry, "kind"), text(&entry, "digest"));
        let insert =
            format!("insert into log_pending (kind, digest) values ('{kind}', '{digest}')");
        world.execute_as_superuser(&insert).await;
        if kind == "receipt" {
            digest.clone_into(&mut of_receipt);
        }
    }
    world.execute_as_superuser("alter table decisions disable trigger user").await;
    world
        .execute_as_superuser(&format!("update decisions set receipt_digest = '{of_receipt}'"))
        .await;
    let (sequencer, _) = sequencer(&world.governance);
    assert_eq!(drain(&sequencer, &world.governance).await, 5);
    let receipt = governance::deciding::decision::receipt(&house.by_key().await, id).await.unwrap();
    let made = receipt.transparency_anchor.unwrap();
    // The key of the log and the moment are this world's; everything else is the example's.
    let [made, expected] = [&made, expected].map(|anchor| {
        let mut anchor = receipt::transparency_log::Anchor::read(anchor).unwrap();
        anchor.anchored_at = crate::fixtures::NOW.parse().unwrap();
        let note = anchor.inclusion_proof.checkpoint.take().unwrap();
        (anchor, Note::read(&note).unwrap().text.to_owned())
    });
    assert_eq!(made, expected);
}
