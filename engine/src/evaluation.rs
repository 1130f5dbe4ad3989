//! Evaluation of a program against an input.

use std::sync::Arc;

use contract::evaluation::{NaRule, RuleResult, RuleStatus, Verdict, Violation};

use crate::{
    bit_set::BitSet,
    byte_budget::{ByteBudget, ResultTooLarge},
    context_values::ContextValues,
    input::Input,
    not_applicable::NotApplicableReasons,
    program::Program,
    verdict::VerdictBuilder,
};

/// The result of evaluating a program against an input.
#[derive(Clone, Debug)]
pub struct Evaluation<'p> {
    /// The verdict.
    pub decision: Verdict,
    /// The failed checks, in the order of the rules.
    pub violations: Vec<Violation>,
    /// The number of rules that applied.
    pub rules_evaluated: u32,
    /// The number of rules that were not applicable.
    pub rules_na: u32,
    /// Whether all policies are in shadow mode.
    pub is_shadow: bool,
    /// Whether shadow mode made the verdict less strict.
    pub shadow_converted: bool,
    /// The verdict without shadow mode; present only if `shadow_converted`.
    pub original_decision: Option<Verdict>,
    /// Whether an applicable temporal rule used the evaluation time.
    pub as_of_consulted: bool,
    program: &'p Program,
    budget: ByteBudget,
    applicable: BitSet,
    /// The numbers of the violated rules in ascending order.
    violated: Vec<usize>,
}

/// Evaluates `program` against `input`. The same input always has the same result.
///
/// # Errors
/// Returns an error if the violations would repeat more of the context than a result can contain.
pub fn evaluate<'p>(
    program: &'p Program,
    input: &Input<'_>,
) -> Result<Evaluation<'p>, ResultTooLarge> {
    let mut applicable = program.index.always();
    let context = ContextValues::read(&program.names, input, |slot, value| {
        program.index.add(slot, value, &mut applicable);
    });
    let mut violations = Vec::new();
    let mut violated = Vec::new();
    let mut rules_evaluated = 0_u32;
    let mut verdict = VerdictBuilder::default();
    let mut budget = ByteBudget::default();
    let mut checked = Ok(());
    // `applicable` contains candidates so far. `retain` removes those whose gate does not match.
    applicable.retain(|number| {
        let Some(rule) = program.rules.get(number).filter(|rule| rule.applies(&context)) else {
            return false;
        };
        if checked.is_err() {
            return true;
        }
        rules_evaluated = rules_evaluated.saturating_add(1);
        let before = violations.len();
        checked = rule.check(&context, &mut violations, &mut budget);
        if violations.len() > before {
            violated.push(number);
            verdict.add(rule.severity, rule.is_shadow);
        }
        true
    });
    checked?;
    let (decision, original) = (verdict.decision(), verdict.original());
    let shadow_converted = decision != original;
    let rules = u32::try_from(program.rules.len()).unwrap_or(u32::MAX);
    Ok(Evaluation {
        decision,
        violations,
        rules_evaluated,
        rules_na: rules.saturating_sub(rules_evaluated),
        is_shadow: program.is_shadow,
        shadow_converted,
        original_decision: shadow_converted.then_some(original),
        as_of_consulted: context.as_of_consulted(),
        program,
        budget,
        applicable,
        violated,
    })
}

impl Evaluation<'_> {
    /// Returns the rules that were not applicable, with reasons. `input` must be the evaluated input.
    ///
    /// Reasons are formatted only here, and each only once, because with thousands of gates they cost far
    /// more than the verdict.
    ///
    /// # Errors
    /// Returns an error if the reasons would repeat more of the context than the violations leave room for.
    pub fn na_rules(&self, input: &Input<'_>) -> Result<Vec<NaRule>, ResultTooLarge> {
        let context = ContextValues::read(&self.program.names, input, |_, _| ());
        let mut reasons =
            NotApplicableReasons::new(&context, self.program.names.reason_count(), self.budget);
        let rules = self.program.rules.iter().enumerate();
        let na = rules.filter(|(number, _)| !self.applicable.contains(*number));
        na.filter_map(|(_, rule)| {
            let when = rule.when.as_ref()?;
            let reason = reasons.reason_for(&when.gate).transpose()?;
            Some(reason.map(|reason| NaRule {
                rule_code: Arc::clone(&rule.code),
                policy_id: rule.policy_id,
                when: Arc::clone(&when.authored),
                reason,
            }))
        })
        .collect()
    }

    /// Returns the status of each active rule, in snapshot order.
    pub fn rules(&self) -> Vec<RuleResult> {
        let status = |number| {
            if self.violated.binary_search(&number).is_ok() {
                RuleStatus::Violation
            } else if self.applicable.contains(number) {
                RuleStatus::Pass
            } else {
                RuleStatus::NotApplicable
            }
        };
        let rules = self.program.rules.iter().enumerate();
        rules
            .map(|(number, rule)| RuleResult {
                rule_code: rule.code.to_string(),
                policy_id: rule.policy_id,
                outcome: status(number),
            })
            .collect()
    }
}
