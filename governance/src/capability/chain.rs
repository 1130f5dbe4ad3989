//! A key's chain of grants: whether it is what was signed, and whether it holds at a moment.

use contract::{
    capability::Capability,
    id::{ApiKeyId, CapabilityId, TenantId, UserId},
    time::Timestamp,
};
use entity::{
    capability_grant::{Column, Entity, Model},
    column::{instant, number},
};
use receipt::{
    canon::Canonical,
    chain::ChainKeys as _,
    digest::Digest,
    grant::{CapabilityGrant, Predecessor, check_lineage},
    key::PayloadType,
};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use crate::{
    Governance,
    error::{Error, Refusal, Result, capability as refuse},
    signing::ServiceKey,
    tenancy::TenantTx,
    trust::Keys,
};

/// The grants of one key, first grant first. The last one governs; each of the others was carried to
/// the next.
#[derive(Debug)]
pub(super) struct Chain(Vec<Model>);

impl Chain {
    /// A chain of these rows, first grant first.
    pub(super) fn new(rows: Vec<Model>) -> Self {
        Self(rows)
    }

    /// The chain of a key, if it holds: nothing of it is missing, it is what was signed, and none of
    /// its grants has ended or is still to begin.
    ///
    /// # Errors
    /// `AUTHORING_CAPABILITY_…`.
    pub(super) async fn held(
        tx: &TenantTx,
        governance: &Governance,
        key: ApiKeyId,
        now: Timestamp,
    ) -> Result<Self> {
        let chain = Self::of(tx, key).await?;
        chain.check(&Keys::now(governance, tx.connection()).await?, now)?;
        Ok(chain)
    }

    /// The chain of a key, if it is whole and what was signed, whatever its state.
    ///
    /// # Errors
    /// `AUTHORING_CAPABILITY_MISSING` or `AUTHORING_CAPABILITY_INTEGRITY`.
    pub(super) async fn intact(
        tx: &TenantTx,
        governance: &Governance,
        key: ApiKeyId,
    ) -> Result<Self> {
        let chain = Self::of(tx, key).await?;
        chain.check_intact(&Keys::now(governance, tx.connection()).await?)?;
        Ok(chain)
    }

    async fn of(tx: &TenantTx, key: ApiKeyId) -> Result<Self> {
        let rows = tx
            .find::<Entity>()
            .filter(Column::ApiKeyId.eq(key.0))
            .order_by_asc(Column::Depth)
            .all(tx.connection())
            .await?;
        Ok(Self(rows))
    }

    /// Its grants, as the wire knows them.
    pub(super) fn grants(self) -> Vec<Capability> {
        self.0.into_iter().map(Capability::from).collect()
    }

    /// The grant that governs the key.
    pub(super) fn governing(&self) -> Result<&Model> {
        self.0.last().ok_or_else(|| refuse::missing().into())
    }

    /// The versions that its grants name, by id.
    pub(super) fn versions(&self) -> impl Iterator<Item = Uuid> {
        self.0.iter().map(|grant| grant.policy_version_id)
    }

    /// Refuses a chain that does not hold at a moment: [`Chain::held`], of rows that are at hand.
    pub(super) fn check(&self, keys: &Keys<'_>, now: Timestamp) -> Result<(), Refusal> {
        self.check_intact(keys)?;
        self.check_state(now)
    }

    /// Refuses a chain that is not whole, or not what was signed.
    fn check_intact(&self, keys: &Keys<'_>) -> Result<(), Refusal> {
        self.check_whole()?;
        self.check_signed(keys)
    }

    /// Refuses a chain that lacks one of its grants.
    fn check_whole(&self) -> Result<(), Refusal> {
        let last = self.0.last().ok_or_else(refuse::missing)?;
        let is_whole = usize::try_from(last.depth).is_ok_and(|depth| depth <= self.0.len());
        if is_whole { Ok(()) } else { Err(refuse::missing()) }
    }

    /// Refuses a chain of which anything is other than what was signed. Each row is made into a
    /// statement again, which must be the stored one to the byte: so no column can say otherwise.
    fn check_signed(&self, keys: &Keys<'_>) -> Result<(), Refusal> {
        let mut lineage: Vec<(Digest, CapabilityGrant)> = Vec::new();
        for (row, next) in self.0.iter().zip(nexts(&self.0)) {
            let before = lineage.last().map(|(digest, grant)| Predecessor {
                capability_id: grant.capability_id,
                grant_digest: *digest,
            });
            let is_linked = row.parent_id.map(CapabilityId)
                == before.map(|before| before.capability_id)
                && row.carried_to == next;
            let grant = grant(row, before, row.signature_kid.as_deref().unwrap_or_default());
            let statement = grant.canonical();
            if !(is_linked && is_signed(row, &statement, keys)) {
                return Err(refuse::integrity());
            }
            lineage.push((statement.digest, grant));
        }
        check_lineage(&lineage).map_err(|_| refuse::integrity())
    }

    /// Refuses a chain one of whose grants was revoked, is used up, has expired or does not hold yet.
    fn check_state(&self, now: Timestamp) -> Result<(), Refusal> {
        let any = |is_so: fn(&Model, Timestamp) -> bool| self.0.iter().any(|row| is_so(row, now));
        if any(|row, _| row.revoked_at.is_some()) {
            return Err(refuse::revoked());
        }
        if any(|row, _| row.max_uses.is_some_and(|max| row.uses >= max)) {
            return Err(refuse::exhausted());
        }
        if any(has_expired) {
            return Err(refuse::expired());
        }
        if any(|row, now| row.not_before.is_some_and(|start| now < instant(start))) {
            return Err(refuse::not_yet_valid());
        }
        Ok(())
    }
}

/// Of each row the id of the next one; nothing of the last.
fn nexts(rows: &[Model]) -> impl Iterator<Item = Option<Uuid>> {
    rows.iter().skip(1).map(|row| Some(row.id)).chain(std::iter::once(None))
}

/// Whether a grant has come to its end.
pub(super) fn has_expired(row: &Model, now: Timestamp) -> bool {
    row.expires_at.is_some_and(|end| instant(end) <= now)
}

/// Whether a row holds this statement, with a good signature of a key that is believed.
fn is_signed(row: &Model, statement: &Canonical, keys: &Keys<'_>) -> bool {
    let kind = PayloadType::CapabilityGrant;
    let signature = row.signature.as_deref().unwrap_or_default();
    let key = keys.key(row.signature_kid.as_deref().unwrap_or_default(), kind);
    row.statement == statement.text
        && row.digest == statement.digest.to_string()
        && key.is_ok_and(|key| key.verify(kind, &row.statement, signature).is_ok())
}

/// What a row grants, as it is signed (receipts, section 9.2).
fn grant(row: &Model, predecessor: Option<Predecessor>, kid: &str) -> CapabilityGrant {
    CapabilityGrant {
        capability_id: row.id.into(),
        root_capability_id: row.root_id.into(),
        depth: number(row.depth),
        predecessor,
        tenant_id: TenantId(row.tenant_id),
        policy_id: row.policy_id.into(),
        policy_version_id: row.policy_version_id.into(),
        version: number(row.version),
        actions: row.actions.clone(),
        api_key_id: row.api_key_id.into(),
        issued_by: UserId(row.issued_by),
        issued_at: instant(row.issued_at),
        not_before: row.not_before.map(instant),
        expires_at: row.expires_at.map(instant),
        max_uses: row.max_uses.map(number),
        kid: kid.to_owned(),
    }
}

/// Signs a new row: fills in statement, digest and signature.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the key cannot be used, or its signature does not verify.
pub(super) async fn sign(
    row: &mut Model,
    before: Option<&Model>,
    signer: &ServiceKey,
) -> Result<()> {
    let predecessor = before
        .map(|before| {
            let grant_digest = before.digest.parse();
            let grant_digest =
                grant_digest.map_err(|_| Error::bug("a grant without its digest"))?;
            Ok::<_, Error>(Predecessor { capability_id: before.id.into(), grant_digest })
        })
        .transpose()?;
    let statement = grant(row, predecessor, signer.kid()).canonical();
    let signature = signer.sign(PayloadType::CapabilityGrant, &statement).await?;
    row.digest = statement.digest.to_string();
    row.statement = statement.text;
    row.signature = Some(signature);
    row.signature_kid = Some(signer.kid().to_owned());
    Ok(())
}
