//! Compiled rules.

use engine::{PolicyRules, Program};

use super::ActivePolicy;
use crate::base::prelude::*;

/// The steps of a compilation for one byte of the rules.
const STEPS_PER_BYTE: u64 = 256;
/// The memory of rules in multiples of their JSON.
const EXPANSION: usize = 4;

/// The compiled rules of policies. They do not depend on the names of the policies.
#[derive(Debug)]
pub(super) struct CompiledRules {
    pub(super) program: Program,
    /// The memory in bytes.
    pub(super) bytes: usize,
}

impl CompiledRules {
    /// Compiles rules whose JSON has `rules_bytes`.
    pub(super) async fn compile(
        cx: &Cx,
        tenant_id: TenantId,
        rules: &[PolicyRules<'_>],
        rules_bytes: usize,
    ) -> Result<Arc<Self>> {
        let steps = u64::try_from(rules_bytes).map(|bytes| bytes.saturating_mul(STEPS_PER_BYTE));
        let long_work = &cx.governance.deciding().long_work;
        let program =
            long_work.run(tenant_id, steps.unwrap_or(u64::MAX), || Program::compile(rules)).await?;
        let program = program.map_err(Error::internal)?;
        cx.governance.emit(Observed::Compiled);
        let bytes = rules_bytes.saturating_mul(EXPANSION).saturating_add(program.pattern_bytes());
        Ok(Arc::new(Self { program, bytes }))
    }

    /// Compiles the rules of these policies.
    pub(super) async fn of(
        cx: &Cx,
        tenant_id: TenantId,
        policies: &[&ActivePolicy],
    ) -> Result<Arc<Self>> {
        let rules: Vec<PolicyRules<'_>> = policies
            .iter()
            .map(|policy| PolicyRules {
                policy_id: policy.snapshot.policy_id,
                shadow_mode: policy.snapshot.shadow_mode,
                rules: &policy.rules,
            })
            .collect();
        let bytes = policies.iter().map(|policy| policy.bytes).sum();
        Self::compile(cx, tenant_id, &rules, bytes).await
    }
}
