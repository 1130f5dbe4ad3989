//! Evaluates a program on an input.

use std::sync::Arc;

use contract::evaluation::{NaRule, Outcome, RuleOutcome, Verdict, Violation};

use crate::{
    bits::Bits, facts::Facts, input::Input, program::Program, refusal::Refusals, verdict::Tally,
};

/// What a program says of an input.
#[derive(Clone, Debug)]
pub struct Evaluation<'p> {
    /// The verdict.
    pub decision: Verdict,
    /// Failing checks, in rule order.
    pub violations: Vec<Violation>,
    /// How many rules applied.
    pub rules_evaluated: u32,
    /// How many did not.
    pub rules_na: u32,
    /// Whether every policy is in shadow mode.
    pub is_shadow: bool,
    /// Whether shadow mode made the verdict milder.
    pub shadow_converted: bool,
    /// What the verdict would be with every policy enforced; only beside `shadow_converted`.
    pub original_decision: Option<Verdict>,
    /// Whether an applicable temporal rule held a date against the evaluation instant.
    pub as_of_consulted: bool,
    program: &'p Program,
    applicable: Bits,
    /// Numbers of the violated rules, rising.
    violated: Vec<usize>,
}

/// Evaluates `program` on `input`. Total: every input gives an evaluation, and the same input the
/// same one.
pub fn evaluate<'p>(program: &'p Program, input: &Input<'_>) -> Evaluation<'p> {
    let mut applicable = program.index.always();
    let facts = Facts::read(&program.names, input, |slot, value| {
        program.index.add(slot, value, &mut applicable);
    });
    let mut violations = Vec::new();
    let mut violated = Vec::new();
    let mut rules_evaluated = 0_u32;
    let mut tally = Tally::default();
    // So far these are candidates. Those whose gate does not match drop out.
    applicable.retain(|number| {
        let Some(rule) = program.rules.get(number).filter(|rule| rule.applies(&facts)) else {
            return false;
        };
        rules_evaluated = rules_evaluated.saturating_add(1);
        let before = violations.len();
        rule.check(&facts, &mut violations);
        if violations.len() > before {
            violated.push(number);
            tally.note(rule.severity, rule.is_shadow);
        }
        true
    });
    let (decision, original) = (tally.decision(), tally.original());
    let shadow_converted = decision != original;
    let rules = u32::try_from(program.rules.len()).unwrap_or(u32::MAX);
    Evaluation {
        decision,
        violations,
        rules_evaluated,
        rules_na: rules.saturating_sub(rules_evaluated),
        is_shadow: program.is_shadow,
        shadow_converted,
        original_decision: shadow_converted.then_some(original),
        as_of_consulted: facts.as_of_consulted(),
        program,
        applicable,
        violated,
    }
}

impl Evaluation<'_> {
    /// The rules whose gate did not match, with reasons. `input` must be the one evaluated.
    ///
    /// Reasons are written only here, and each of them once: with thousands of gates they cost far
    /// more than the verdict.
    pub fn na_rules(&self, input: &Input<'_>) -> Vec<NaRule> {
        let facts = Facts::read(&self.program.names, input, |_, _| ());
        let mut refusals = Refusals::new(&facts, self.program.names.reasons());
        let rules = self.program.rules.iter().enumerate();
        let na = rules.filter(|(number, _)| !self.applicable.contains(*number));
        na.filter_map(|(_, rule)| {
            let when = rule.when.as_ref()?;
            Some(NaRule {
                rule_code: Arc::clone(&rule.code),
                policy_id: rule.policy_id,
                when: Arc::clone(&when.written),
                reason: refusals.of(&when.gate)?,
            })
        })
        .collect()
    }

    /// How each active rule fared, in snapshot order.
    pub fn rules(&self) -> Vec<RuleOutcome> {
        let outcome = |number| {
            if self.violated.binary_search(&number).is_ok() {
                Outcome::Violation
            } else if self.applicable.contains(number) {
                Outcome::Pass
            } else {
                Outcome::NotApplicable
            }
        };
        let rules = self.program.rules.iter().enumerate();
        rules
            .map(|(number, rule)| RuleOutcome {
                rule_code: rule.code.to_string(),
                policy_id: rule.policy_id,
                outcome: outcome(number),
            })
            .collect()
    }
}
