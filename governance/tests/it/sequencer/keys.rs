//! A tree keeps its key, whatever key signs receipts.

use governance::{
    Governance, Pepper,
    log::{self, Refused, Turn},
};

use super::{audited, drain, due_between, every_checkpoint, ready, sequencer, turn, vkey};
use crate::world::World;

/// The signing key that comes next.
const NEXT: [u8; 32] = [70; 32];

/// The secret of the processes of a world.
const SECRET: [u8; 32] = [3; 32];

/// How many seeds are kept.
async fn kept(world: &World) -> usize {
    world.count("select count(seed) from log_trees").await
}

/// Takes the seed out of the store, as of a tree from before seeds were kept.
async fn forget(world: &World) {
    world.force("alter table log_trees disable trigger all").await;
    world.force("update log_trees set seed = null, seed_key = null").await;
    world.force("alter table log_trees enable always trigger a_seed_is_kept").await;
}

/// How the next turn of a process ends that has something to log.
async fn refused(world: &World, process: &Governance) -> bool {
    let number =
        1_000 + u32::try_from(world.count("select count(*) from log_pending").await).unwrap();
    due_between(world, number, number).await;
    turn(&sequencer(process).0, process).await == Turn::Refused(Refused::KeyChanged)
}

#[tokio::test]
async fn a_tree_goes_on_with_its_key_when_the_signing_key_is_replaced() {
    let (world, _) = ready().await;
    let (first, _) = sequencer(&world.governance);
    drain(&first, &world.governance).await;
    first.release(&world.governance).await.unwrap();
    let key = vkey(&world.governance).await;
    assert_eq!(kept(&world).await, 1);
    // Either process logs, in turns; a secret that got a further version opens what is older.
    let next = world.process_with_key(2, NEXT).await;
    let later = Pepper::with_keys(SECRET, [Some([4; 32])]);
    let later = world.process_with_secret(3, NEXT, later).await;
    for (number, process) in [(1, &next), (2, &world.governance), (3, &later)] {
        due_between(&world, number, number).await;
        let (sequencer, _) = sequencer(process);
        assert_eq!(drain(&sequencer, process).await, 1);
        assert_eq!(process.log_refused(), None);
        sequencer.release(process).await.unwrap();
    }
    assert_eq!(vkey(&next).await, key);
    // Each checkpoint is signed by the one key.
    assert_eq!(every_checkpoint(&world).await.last(), Some(&4));

    // A tree that begins now has a key of the next one, and the first process goes on with that.
    let (_, memory) = sequencer(&next);
    let begun = log::freeze(&next.operator(), memory, None).await.unwrap();
    assert_ne!(begun.vkey.split('+').next_back(), key.to_string().split('+').next_back());
    due_between(&world, 4, 4).await;
    assert_eq!(drain(&sequencer(&world.governance).0, &world.governance).await, 1);
    audited(&world.governance).await.unwrap();
    assert_eq!(kept(&world).await, 2);
}

#[tokio::test]
async fn a_tree_from_before_keys_were_kept_gets_its_own_from_a_process_that_has_it() {
    let (world, _) = ready().await;
    let (first, _) = sequencer(&world.governance);
    drain(&first, &world.governance).await;
    first.release(&world.governance).await.unwrap();
    forget(&world).await;
    let next = world.process_with_key(2, NEXT).await;
    assert!(refused(&world, &next).await, "it never had the key");
    assert_eq!(kept(&world).await, 0);
    drain(&first, &world.governance).await;
    first.release(&world.governance).await.unwrap();
    assert_eq!(kept(&world).await, 1);
    assert!(!refused(&world, &next).await);
    audited(&next).await.unwrap();
}

#[tokio::test]
async fn a_seed_that_does_not_open_or_is_of_another_tree_signs_nothing() {
    let (world, _) = ready().await;
    let (first, memory) = sequencer(&world.governance);
    drain(&first, &world.governance).await;
    first.release(&world.governance).await.unwrap();
    // With another secret, and where the version is not there that it was sealed with.
    let other = world.process_with_secret(2, NEXT, Pepper::new([4; 32])).await;
    assert!(refused(&world, &other).await);
    assert_eq!(other.log_refused(), Some(Refused::KeyChanged));
    let own = world.process_with_secret(3, [7; 32], Pepper::new([4; 32])).await;
    assert!(!refused(&world, &own).await, "its signing key is still the tree's");
    sequencer(&own).0.release(&own).await.unwrap();

    log::freeze(&world.governance.operator(), memory, None).await.unwrap();
    let next = world.process_with_key(4, NEXT).await;
    assert!(!refused(&world, &next).await);
    world.force("alter table log_trees disable trigger all").await;
    let swap = "update log_trees set seed = (select seed from log_trees where number = 1), \
                seed_key = 1 where number = 2";
    world.force(swap).await;
    assert!(refused(&world, &next).await);
}
