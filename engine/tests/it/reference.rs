//! The engine and the naive evaluator say the same, with and without the gate index.

use std::hash::{BuildHasher, RandomState};

use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use crate::{generate, given, naive};

/// Snapshots, each met by [`CONTEXTS`] contexts: 102,400 comparisons.
const SNAPSHOTS: u32 = 12_800;
const CONTEXTS: usize = 8;

#[test]
fn the_engine_agrees_with_the_naive_evaluator() {
    let seed = seed();
    let bytes: Vec<u8> = seed.to_le_bytes().into_iter().cycle().take(32).collect();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let config = Config { cases: SNAPSHOTS, failure_persistence: None, ..Config::default() };
    let cases = (generate::policies(), vec(generate::context(), CONTEXTS));
    let compared = TestRunner::new_with_rng(config, rng).run(&cases, |(policies, contexts)| {
        let program = given::program(&policies);
        let scanned = given::program(&policies).without_index();
        for context in &contexts {
            let expected =
                context.input(|input| naive::evaluate(&given::snapshot(&policies), input));
            let said = given::said(&program, context);
            prop_assert_eq!(&said, &expected);
            prop_assert_eq!(&given::said(&scanned, context), &said);
        }
        Ok(())
    });
    if let Err(failure) = compared {
        panic!("repeat with ENGINE_SEED={seed}\n{failure}");
    }
}

/// A new seed for each run, unless one is given.
#[expect(clippy::disallowed_methods, reason = "a failure must be repeatable")]
fn seed() -> u64 {
    match std::env::var("ENGINE_SEED") {
        Ok(seed) => seed.parse().expect("a whole number"),
        Err(_) => RandomState::new().hash_one(()),
    }
}
