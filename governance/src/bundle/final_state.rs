//! The state of a final bundle, and whether a bundle is final.

use entity::chain as chains;
use receipt::{transparency_log::EntryKind, trust_registry::SignedRegistry};

use super::BundleSource;
use crate::{
    authoring::settings, base::prelude::*, deciding::chain::Seal, proof::transparency_log,
};

/// The state of a final bundle: every receipt in it is anchored, and its chain, if any, is sealed with an
/// anchored seal. The bundle still changes with:
///
/// - the tenant's settings
/// - a new version of the trust registry
/// - another signing key
/// - a frozen tree
/// - a rewritten row, such as by erasing evidence
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FinalState {
    redaction: &'static str,
    includes_context: bool,
    registry: Option<String>,
    signer: Option<String>,
    frozen_trees: i64,
    /// The transactions that wrote the decisions.
    rows: String,
    seal: Option<String>,
}

struct StoredDecisions {
    rows: String,
    receipts: Vec<Vec<u8>>,
    seal: Option<Seal>,
}

impl FinalState {
    /// Reads the state; `None` while the bundle is not final.
    pub(super) async fn read(
        tx: &TenantTx,
        governance: &Governance,
        source: BundleSource,
        registry: Option<&SignedRegistry>,
    ) -> Result<Option<Self>> {
        let stored = match source {
            BundleSource::Decision(id) => StoredDecisions::of_decision(tx, id).await?,
            BundleSource::Chain(id) => StoredDecisions::of_chain(tx, id).await?,
        };
        let Some(StoredDecisions { rows, receipts, seal }) = stored else { return Ok(None) };
        let receipts =
            receipts.iter().map(|digest| (EntryKind::Receipt, stored_digest::read(digest).ok()));
        let seals = seal.iter().map(|seal| (EntryKind::ChainSeal, seal.digest().parse().ok()));
        if !transparency_log::are_anchored(tx.connection(), receipts.chain(seals)).await? {
            return Ok(None);
        }
        let settings = settings::load(tx).await?;
        Ok(Some(Self {
            redaction: settings.public_receipt_redaction.as_str(),
            includes_context: settings.bundle_include_context,
            registry: registry.map(|registry| registry.digest().to_string()),
            signer: governance.signer().map(|key| key.kid().to_owned()),
            frozen_trees: transparency_log::frozen_trees(tx.connection()).await?,
            rows,
            seal: seal.map(|seal| seal.digest().to_owned()),
        }))
    }
}

// SQL, like the next statement: `xmin`, which no entity has, is the transaction that wrote a row. It
// changes with each update of the row.
const SELECT_DECISION: &str = "SELECT xmin::text, receipt_digest, chain_id FROM decisions \
                               WHERE tenant_id = $1 AND id = $2";

const SELECT_CHAIN: &str = "SELECT md5(string_agg(d.id || '/' || d.xmin::text, ',' ORDER BY l.position)), \
     array_agg(coalesce(d.receipt_digest, '')) FROM chain_links l \
     LEFT JOIN decisions d ON d.tenant_id = l.tenant_id AND d.id = l.decision_id \
     WHERE l.tenant_id = $1 AND l.chain_id = $2";

/// The maximum number of links. The bundle of a longer chain is close to the size limits and would not be
/// cached.
const LINKS_MAX: i32 = 1_000;

impl StoredDecisions {
    async fn of_decision(tx: &TenantTx, id: DecisionId) -> Result<Option<Self>> {
        let Some((rows, receipt, chain)) =
            tx.optional::<(_, _, Option<Uuid>)>(SELECT_DECISION, [id.0.into()]).await?
        else {
            return Ok(None);
        };
        let seal = match chain {
            Some(chain) => match Seal::load(tx, ChainId(chain)).await? {
                Some(seal) => Some(seal),
                None => return Ok(None),
            },
            None => None,
        };
        Ok(Some(Self { rows, receipts: vec![receipt], seal }))
    }

    async fn of_chain(tx: &TenantTx, id: ChainId) -> Result<Option<Self>> {
        let links = tx
            .find_by_id::<chains::Entity>(id)
            .filter(chains::Column::IsSealed.eq(true))
            .select_only()
            .column(chains::Column::Links)
            .into_tuple::<i32>()
            .one(tx.connection())
            .await?;
        if links.is_none_or(|links| links > LINKS_MAX) {
            return Ok(None);
        }
        let Some(seal) = Seal::load(tx, id).await? else { return Ok(None) };
        let (rows, receipts) =
            tx.only::<(Option<_>, Option<_>)>(SELECT_CHAIN, [id.0.into()]).await?;
        let state = |(rows, receipts)| Self { rows, receipts, seal: Some(seal) };
        Ok(rows.zip(receipts).map(state))
    }
}
