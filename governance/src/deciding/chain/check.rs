//! Verification of a chain from its stored bytes. The public variant requires only the chain ID.

use std::sync::LazyLock;

use contract::{
    chain::{ChainItem, ChainStatus, ChainVerification},
    decision::Actor,
    json::Limits,
    receipt::Redaction,
};
use entity::{chain as heads, chain_seal, decision_texts::DecisionTexts, public_id::PublicKind};
use receipt::{
    chain::{self, ChainCheckResult, LinkCheck, StatementSummary, StoredChain, StoredLink},
    redaction::redact_names,
};

use super::Seal;
use crate::{
    access::permission,
    authoring::settings,
    base::{prelude::*, public_id, sql::assemble},
    deciding::decision::{STORED_BYTES_MAX, bytes_before},
    proof::{transparency_log, trust_registry::TrustedKeys},
};

/// Checks every link of a chain, its receipts and, if present, its seal. Redacts names if the tenant's
/// settings require it.
///
/// # Errors
/// `NOT_FOUND`; `SERVICE_UNAVAILABLE` while too many chains and bundles are being checked.
pub async fn verify(cx: &Cx, id: ChainId) -> Result<ChainVerification> {
    let own = cx.clone();
    let load = async move || {
        let tenant = owner(&own, id).await?;
        let mut chain = load_and_check(tenant, id).await?;
        let tx = tenant.begin().await?;
        let redaction = settings::load(&tx).await?.public_receipt_redaction;
        tx.finish_read().await?;
        if redaction == Redaction::Values {
            redact_names(&mut chain);
        }
        Ok(chain)
    };
    cx.governance.base().work_slots.run(load).await
}

/// Checks one of the tenant's own chains like [`verify`], without redaction. Requires permission to read
/// decisions.
///
/// # Errors
/// `NOT_FOUND`, also for a chain of another tenant; `SERVICE_UNAVAILABLE` as in [`verify`].
pub async fn read(cx: &Cx, id: ChainId) -> Result<ChainVerification> {
    let own = cx.clone();
    let load = async move || load_and_check(own.tenant(permission::READ_DECISIONS)?, id).await;
    cx.governance.base().work_slots.run(load).await
}

/// Checks a chain. Callers that serve requests hold a slot of `WorkSlots`, which also limits the number of database
/// connections in use.
pub(crate) async fn load_and_check(tenant: Tenant<'_>, id: ChainId) -> Result<ChainVerification> {
    let governance = &tenant.cx().governance;
    let tx = tenant.begin_snapshot().await?;
    let chain = LoadedChain::load(&tx, id).await?;
    let keys = TrustedKeys::load(governance, tx.connection()).await?;
    tx.finish_read().await?;
    chain.verification(governance, &keys).await
}

pub(crate) async fn owner(cx: &Cx, id: ChainId) -> Result<Tenant<'_>> {
    let owner = public_id::owner(cx, PublicKind::Chain, id.0).await?;
    Ok(cx.tenant_unchecked(owner.or_not_found(ResourceKind::Chain)?))
}

/// A chain with its links and seal, as stored.
pub(super) struct LoadedChain {
    tenant_id: TenantId,
    id: ChainId,
    links: Vec<Link>,
    seal: Option<Seal>,
    length: u32,
    head: String,
    is_sealed: bool,
}

/// A link with its decision. The columns of the decision are `None` if it is missing.
#[derive(Debug, FromQueryResult)]
struct Row {
    position: i32,
    step: i32,
    decision_id: Uuid,
    link: String,
    hash: String,
    signature: Option<String>,
    kid: Option<String>,
    texts: Option<DecisionTexts>,
    decision: Option<String>,
    recorded_at: Option<DateTimeUtc>,
    parent_decision_id: Option<Uuid>,
    receipt_digest: Option<Vec<u8>>,
    /// The number of rows of the page before it was cut.
    page_rows: i64,
}

/// What the check reads of a link. The texts of its decision are not kept in memory.
struct Link {
    row: Row,
    statement: Option<StatementSummary>,
    actor: Option<Actor>,
}

/// The maximum number of links that are read at a time. Of large decisions there are fewer.
const READ_LINKS: i64 = 1_000;

static SELECT_LINKS: LazyLock<String> = LazyLock::new(|| {
    let before = bytes_before("ASC");
    assemble(include_str!("check.sql"), &[("bytes_before", &before)])
});

/// Loads all links of a chain. Of the texts of their decisions, only what the check reads stays in memory.
async fn load_links(tx: &TenantTx, id: ChainId) -> Result<Vec<Link>> {
    let (mut links, mut after) = (Vec::new(), i32::MIN);
    loop {
        let values = [id.0.into(), after.into(), READ_LINKS.into(), STORED_BYTES_MAX.into()];
        let rows: Vec<Row> = tx.rows(&SELECT_LINKS, values).await?;
        let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        links.extend(rows.into_iter().map(Link::new));
        let Some(Link { row: last, .. }) = links.last().filter(|_| count > 0) else {
            return Ok(links);
        };
        let (page_rows, is_cut) = (last.page_rows, count < last.page_rows);
        after = last.position;
        if !is_cut && page_rows < READ_LINKS {
            return Ok(links);
        }
    }
}

impl LoadedChain {
    /// Loads a chain.
    pub(super) async fn load(tx: &TenantTx, id: ChainId) -> Result<Self> {
        let seal = related(heads::Column::Id, chain_seal::Column::ChainId);
        let head = tx.find_by_id::<heads::Entity>(id).join(JoinType::LeftJoin, seal);
        let head = head.select_also(chain_seal::Entity).one(tx.connection()).await?;
        let (head, seal) = head.or_not_found(ResourceKind::Chain)?;
        Ok(Self {
            tenant_id: tx.tenant_id(),
            id,
            links: load_links(tx, id).await?,
            seal: seal.map(Seal::from),
            length: unsigned(head.links),
            head: head.head,
            is_sealed: head.is_sealed,
        })
    }

    /// Returns the stored digests of the links in order of position.
    pub(super) fn hashes(&self) -> impl Iterator<Item = &str> {
        self.links.iter().map(|link| link.row.hash.as_str())
    }

    pub(super) fn check(&self, keys: &TrustedKeys<'_>) -> ChainCheckResult {
        let links: Vec<StoredLink<'_>> = self.links.iter().map(Link::to_stored_link).collect();
        let chain = StoredChain {
            tenant_id: self.tenant_id,
            chain_id: self.id,
            links: &links,
            seal: self.seal.as_ref().map(Seal::to_stored),
            length: self.length,
            head: &self.head,
            is_sealed: self.is_sealed,
        };
        chain::check(&chain, keys)
    }

    async fn verification(
        &self,
        governance: &Governance,
        keys: &TrustedKeys<'_>,
    ) -> Result<ChainVerification> {
        let result = self.check(keys);
        let receipts = self.links.iter().map(Link::receipt_digest);
        let anchored = transparency_log::anchored(governance, receipts).await?;
        let links = self.links.iter().zip(&result.links).zip(anchored);
        let items = links.map(|((link, check), anchored)| link.item(*check, anchored));
        Ok(ChainVerification {
            chain_id: self.id,
            status: ChainStatus::new(self.seal.is_some() || self.is_sealed),
            steps: u32::try_from(self.links.len()).unwrap_or(u32::MAX),
            valid: result.problems.is_empty(),
            seal: self.seal.as_ref().and_then(Seal::envelope),
            items: items.collect(),
            warnings: result.remarks.iter().map(|remark| remark.as_str().to_owned()).collect(),
            problems: result.problems.iter().map(|problem| problem.as_str().to_owned()).collect(),
        })
    }
}

impl Link {
    fn new(mut row: Row) -> Self {
        let texts = row.texts.take();
        let statement = texts.as_ref().and_then(|texts| texts.statement.as_deref());
        Self {
            statement: statement.map(StatementSummary::new),
            actor: texts.as_ref().and_then(|texts| actor(&texts.record)),
            row,
        }
    }

    fn to_stored_link(&self) -> StoredLink<'_> {
        let row = &self.row;
        StoredLink {
            position: unsigned(row.position),
            step: unsigned(row.step),
            decision_id: DecisionId(row.decision_id),
            link: &row.link,
            hash: &row.hash,
            signature: row.signature.as_deref(),
            kid: row.kid.as_deref(),
            statement: self.statement,
        }
    }

    fn receipt_digest(&self) -> Option<Digest> {
        stored_digest::read(self.row.receipt_digest.as_deref()?).ok()
    }

    fn item(&self, check: LinkCheck, anchored: bool) -> ChainItem {
        let row = &self.row;
        ChainItem {
            position: unsigned(row.position),
            chain_step: unsigned(row.step),
            decision_id: DecisionId(row.decision_id),
            decision: row.decision.as_deref().and_then(|text| text.parse::<Verdict>().ok()),
            recorded_at: row.recorded_at.map(from_column),
            actor: self.actor.clone(),
            parent_decision_id: row.parent_decision_id.map(DecisionId),
            link_valid: check.link_valid,
            signature_valid: check.signature_valid,
            anchored,
            link: Value::parse(row.link.as_bytes(), &Limits::BUNDLE_FILE)
                .unwrap_or_else(|_| Value::from(row.link.as_str())),
            chain_integrity_hash: row.hash.clone(),
            chain_signature: row.signature.clone(),
            chain_signature_kid: row.kid.clone(),
        }
    }
}

/// Returns the actor of a stored record, or `None` if the record cannot be parsed.
fn actor(record: &str) -> Option<Actor> {
    #[derive(Deserialize)]
    struct RecordActor {
        actor: Option<Actor>,
    }
    serde_json::from_str::<RecordActor>(record).ok()?.actor
}
