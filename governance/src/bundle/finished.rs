//! Whether a bundle can still change, and the state of everything that is in it.

use contract::id::{ChainId, DecisionId};
use entity::chain as chains;
use receipt::{log::EntryKind, registry::SignedRegistry};
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use super::Of;
use crate::{
    Governance,
    chain::{Seal, seal_of},
    error::Result,
    log, settings,
    tenancy::TenantTx,
};

/// The state of a bundle that cannot change any more by itself: every receipt in it is anchored, and its
/// chain, if it has one, is sealed and the seal is anchored. It changes with the tenant's settings, with a
/// new version of the registry, with another signing key, with a tree that is frozen, and with a row that is
/// written again, as when evidence is erased.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Finished {
    redaction: &'static str,
    includes_context: bool,
    registry: Option<String>,
    signer: Option<String>,
    frozen_trees: i64,
    /// The transactions that wrote the decisions.
    rows: String,
    seal: Option<String>,
}

/// What the store has of the decisions of a bundle.
struct Stored {
    rows: String,
    receipts: Vec<String>,
    seal: Option<Seal>,
}

impl Finished {
    /// Reads the state; `None` while the bundle can still change.
    pub(super) async fn read(
        tx: &TenantTx,
        governance: &Governance,
        of: Of,
        registry: Option<&SignedRegistry>,
    ) -> Result<Option<Self>> {
        let stored = match of {
            Of::Decision(id) => Stored::of_decision(tx, id).await?,
            Of::Chain(id) => Stored::of_chain(tx, id).await?,
        };
        let Some(Stored { rows, receipts, seal }) = stored else { return Ok(None) };
        let receipts = receipts.iter().map(|digest| (EntryKind::Receipt, digest.as_str()));
        let seals = seal.iter().map(|seal| (EntryKind::ChainSeal, seal.digest()));
        if !log::are_anchored(tx.connection(), receipts.chain(seals)).await? {
            return Ok(None);
        }
        let settings = settings::of(tx).await?;
        Ok(Some(Self {
            redaction: settings.public_receipt_redaction.as_str(),
            includes_context: settings.bundle_include_context,
            registry: registry.map(|registry| registry.digest().to_string()),
            signer: governance.signer().map(|key| key.kid().to_owned()),
            frozen_trees: log::frozen_trees(tx.connection()).await?,
            rows,
            seal: seal.map(|seal| seal.digest().to_owned()),
        }))
    }
}

// SQL, as the next one: `xmin`, which no entity has, is the transaction that wrote a row: it
// changes with each change of the row.
const DECISION: &str = "SELECT xmin::text, receipt_digest, chain_id FROM decisions \
                        WHERE tenant_id = $1 AND id = $2";

const CHAIN: &str = "SELECT md5(string_agg(d.id || '/' || d.xmin::text, ',' ORDER BY l.position)), \
     array_agg(coalesce(d.receipt_digest, '')) FROM chain_links l \
     LEFT JOIN decisions d ON d.tenant_id = l.tenant_id AND d.id = l.decision_id \
     WHERE l.tenant_id = $1 AND l.chain_id = $2";

/// The state of a longer chain is not read: its bundle is close to the limits and would not be cached.
const LINKS_MAX: i32 = 1_000;

impl Stored {
    async fn of_decision(tx: &TenantTx, id: DecisionId) -> Result<Option<Self>> {
        let Some(row) = tx.one(DECISION, [id.0.into()]).await? else { return Ok(None) };
        let chain: Option<Uuid> = row.try_get_by_index(2)?;
        let seal = match chain {
            Some(chain) => match seal_of(tx, ChainId(chain)).await? {
                Some(seal) => Some(seal),
                None => return Ok(None),
            },
            None => None,
        };
        let receipts = vec![row.try_get_by_index(1)?];
        Ok(Some(Self { rows: row.try_get_by_index(0)?, receipts, seal }))
    }

    async fn of_chain(tx: &TenantTx, id: ChainId) -> Result<Option<Self>> {
        let links = tx
            .find::<chains::Entity>()
            .filter(chains::Column::Id.eq(id.0))
            .filter(chains::Column::IsSealed.eq(true))
            .select_only()
            .column(chains::Column::Links)
            .into_tuple::<i32>()
            .one(tx.connection())
            .await?;
        if links.is_none_or(|links| links > LINKS_MAX) {
            return Ok(None);
        }
        let Some(seal) = seal_of(tx, id).await? else { return Ok(None) };
        let Some(row) = tx.one(CHAIN, [id.0.into()]).await? else { return Ok(None) };
        let Some(rows) = row.try_get_by_index(0)? else { return Ok(None) };
        Ok(Some(Self { rows, receipts: row.try_get_by_index(1)?, seal: Some(seal) }))
    }
}
