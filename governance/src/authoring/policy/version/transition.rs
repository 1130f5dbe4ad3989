//! A transition of one version under its locks.

use entity::{policy as policies, policy_version as table};

use super::{Subject, event, find, to_wire_with_lineage};
use crate::{
    access::{auth::lock_authority, permission::Permission},
    authoring::{
        capability::{self, PendingUse},
        policy::{
            lifecycle::{self, Transition, transition_error},
            locks::lock,
            stored_codification::{self, StoredCodification},
        },
    },
    base::{error::stale_draft, prelude::*},
};

/// A transition of one version, between the check of its state and the commit.
pub(super) struct VersionTransition {
    pub(super) tx: TenantTx,
    pub(super) before: table::Model,
    pub(super) row: table::ActiveModel,
    pub(super) policy_before: policies::Model,
    pub(super) policy: policies::ActiveModel,
    /// The codification to store; absent when it does not change.
    pub(super) codification: Option<StoredCodification>,
    expected: Subject,
    /// The use of a grant under which the transition happens.
    pending_use: Option<PendingUse>,
}

impl VersionTransition {
    /// Locks policy and version and checks that the state allows the transition and equals what the
    /// caller has read.
    pub(super) async fn begin(
        cx: &Cx,
        permission: Permission,
        id: PolicyId,
        version: impl Into<Subject>,
        requested: Transition,
    ) -> Result<Self> {
        let change = Self::open(cx, permission, id, version).await?;
        change.check(requested).await?;
        Ok(change)
    }

    /// Checks that the state allows the transition and equals what the caller has read.
    pub(super) async fn check(&self, requested: Transition) -> Result<()> {
        lifecycle::check_transition(&self.before, requested)?;
        self.expect_read(requested).await
    }

    /// Locks policy and version without checking the state, for transitions with their own order of
    /// checks. Every transition of a version takes the lock of the policy's row. A transition that needs a
    /// recent sign-in first locks the authority of the caller.
    pub(super) async fn open(
        cx: &Cx,
        permission: Permission,
        id: PolicyId,
        version: impl Into<Subject>,
    ) -> Result<Self> {
        let expected = version.into();
        let version = expected.number;
        let tx = cx.tenant_of_version(permission, id, version)?.begin().await?;
        if permission.signs {
            lock_authority(&tx, cx, permission).await?;
        }
        let policy_before = lock(&tx, id).await?;
        let pending_use = capability::reserve_use(&tx, cx).await?;
        let before = find(&tx, id, version).one(tx.connection()).await?;
        let before = before.or_not_found(ResourceKind::Version)?;
        let mut policy = policy_before.clone().into_active_model();
        policy.updated_at = Set(to_column(cx.now));
        let row = before.clone().into_active_model();
        Ok(Self {
            tx,
            before,
            row,
            policy_before,
            policy,
            codification: None,
            expected,
            pending_use,
        })
    }

    /// Checks that the draft revision equals the one that the caller has read.
    pub(super) async fn expect_revision(&self, expected: u32) -> Result<()> {
        if unsigned(self.before.draft_revision) == expected {
            Ok(())
        } else {
            self.reject_stale().await
        }
    }

    /// Returns `STALE_DRAFT_REVISION` with the current draft.
    async fn reject_stale(&self) -> Result<()> {
        Err(stale_draft(&to_wire_with_lineage(&self.tx, self.before.clone()).await?).into())
    }

    /// Checks that the version equals what the caller has read.
    async fn expect_read(&self, requested: Transition) -> Result<()> {
        let Subject { revision, rules_digest, status, active, .. } = &self.expected;
        if let Some(revision) = revision {
            self.expect_revision(*revision).await?;
        }
        if rules_digest.as_ref().is_some_and(|digest| *digest != self.before.rules_digest) {
            return self.reject_stale().await;
        }
        if status.is_some_and(|status| status != self.before.status.0) {
            return Err(transition_error(&self.before, requested, "VERSION_STATUS_CHANGED").into());
        }
        let active_version = self.policy_before.active_version.map(unsigned);
        if active.is_some_and(|active| active.0 != active_version) {
            return Err(transition_error(&self.before, requested, "ACTIVE_VERSION_CHANGED").into());
        }
        Ok(())
    }

    /// Adds the caller to the makers of the version.
    pub(super) fn add_maker(&mut self, cx: &Cx) {
        let person = cx.caller.person();
        self.row.makers = Set(lifecycle::with_maker(&self.before.makers, person));
        self.row.has_unknown_maker = Set(self.before.has_unknown_maker || person.is_none());
    }

    /// Stores both rows and commits them with the audit event.
    pub(super) async fn commit(self, cx: &Cx, action: &'static str) -> Result<PolicyVersion> {
        self.commit_with(cx, |version| event(action, version)).await
    }

    /// Stores both rows and commits them with an event built from the updated version.
    pub(super) async fn commit_with(
        self,
        cx: &Cx,
        event: impl FnOnce(&table::Model) -> Event,
    ) -> Result<PolicyVersion> {
        let version = self.row.update(self.tx.connection()).await?;
        self.policy.update(self.tx.connection()).await?;
        stored_codification::insert(&self.tx, cx, &version, self.codification).await?;
        if let Some(pending_use) = self.pending_use {
            pending_use.count(&self.tx).await?;
        }
        let event = event(&version);
        let version = to_wire_with_lineage(&self.tx, version).await?;
        self.tx.commit(cx, event).await?;
        Ok(version)
    }
}
