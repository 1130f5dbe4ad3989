//! The engine and the naive evaluator say the same, with and without the gate index.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    hash::{BuildHasher, RandomState},
};

use contract::evaluation::{ReasonCode, Verdict};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use crate::{
    generate,
    given::{self, Said},
    naive,
};

/// Snapshots, each met by [`CONTEXTS`] contexts: 102,400 comparisons, a tenth when
/// not optimised.
const SNAPSHOTS: u32 = if cfg!(debug_assertions) { 1_280 } else { 12_800 };
const CONTEXTS: usize = 8;

#[test]
fn the_engine_agrees_with_the_naive_evaluator() {
    let seed = seed();
    let bytes: Vec<u8> = seed.to_le_bytes().into_iter().cycle().take(32).collect();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let config = Config { cases: SNAPSHOTS, failure_persistence: None, ..Config::default() };
    let cases = (generate::policies(), vec(generate::context(), CONTEXTS));
    let shown = RefCell::new(Shown::default());
    let compared = TestRunner::new_with_rng(config, rng).run(&cases, |(policies, contexts)| {
        let program = given::program(&policies);
        let scanned = given::program(&policies).without_index();
        for context in &contexts {
            let expected =
                context.input(|input| naive::evaluate(&given::snapshot(&policies), input));
            let said = given::said(&program, context);
            prop_assert_eq!(&said, &expected);
            shown.borrow_mut().note(&said);
            prop_assert_eq!(&given::said(&scanned, context), &said);
        }
        Ok(())
    });
    if let Err(failure) = compared {
        panic!("repeat with ENGINE_SEED={seed}\n{failure}");
    }
    shown.into_inner().assert_wide();
}

/// What the generated cases have shown: agreement about nothing would prove nothing.
#[derive(Default)]
struct Shown {
    verdicts: BTreeSet<Verdict>,
    codes: BTreeMap<ReasonCode, u32>,
    original_decisions: BTreeSet<Verdict>,
    rules_evaluated: u64,
    rules_na: u64,
    as_of_consulted: u64,
}

impl Shown {
    fn note(&mut self, said: &Said) {
        self.verdicts.insert(said.decision);
        for violation in &said.violations {
            *self.codes.entry(violation.reason_code).or_default() += 1;
        }
        self.original_decisions.extend(said.original_decision);
        self.rules_evaluated += u64::from(said.rules_evaluated);
        self.rules_na += u64::from(said.rules_na);
        self.as_of_consulted += u64::from(said.as_of_consulted);
    }

    fn assert_wide(&self) {
        assert_eq!(self.verdicts, BTreeSet::from(Verdict::ALL));
        for code in ReasonCode::ALL {
            let count = self.codes.get(&code).copied().unwrap_or_default();
            assert!(count > SNAPSHOTS / 100, "{code} appeared {count} times");
        }
        assert_eq!(self.original_decisions, BTreeSet::from([Verdict::Review, Verdict::Deny]));
        let comparisons = u64::from(SNAPSHOTS) * CONTEXTS as u64;
        for count in [self.rules_evaluated, self.rules_na, self.as_of_consulted] {
            assert!(count > comparisons / 100, "{count} of {comparisons}");
        }
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
