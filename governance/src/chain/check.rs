//! The check of a chain from its stored bytes. Anyone may ask for it who knows the id.

use contract::{
    chain::{ChainItem, ChainStatus, ChainVerification},
    decision::Actor,
    evaluation::Verdict,
    id::{ChainId, DecisionId, TenantId},
    json::{Limits, Value},
    receipt::Redaction,
};
use entity::{
    chain as heads,
    column::{instant, number},
    public_id::PublicKind,
};
use receipt::{
    chain::{self, ChainFound, LinkFound, StoredChain, StoredLink},
    view::redact_names,
};
use sea_orm::{ColumnTrait, QueryFilter, QueryResult, prelude::DateTimeUtc};
use serde::Deserialize;
use uuid::Uuid;

use super::seal::{self, Seal};
use crate::{
    Governance,
    cx::Cx,
    error::{Noun, Result, not_found},
    log, permission, public_id, settings,
    tenancy::{Tenant, TenantTx},
    trust::Keys,
};

/// Checks every link of a chain, the receipts that they hold, and the seal if there is one.
///
/// # Errors
/// `NOT_FOUND`; `SERVICE_UNAVAILABLE` while too many chains and bundles are checked.
pub async fn verify(cx: &Cx, id: ChainId) -> Result<ChainVerification> {
    let own = cx.clone();
    let checked = async move || {
        let (mut chain, redaction) = checked(owner(&own, id).await?, id).await?;
        if redaction == Redaction::Values {
            redact_names(&mut chain);
        }
        Ok(chain)
    };
    cx.governance.exports().run(checked).await
}

/// The same of one of the tenant's own chains, for those who read its decisions.
///
/// # Errors
/// `NOT_FOUND`, also for a chain of another tenant.
pub async fn read(cx: &Cx, id: ChainId) -> Result<ChainVerification> {
    let own = cx.clone();
    let checked = async move || Ok(checked(own.tenant(permission::READ_DECISIONS)?, id).await?.0);
    cx.governance.exports().run(checked).await
}

/// Checks a chain, and reads what its tenant leaves out of public reads. The places of `Exports`, which both
/// callers take, also limit how many connections are held.
async fn checked(tenant: Tenant<'_>, id: ChainId) -> Result<(ChainVerification, Redaction)> {
    let governance = &tenant.cx().governance;
    let tx = tenant.begin_snapshot().await?;
    let redaction = settings::of(&tx).await?.public_receipt_redaction;
    let chain = Chain::load(&tx, id).await?;
    let keys = Keys::now(governance, tx.connection()).await?;
    tx.end().await?;
    Ok((chain.verification(governance, &keys).await?, redaction))
}

/// The tenant of a chain.
pub(crate) async fn owner(cx: &Cx, id: ChainId) -> Result<Tenant<'_>> {
    let owner = public_id::owner(cx, PublicKind::Chain, id.0).await?;
    Ok(cx.tenant_unchecked(owner.ok_or_else(|| not_found(Noun::Chain))?))
}

/// A chain as it is stored.
pub(super) struct Chain {
    tenant_id: TenantId,
    id: ChainId,
    links: Vec<Row>,
    seal: Option<Seal>,
    length: u32,
    head: String,
    is_sealed: bool,
}

/// A link with its decision, if that is there.
struct Row {
    position: u32,
    step: u32,
    decision_id: DecisionId,
    link: String,
    hash: String,
    signature: Option<String>,
    kid: Option<String>,
    statement: Option<String>,
    decision: Option<String>,
    recorded_at: Option<DateTimeUtc>,
    parent: Option<Uuid>,
    record: Option<String>,
    receipt_digest: Option<String>,
}

// SQL: a left join, and few columns of wide rows.
const LINKS: &str = "SELECT l.position, l.step, l.decision_id, l.link, l.hash, l.signature, l.kid, \
     d.statement, d.decision, d.recorded_at, d.parent_decision_id, d.record, d.receipt_digest \
     FROM chain_links l \
     LEFT JOIN decisions d ON d.tenant_id = l.tenant_id AND d.id = l.decision_id \
     WHERE l.tenant_id = $1 AND l.chain_id = $2 ORDER BY l.position";

impl Chain {
    /// Reads a chain.
    ///
    /// # Errors
    /// `NOT_FOUND`.
    pub(super) async fn load(tx: &TenantTx, id: ChainId) -> Result<Self> {
        let head = tx.find::<heads::Entity>().filter(heads::Column::Id.eq(id.0));
        let head = head.one(tx.connection()).await?.ok_or_else(|| not_found(Noun::Chain))?;
        let links = tx.all(LINKS, [id.0.into()]).await?;
        Ok(Self {
            tenant_id: tx.tenant_id(),
            id,
            links: links.iter().map(Row::read).collect::<Result<_>>()?,
            seal: seal::stored(tx, id).await?,
            length: number(head.links),
            head: head.head,
            is_sealed: head.is_sealed,
        })
    }

    /// The digests of the links, as they are stored, in order of position.
    pub(super) fn hashes(&self) -> impl Iterator<Item = &str> {
        self.links.iter().map(|row| row.hash.as_str())
    }

    /// Checks what was read.
    pub(super) fn check(&self, keys: &Keys<'_>) -> ChainFound {
        let links: Vec<StoredLink<'_>> = self.links.iter().map(Row::stored).collect();
        let chain = StoredChain {
            tenant_id: self.tenant_id,
            chain_id: self.id,
            links: &links,
            seal: self.seal.as_ref().map(Seal::stored),
            length: self.length,
            head: &self.head,
            is_sealed: self.is_sealed,
        };
        chain::check(&chain, keys)
    }

    async fn verification(
        &self,
        governance: &Governance,
        keys: &Keys<'_>,
    ) -> Result<ChainVerification> {
        let found = self.check(keys);
        let receipts = self.links.iter().map(|row| row.receipt_digest.as_deref());
        let anchored = log::anchored(governance, receipts).await?;
        let links = self.links.iter().zip(&found.links).zip(anchored);
        let items = links.map(|((row, found), anchored)| row.item(*found, anchored));
        Ok(ChainVerification {
            chain_id: self.id,
            status: ChainStatus::of(self.seal.is_some() || self.is_sealed),
            steps: u32::try_from(self.links.len()).unwrap_or(u32::MAX),
            valid: found.problems.is_empty(),
            seal: self.seal.as_ref().and_then(Seal::envelope),
            items: items.collect(),
            warnings: found.remarks.iter().map(|remark| remark.as_str().to_owned()).collect(),
            problems: found.problems.iter().map(|problem| problem.as_str().to_owned()).collect(),
        })
    }
}

impl Row {
    fn read(row: &QueryResult) -> Result<Self> {
        Ok(Self {
            position: number(row.try_get_by_index(0)?),
            step: number(row.try_get_by_index(1)?),
            decision_id: DecisionId(row.try_get_by_index(2)?),
            link: row.try_get_by_index(3)?,
            hash: row.try_get_by_index(4)?,
            signature: row.try_get_by_index(5)?,
            kid: row.try_get_by_index(6)?,
            statement: row.try_get_by_index(7)?,
            decision: row.try_get_by_index(8)?,
            recorded_at: row.try_get_by_index(9)?,
            parent: row.try_get_by_index(10)?,
            record: row.try_get_by_index(11)?,
            receipt_digest: row.try_get_by_index(12)?,
        })
    }

    fn stored(&self) -> StoredLink<'_> {
        StoredLink {
            position: self.position,
            step: self.step,
            decision_id: self.decision_id,
            link: &self.link,
            hash: &self.hash,
            signature: self.signature.as_deref(),
            kid: self.kid.as_deref(),
            statement: self.statement.as_deref(),
        }
    }

    fn item(&self, found: LinkFound, anchored: bool) -> ChainItem {
        ChainItem {
            position: self.position,
            chain_step: self.step,
            decision_id: self.decision_id,
            decision: self.decision.as_deref().and_then(|word| word.parse::<Verdict>().ok()),
            recorded_at: self.recorded_at.map(instant),
            actor: self.record.as_deref().and_then(actor),
            parent_decision_id: self.parent.map(DecisionId),
            link_valid: found.link_valid,
            signature_valid: found.signature_valid,
            anchored,
            link: Value::parse(self.link.as_bytes(), &Limits::BUNDLE_MEMBER)
                .unwrap_or_else(|_| Value::from(self.link.as_str())),
            chain_integrity_hash: self.hash.clone(),
            chain_signature: self.signature.clone(),
            chain_signature_kid: self.kid.clone(),
        }
    }
}

/// Who acted, as the record has it; nobody when it no longer can be read.
fn actor(record: &str) -> Option<Actor> {
    #[derive(Deserialize)]
    struct Acted {
        actor: Option<Actor>,
    }
    serde_json::from_str::<Acted>(record).ok()?.actor
}
