//! The grant lineage of a key: integrity and validity checks, and signing.

use contract::capability::Capability;
use entity::capability_grant::{Column, Entity, Model};
use receipt::{
    chain::ChainKeys as _,
    grant::{CapabilityGrant, Predecessor, check_lineage},
    key::PayloadType,
};

use crate::{
    base::{error::capability as refuse, prelude::*},
    proof::{signing::ServiceKey, trust_registry::TrustedKeys},
};

/// The grants of one key, oldest first. The last one is the governing grant; each earlier one was
/// carried to the next.
#[derive(Debug)]
pub(super) struct GrantLineage(Vec<Model>);

impl GrantLineage {
    pub(super) fn new(rows: Vec<Model>) -> Self {
        Self(rows)
    }

    /// Loads the lineage of a key if it is valid: complete, identical to what was signed, and without a
    /// grant that has ended or is not valid yet.
    ///
    /// # Errors
    /// `AUTHORING_CAPABILITY_…`.
    pub(super) async fn load_valid(
        tx: &TenantTx,
        governance: &Governance,
        key: ApiKeyId,
        now: Timestamp,
    ) -> Result<Self> {
        let lineage = Self::load(tx, key).await?;
        lineage.check(&TrustedKeys::load(governance, tx.connection()).await?, now)?;
        Ok(lineage)
    }

    /// Loads the lineage of a key if it is complete and identical to what was signed, regardless of its
    /// state.
    ///
    /// # Errors
    /// `AUTHORING_CAPABILITY_MISSING` or `AUTHORING_CAPABILITY_INTEGRITY`.
    pub(super) async fn load_intact(
        tx: &TenantTx,
        governance: &Governance,
        key: ApiKeyId,
    ) -> Result<Self> {
        let lineage = Self::load(tx, key).await?;
        lineage.check_intact(&TrustedKeys::load(governance, tx.connection()).await?)?;
        Ok(lineage)
    }

    async fn load(tx: &TenantTx, key: ApiKeyId) -> Result<Self> {
        let rows = tx
            .find::<Entity>()
            .filter(Column::ApiKeyId.eq(key.0))
            .order_by_asc(Column::Depth)
            .all(tx.connection())
            .await?;
        Ok(Self(rows))
    }

    pub(super) fn grants(self) -> Vec<Capability> {
        self.0.into_iter().map(Capability::from).collect()
    }

    pub(super) fn governing(&self) -> Result<&Model> {
        self.0.last().ok_or_else(|| refuse::missing().into())
    }

    /// Returns the IDs of the versions that the grants name.
    pub(super) fn versions(&self) -> impl Iterator<Item = Uuid> {
        self.0.iter().map(|grant| grant.policy_version_id)
    }

    /// Checks that the loaded lineage is valid at `now`, as [`GrantLineage::load_valid`] does.
    pub(super) fn check(&self, keys: &TrustedKeys<'_>, now: Timestamp) -> Result<(), Refusal> {
        self.check_intact(keys)?;
        self.check_state(now)
    }

    /// Checks that the lineage is complete and identical to what was signed.
    fn check_intact(&self, keys: &TrustedKeys<'_>) -> Result<(), Refusal> {
        self.check_complete()?;
        self.check_signed(keys)
    }

    /// Checks that no grant is missing.
    fn check_complete(&self) -> Result<(), Refusal> {
        let last = self.0.last().ok_or_else(refuse::missing)?;
        let is_complete = usize::try_from(last.depth).is_ok_and(|depth| depth <= self.0.len());
        if is_complete { Ok(()) } else { Err(refuse::missing()) }
    }

    /// Checks that the rows are identical to what was signed. Each row is converted to its statement
    /// again, which must equal the stored one byte for byte, so no column can deviate.
    fn check_signed(&self, keys: &TrustedKeys<'_>) -> Result<(), Refusal> {
        let mut lineage: Vec<(Digest, CapabilityGrant)> = Vec::new();
        for (row, next) in self.0.iter().zip(successor_ids(&self.0)) {
            let predecessor = lineage.last().map(|(digest, grant)| Predecessor {
                capability_id: grant.capability_id,
                grant_digest: *digest,
            });
            let is_linked = row.parent_id.map(CapabilityId)
                == predecessor.map(|predecessor| predecessor.capability_id)
                && row.carried_to == next;
            let grant = grant(row, predecessor, row.signature_kid.as_deref().unwrap_or_default());
            let statement = grant.canonical();
            if !(is_linked && is_signed(row, &statement, keys)) {
                return Err(refuse::integrity());
            }
            lineage.push((statement.digest, grant));
        }
        check_lineage(&lineage).map_err(|_| refuse::integrity())
    }

    /// Checks that no grant was revoked, is used up, has expired or is not valid yet.
    fn check_state(&self, now: Timestamp) -> Result<(), Refusal> {
        let any =
            |applies: fn(&Model, Timestamp) -> bool| self.0.iter().any(|row| applies(row, now));
        if any(|row, _| row.revoked_at.is_some()) {
            return Err(refuse::revoked());
        }
        if any(|row, _| row.max_uses.is_some_and(|max| row.uses >= max)) {
            return Err(refuse::exhausted());
        }
        if any(has_expired) {
            return Err(refuse::expired());
        }
        if any(|row, now| row.not_before.is_some_and(|start| now < from_column(start))) {
            return Err(refuse::not_yet_valid());
        }
        Ok(())
    }
}

/// Returns for each row the ID of the next row; `None` for the last one.
fn successor_ids(rows: &[Model]) -> impl Iterator<Item = Option<Uuid>> {
    rows.iter().skip(1).map(|row| Some(row.id)).chain(std::iter::once(None))
}

pub(super) fn has_expired(row: &Model, now: Timestamp) -> bool {
    row.expires_at.is_some_and(|expires_at| from_column(expires_at) <= now)
}

/// Returns whether the row contains this statement with a valid signature of a trusted key.
fn is_signed(row: &Model, statement: &CanonicalJson, keys: &TrustedKeys<'_>) -> bool {
    let kind = PayloadType::CapabilityGrant;
    let signature = row.signature.as_deref().unwrap_or_default();
    let key = keys.key(row.signature_kid.as_deref().unwrap_or_default(), kind);
    row.statement == statement.text
        && row.digest == statement.digest.to_string()
        && key.is_ok_and(|key| key.verify(kind, &row.statement, signature).is_ok())
}

/// Converts a row to the grant that is signed (receipts, section 9.2).
fn grant(row: &Model, predecessor: Option<Predecessor>, kid: &str) -> CapabilityGrant {
    CapabilityGrant {
        capability_id: row.id.into(),
        root_capability_id: row.root_id.into(),
        depth: unsigned(row.depth),
        predecessor,
        tenant_id: TenantId(row.tenant_id),
        policy_id: row.policy_id.into(),
        policy_version_id: row.policy_version_id.into(),
        version: unsigned(row.version),
        actions: row.actions.clone(),
        api_key_id: row.api_key_id.into(),
        issued_by: UserId(row.issued_by),
        issued_at: from_column(row.issued_at),
        not_before: row.not_before.map(from_column),
        expires_at: row.expires_at.map(from_column),
        max_uses: row.max_uses.map(unsigned),
        kid: kid.to_owned(),
    }
}

/// Signs a new row: sets statement, digest and signature.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the key is unusable, or its signature fails verification.
pub(super) async fn sign(
    row: &mut Model,
    previous: Option<&Model>,
    signer: &ServiceKey,
) -> Result<()> {
    let predecessor = previous
        .map(|previous| {
            let grant_digest = previous.digest.parse();
            let grant_digest =
                grant_digest.map_err(|_| Error::bug("a grant without its digest"))?;
            Ok::<_, Error>(Predecessor { capability_id: previous.id.into(), grant_digest })
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
