//! What waits for people within the reach of a capability (specification, "pending-work"). Several
//! statements read it, so it is no snapshot; none of them writes.

mod due;
mod sealed;

use contract::{
    capability::pending_work::PendingWork,
    id::{ApiKeyId, PolicyId},
    policy::VersionStatus,
};
use entity::{
    capability_grant::Model as Grant,
    column::number,
    policy as policies,
    policy_version::{self as versions, Model as Version},
};
use sea_orm::{ColumnTrait, QueryFilter};
use uuid::Uuid;

use self::{
    due::{Due, Subject},
    sealed::Sealed,
};
use super::chain::Chain;
use crate::{
    caller::Caller,
    cx::Cx,
    error::{Error, Noun, Result, capability as refuse, not_found},
    permission,
    policy::version::lineage::{self, Lineage},
    tenancy::TenantTx,
};

/// The review and activation work on the version that the calling key's grant names, and on the
/// earlier draft that its next seal answers when a grant of the same chain names that.
///
/// # Errors
/// `FORBIDDEN` for who carries no capability; `AUTHORING_CAPABILITY_…`, of which `_OBJECT_MISMATCH`
/// also for a grant that was carried during the call; `NOT_FOUND` when the version is gone.
pub async fn pending_work(cx: &Cx) -> Result<PendingWork> {
    let (tenant, _) = cx.carrier(permission::READ_PENDING_WORK)?;
    let key = key(cx)?;
    let tx = tenant.begin().await?;
    let chain = Chain::held(&tx, &cx.governance, key, cx.now).await?;
    let grant = chain.governing()?;
    let reach = Reach::read(&tx, grant, &chain).await?;
    let work = reach.work(grant, cx);
    if Chain::held(&tx, &cx.governance, key, cx.now).await?.governing()?.id != grant.id {
        return Err(refuse::carried_meanwhile().into());
    }
    tx.end().await?;
    Ok(work)
}

fn key(cx: &Cx) -> Result<ApiKeyId> {
    match &cx.caller {
        Caller::Key(key) => Ok(key.id),
        _ => Err(Error::bug("a carrier that is no key")),
    }
}

/// What was read of the versions within reach.
struct Reach {
    policy: policies::Model,
    head: Version,
    lineage: Lineage,
    /// The earlier draft that the next seal answers, if it is not the head that was sealed last.
    earlier: Option<Earlier>,
    /// What was sealed of the head, the earlier draft and all versions that the chain names.
    sealed: Vec<Sealed>,
}

/// A draft before the head, of which the last submission of the lineage was sealed.
struct Earlier {
    version: Version,
    /// The draft that corrects it.
    successor: Option<u32>,
    /// Whether a grant of the chain names it.
    is_backed: bool,
}

impl Reach {
    async fn read(tx: &TenantTx, grant: &Grant, chain: &Chain) -> Result<Self> {
        let (policy, head) = subject(tx, grant).await?;
        let lineage = lineage::walk(tx, &head).await?;
        let earlier = Earlier::read(tx, &lineage, chain).await?;
        let mut within: Vec<Uuid> = chain.versions().collect();
        within.push(head.id);
        let mut looked_at = within.clone();
        looked_at.extend(earlier.as_ref().map(|earlier| earlier.version.id));
        let prior = lineage.prior().map(|prior| prior.submission_id);
        let mut sealed = sealed::of_versions(tx, PolicyId(policy.id), looked_at).await?;
        // Of a version that no grant names, only what the next seal answers is told.
        sealed.retain(|one| {
            within.contains(&one.submission.policy_version_id)
                || prior.is_some_and(|prior| prior.0 == one.submission.id)
        });
        Ok(Self { policy, head, lineage, earlier, sealed })
    }

    fn work(self, grant: &Grant, cx: &Cx) -> PendingWork {
        let prior = self.lineage.prior().map(|prior| prior.submission_id);
        let prior = prior.and_then(|id| self.sealed.iter().find(|one| one.submission.id == id.0));
        let returned = prior.and_then(Sealed::returned);
        let is_sealable =
            matches!(self.head.status.0, VersionStatus::Draft | VersionStatus::Submitted);
        let is_not_backed = self.earlier.as_ref().is_some_and(|earlier| !earlier.is_backed);
        PendingWork {
            capability_id: grant.id.into(),
            root_capability_id: grant.root_id.into(),
            policy_id: grant.policy_id.into(),
            policy_version_id: self.head.id.into(),
            policy_version_number: number(self.head.version),
            observed_at: cx.now,
            items: self.items(is_sealable),
            next_seal_answers: returned.filter(|_| is_sealable),
            returns_not_answerable: sealed::not_answerable(&self.sealed, prior, is_sealable),
            lineage_unresolved: !self.lineage.is_resolved,
            lineage_not_backed_by_grant: is_not_backed,
        }
    }

    /// The items of the head; and of the earlier draft for as long as the head waits to be sealed.
    fn items(&self, is_sealable: bool) -> Vec<contract::capability::pending_work::PendingItem> {
        let head = Subject { version: &self.head, last: self.last(self.head.id) };
        let head = Due::of_head(&head).map(|due| due.item(&self.policy, &head, None));
        let earlier = self.earlier.as_ref().filter(|earlier| is_sealable && earlier.is_backed);
        let earlier = earlier.and_then(|earlier| {
            let subject =
                Subject { version: &earlier.version, last: self.last(earlier.version.id) };
            let due = Due::of_earlier(&subject)?;
            Some(due.item(&self.policy, &subject, earlier.successor))
        });
        head.into_iter().chain(earlier).collect()
    }

    /// What was sealed of a version last.
    fn last(&self, version: Uuid) -> Option<&Sealed> {
        let of_it = self.sealed.iter().filter(|one| one.submission.policy_version_id == version);
        of_it.max_by_key(|one| one.submission.sequence)
    }
}

impl Earlier {
    async fn read(tx: &TenantTx, lineage: &Lineage, chain: &Chain) -> Result<Option<Self>> {
        let place = lineage.drafts.iter().position(|draft| draft.sealed.is_some());
        let Some((place, draft)) =
            place.and_then(|place| Some((place, lineage.drafts.get(place)?)))
        else {
            return Ok(None);
        };
        let Some(successor) = place.checked_sub(1).and_then(|after| lineage.drafts.get(after))
        else {
            return Ok(None);
        };
        let (Some(version), Some(successor)) =
            (by_id(tx, draft.id.0).await?, by_id(tx, successor.id.0).await?)
        else {
            return Ok(None);
        };
        let is_backed = chain.versions().any(|named| named == version.id);
        Ok(Some(Self { version, successor: Some(number(successor.version)), is_backed }))
    }
}

/// The policy and the version that a grant names.
async fn subject(tx: &TenantTx, grant: &Grant) -> Result<(policies::Model, Version)> {
    let policy = tx.find::<policies::Entity>().filter(policies::Column::Id.eq(grant.policy_id));
    let policy = policy.one(tx.connection()).await?.ok_or_else(|| not_found(Noun::Policy))?;
    let head = by_id(tx, grant.policy_version_id).await?;
    let head = head.ok_or_else(|| not_found(Noun::Version))?;
    Ok((policy, head))
}

async fn by_id(tx: &TenantTx, id: Uuid) -> Result<Option<Version>> {
    let rows = tx.find::<versions::Entity>().filter(versions::Column::Id.eq(id));
    Ok(rows.one(tx.connection()).await?)
}
