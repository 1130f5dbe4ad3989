//! Comparison of the engine, with and without the gate index, with the naive evaluator.

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
    fixtures::{self, FullEvaluation},
    generate, naive,
};

/// The number of snapshots, each evaluated with [`CONTEXTS`] contexts: 102,400 comparisons.
const SNAPSHOTS: u32 = 12_800;
const CONTEXTS: usize = 8;

#[test]
fn engine_and_naive_evaluator_return_equal_results() {
    let seed = seed();
    let bytes: Vec<u8> = seed.to_le_bytes().into_iter().cycle().take(32).collect();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let config = Config { cases: SNAPSHOTS, failure_persistence: None, ..Config::default() };
    let cases = (generate::policies(), vec(generate::context(), CONTEXTS));
    let coverage = RefCell::new(Coverage::default());
    let result = TestRunner::new_with_rng(config, rng).run(&cases, |(policies, contexts)| {
        let program = fixtures::program(&policies);
        let scanned = fixtures::program(&policies).without_index();
        for context in &contexts {
            let expected =
                context.input(|input| naive::evaluate(&fixtures::snapshot(&policies), input));
            let evaluation = fixtures::run(&program, context);
            prop_assert_eq!(&evaluation, &expected);
            coverage.borrow_mut().add(&evaluation);
            prop_assert_eq!(&fixtures::run(&scanned, context), &evaluation);
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("repeat with ENGINE_SEED={seed}\n{failure}");
    }
    coverage.into_inner().assert_complete();
}

/// The results that the generated cases cover. Agreement on few results would prove little.
#[derive(Default)]
struct Coverage {
    verdicts: BTreeSet<Verdict>,
    codes: BTreeMap<ReasonCode, u32>,
    original_decisions: BTreeSet<Verdict>,
    rules_evaluated: u64,
    rules_na: u64,
    as_of_consulted: u64,
}

impl Coverage {
    fn add(&mut self, evaluation: &FullEvaluation) {
        self.verdicts.insert(evaluation.decision);
        for violation in &evaluation.violations {
            *self.codes.entry(violation.reason_code).or_default() += 1;
        }
        self.original_decisions.extend(evaluation.original_decision);
        self.rules_evaluated += u64::from(evaluation.rules_evaluated);
        self.rules_na += u64::from(evaluation.rules_na);
        self.as_of_consulted += u64::from(evaluation.as_of_consulted);
    }

    fn assert_complete(&self) {
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

/// Returns a new seed per run, or the seed of `ENGINE_SEED`.
#[expect(clippy::disallowed_methods, reason = "a failure must be repeatable")]
fn seed() -> u64 {
    match std::env::var("ENGINE_SEED") {
        Ok(seed) => seed.parse().expect("an integer"),
        Err(_) => RandomState::new().hash_one(()),
    }
}
