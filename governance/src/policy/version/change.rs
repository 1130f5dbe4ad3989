//! A move of one version under its locks.

use contract::{id::PolicyId, policy::PolicyVersion};
use entity::{
    column::{at, number},
    policy as policies, policy_version as table,
};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, IntoActiveModel};

use super::{event, find, subject::Subject, whole};
use crate::{
    audit::Event,
    capability::{self, Spending},
    cx::Cx,
    error::{Noun, Result, not_found, stale_draft},
    permission::Permission,
    policy::{
        codification::{self, Kept},
        lifecycle::{self, Move, refused},
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
    /// What the caller has read of the version.
    read: Subject,
    /// The grant under which it happens.
    spending: Option<Spending>,
}

impl Change {
    /// Locks policy and version, and refuses a move that the state does not allow, or of a version that
    /// is not as the caller has read it.
    pub(super) async fn begin(
        cx: &Cx,
        permission: Permission,
        id: PolicyId,
        version: impl Into<Subject>,
        requested: Move,
    ) -> Result<Self> {
        let change = Self::open(cx, permission, id, version).await?;
        change.allow(requested).await?;
        Ok(change)
    }

    /// Refuses a move that the state does not allow, or of a version that is not as the caller has read
    /// it.
    pub(super) async fn allow(&self, requested: Move) -> Result<()> {
        lifecycle::allow(&self.before, requested)?;
        self.expect_read(requested).await
    }

    /// Locks policy and version, for a move whose refusals come in an order of their own. Whoever
    /// holds the policy's row is the only one to move any version of it.
    pub(super) async fn open(
        cx: &Cx,
        permission: Permission,
        id: PolicyId,
        version: impl Into<Subject>,
    ) -> Result<Self> {
        let read = version.into();
        let version = read.number;
        let tx = cx.tenant_of_version(permission, id, version)?.begin().await?;
        let policy_before = lock(&tx, id).await?;
        let spending = capability::spend(&tx, cx).await?;
        let before = find(&tx, id, version).one(tx.connection()).await?;
        let before = before.ok_or_else(|| not_found(Noun::Version))?;
        let mut policy = policy_before.clone().into_active_model();
        policy.updated_at = Set(at(cx.now));
        let row = before.clone().into_active_model();
        Ok(Self { tx, before, row, policy_before, policy, kept: None, read, spending })
    }

    /// Refuses a caller who has read another revision.
    pub(super) async fn expect_revision(&self, expected: u32) -> Result<()> {
        if number(self.before.draft_revision) == expected {
            return Ok(());
        }
        Err(stale_draft(&whole(&self.tx, self.before.clone()).await?).into())
    }

    /// Refuses a version that is not as the caller has read it.
    pub(super) async fn expect_read(&self, requested: Move) -> Result<()> {
        let Subject { revision, rules_digest, status, active, .. } = &self.read;
        if let Some(revision) = revision {
            self.expect_revision(*revision).await?;
        }
        if rules_digest.as_ref().is_some_and(|digest| *digest != self.before.rules_digest) {
            return Err(stale_draft(&whole(&self.tx, self.before.clone()).await?).into());
        }
        if status.is_some_and(|status| status != self.before.status.0) {
            return Err(refused(&self.before, requested, "VERSION_STATUS_CHANGED").into());
        }
        let now = self.policy_before.active_version.map(number);
        if active.is_some_and(|active| active.0 != now) {
            return Err(refused(&self.before, requested, "ACTIVE_VERSION_CHANGED").into());
        }
        Ok(())
    }

    /// Notes the caller as a maker of the version.
    pub(super) fn add_maker(&mut self, cx: &Cx) {
        let person = cx.caller.person();
        self.row.makers = Set(lifecycle::with_maker(&self.before.makers, person));
        self.row.has_unknown_maker = Set(self.before.has_unknown_maker || person.is_none());
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
