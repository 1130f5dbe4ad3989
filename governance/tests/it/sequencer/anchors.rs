//! Anchors: they are stable while the log grows, and match the reference vector of the format.

use contract::time::Timestamp;
use receipt::{
    merkle::{self, leaf_hash},
    transparency_log::{Checkpoint, EntryKind, Note},
};

use super::{drain, queue_range, sequencer, vkey};
use crate::prelude::*;

#[tokio::test]
async fn anchor_does_not_change_when_the_log_grows() {
    let (env, tenant) = test_tenant_with_policy().await;
    let (sequencer, _) = sequencer(&env.governance);
    let mut ids = Vec::new();
    for batch in 0..4_u32 {
        for number in 0..3 {
            let key = format!("{batch}/{number}");
            ids.push(tenant.record(&request(&key, payment(number))).await.unwrap().id);
        }
        queue_range(&env, batch * 400 + 1, batch * 400 + 400).await;
        drain(&sequencer, &env.governance).await;
        env.governance.clock().advance(1_000);
    }
    let anchors = async || {
        let mut anchors = Vec::new();
        for id in &ids {
            let cx = tenant.key_cx().await;
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
    queue_range(&env, 10_000, 10_700).await;
    drain(&sequencer, &env.governance).await;
    assert_eq!(anchors().await, before);
    let vkey = vkey(&env.governance).await;
    let digests =
        env.texts("select encode(receipt_digest, 'hex') from decisions order by sequence").await;
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
        let inclusion = merkle::verify_inclusion(leaf, index, size, &proof.hashes, checkpoint.root);
        assert_eq!(inclusion, Ok(()));
        assert_eq!((proof.tree_size, proof.root_hash), (checkpoint.size, checkpoint.root));
        let start: Timestamp = crate::fixtures::NOW.parse().unwrap();
        assert!(anchor.anchored_at >= start);
    }
}
