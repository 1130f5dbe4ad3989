//! A move of one version under its locks.

use contract::{id::PolicyId, policy::PolicyVersion};
use entity::{column::at, policy as policies, policy_version as table};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, IntoActiveModel};

use super::{event, find, whole};
use crate::{
    audit::Event,
    capability::{self, Spending},
    cx::Cx,
    error::{Noun, Result, not_found, stale_draft},
    permission::Permission,
    policy::{
        codification::{self, Kept},
        lifecycle::{self, Move},
        lock,
    },
    tenancy::TenantTx,
};

/// A move of one version, between the check of its state and the commit.
pub(super) struct Change {
    pub(super) tx: TenantTx,
    pub(super) before: table::Model,
    pub(super) row: table::ActiveModel,
    pub(super) policy_before: policies::Model,
    pub(super) policy: policies::ActiveModel,
    /// What is new of its codification.
    pub(super) kept: Option<Kept>,
    /// The grant under which it happens.
    spending: Option<Spending>,
}

impl Change {
    /// Locks policy and version, and refuses a move that the state does not allow.
    pub(super) async fn begin(
        cx: &Cx,
        permission: Permission,
        id: PolicyId,
        version: u32,
        requested: Move,
    ) -> Result<Self> {
        let change = Self::open(cx, permission, id, version).await?;
        lifecycle::allow(&change.before, requested)?;
        Ok(change)
    }

    /// Locks policy and version, for a move whose refusals come in an order of their own. Whoever
    /// holds the policy's row is the only one to move any version of it.
    pub(super) async fn open(
        cx: &Cx,
        permission: Permission,
        id: PolicyId,
        version: u32,
    ) -> Result<Self> {
        let tx = cx.tenant_of_version(permission, id, version)?.begin().await?;
        let policy_before = lock(&tx, id).await?;
        let spending = capability::spend(&tx, cx).await?;
        let before = find(&tx, id, version).one(tx.connection()).await?;
        let before = before.ok_or_else(|| not_found(Noun::Version))?;
        let mut policy = policy_before.clone().into_active_model();
        policy.updated_at = Set(at(cx.now));
        let row = before.clone().into_active_model();
        Ok(Self { tx, before, row, policy_before, policy, kept: None, spending })
    }

    /// Refuses a caller who has read another revision.
    pub(super) async fn expect_revision(&self, expected: u32) -> Result<()> {
        if entity::column::number(self.before.draft_revision) == expected {
            return Ok(());
        }
        Err(stale_draft(&whole(&self.tx, self.before.clone()).await?).into())
    }

    /// Stores both rows and commits them with the event of the act.
    pub(super) async fn commit(self, cx: &Cx, action: &'static str) -> Result<PolicyVersion> {
        self.commit_with(cx, |version| event(action, version)).await
    }

    /// The same, with an event that says more about the version as it then is.
    pub(super) async fn commit_with(
        self,
        cx: &Cx,
        event: impl FnOnce(&table::Model) -> Event,
    ) -> Result<PolicyVersion> {
        let version = self.row.update(self.tx.connection()).await?;
        self.policy.update(self.tx.connection()).await?;
        codification::keep(&self.tx, cx, &version, self.kept).await?;
        if let Some(spending) = self.spending {
            spending.count(&self.tx).await?;
        }
        let event = event(&version);
        let version = whole(&self.tx, version).await?;
        self.tx.commit(cx, event).await?;
        Ok(version)
    }
}
