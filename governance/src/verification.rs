//! Verification of everything that a database stores: audit logs, receipts, chains, the transparency log and the
//! trust registry. Operators run it after a restore.

use contract::audit::{AuditRange, AuditStatus};
use entity::decision_texts::DecisionTexts;
use receipt::{
    chain::{ChainKeys, ChainProblem},
    key::PayloadType,
};

use crate::{
    base::prelude::*,
    deciding::chain,
    proof::{
        audit,
        transparency_log::{self, RollbackGuard},
        trust_registry::{self, TrustedKeys},
    },
};

/// The maximum number of reported problems of one check.
const PROBLEMS_MAX: usize = 100;

/// The number of decisions, or of chain IDs, that are read at a time.
const PAGE_ROWS: i64 = 256;

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was checked.
    pub name: &'static str,
    /// What was counted, with its numbers, such as `2 tenants, 340 events`.
    pub checked: String,
    /// The first problems; empty if the check passed.
    pub problems: Vec<String>,
}

impl Check {
    fn new(name: &'static str, checked: String, problems: Vec<String>) -> Self {
        Self { name, checked, problems }
    }

    /// Returns whether the check found no problem.
    pub fn has_passed(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Problems up to a maximum number.
#[derive(Debug, Default)]
struct Problems(Vec<String>);

impl Problems {
    fn push(&mut self, problem: String) {
        if self.0.len() < PROBLEMS_MAX {
            self.0.push(problem);
        }
    }
}

/// Verifies everything that the database stores, and compares the transparency log with `guard`. It reads all rows,
/// also while the service runs.
///
/// # Errors
/// `UNAUTHORIZED` for a caller who is not an operator; `SERVICE_UNAVAILABLE` if the database is unavailable. What
/// is wrong with the stored data is a problem of a [`Check`], not an error.
pub async fn verify(cx: &Cx, guard: &dyn RollbackGuard) -> Result<Vec<Check>> {
    cx.require_operator()?;
    let governance = &cx.governance;
    let tenants: Vec<TenantId> =
        audit::heads(governance).await?.into_iter().map(|(tenant, _)| tenant).collect();
    let mut checks = vec![
        audit_logs(cx, &tenants).await?,
        receipts(cx, &tenants).await?,
        chains(cx, &tenants).await?,
    ];
    checks.extend(log(governance, guard).await?);
    checks.push(registry(governance).await?);
    Ok(checks)
}

/// Separates errors that a later attempt may not have from damaged data, and returns the description of the latter.
fn damage(error: Error) -> Result<String> {
    match error {
        Error::Unavailable { .. } => Err(error),
        error => Ok(error.to_string()),
    }
}

async fn audit_logs(cx: &Cx, tenants: &[TenantId]) -> Result<Check> {
    let (mut problems, mut events) = (Problems::default(), 0_i64);
    for tenant in tenants {
        match audit::verify_log_of(cx.tenant_unchecked(*tenant), AuditRange::default()).await {
            Ok(report) => {
                events = events.saturating_add(report.checked);
                if report.status != AuditStatus::Intact {
                    let seq = report.first_divergence.map_or(0, |divergence| divergence.seq);
                    problems.push(format!("tenant {tenant}: {} at event {seq}", report.status));
                }
            }
            Err(error) => problems.push(format!("tenant {tenant}: {}", damage(error)?)),
        }
    }
    let checked = format!("{} tenants, {events} events", tenants.len());
    Ok(Check::new("audit logs", checked, problems.0))
}

// SQL: the texts are read as bytes, so that damaged ones can be reported.
const SELECT_DECISIONS: &str = "SELECT sequence, id, texts, receipt_digest AS digest, signature, kid \
     FROM decisions WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3";

/// Checks that each receipt has its digest and a valid signature, and is logged or pending.
async fn receipts(cx: &Cx, tenants: &[TenantId]) -> Result<Check> {
    let (mut problems, mut decisions) = (Problems::default(), 0_usize);
    for tenant in tenants {
        let tenant = cx.tenant_unchecked(*tenant);
        let mut after = 0;
        loop {
            let tx = tenant.begin_snapshot().await?;
            let page: Vec<StoredReceipt> =
                tx.rows(SELECT_DECISIONS, [after.into(), PAGE_ROWS.into()]).await?;
            let keys = match TrustedKeys::load(&cx.governance, tx.connection()).await {
                Ok(keys) => keys,
                Err(error) => {
                    let problem = format!("the keys cannot be read: {}", damage(error)?);
                    return Ok(Check::new("receipts", "none".to_owned(), vec![problem]));
                }
            };
            let pending = pending(&tx, &page).await?;
            tx.finish_read().await?;
            // Pending digests were read first, because an entry moves from there to the log.
            let digests = page.iter().map(|receipt| stored_digest::read(&receipt.digest).ok());
            let logged = transparency_log::anchored(&cx.governance, digests).await?;
            for (receipt, is_logged) in page.iter().zip(logged) {
                let is_queued = is_logged || pending.contains(&receipt.digest);
                if let Err(problem) = receipt.check(&keys, is_queued) {
                    problems.push(format!("decision {}: {problem}", receipt.id));
                }
            }
            decisions = decisions.saturating_add(page.len());
            let Some(last) = page.last() else { break };
            after = last.sequence;
        }
    }
    Ok(Check::new("receipts", format!("{decisions} decisions"), problems.0))
}

// SQL: the digests are selected by an array.
const SELECT_PENDING: &str = "SELECT digest FROM log_pending WHERE digest = ANY($1)";

/// Returns the digests of `page` that are pending.
async fn pending(tx: &TenantTx, page: &[StoredReceipt]) -> Result<Vec<Vec<u8>>> {
    let digests: Vec<Vec<u8>> = page.iter().map(|receipt| receipt.digest.clone()).collect();
    sql::tuples(tx.connection(), SELECT_PENDING, [digests.into()]).await
}

/// A decision as stored.
#[derive(FromQueryResult)]
struct StoredReceipt {
    sequence: i64,
    id: Uuid,
    texts: Vec<u8>,
    digest: Vec<u8>,
    signature: Option<String>,
    kid: Option<String>,
}

impl StoredReceipt {
    fn check(&self, keys: &TrustedKeys<'_>, is_queued: bool) -> Result<(), &'static str> {
        let texts =
            DecisionTexts::decode(self.texts.clone()).map_err(|_| "the texts are damaged")?;
        // A receipt of schema version 1 has no statement.
        let Some(statement) = texts.statement else { return Ok(()) };
        if Digest::compute(statement.as_bytes()).as_bytes() != self.digest.as_slice() {
            return Err("the statement differs from its digest");
        }
        if let (Some(signature), Some(kid)) = (&self.signature, &self.kid) {
            let key = keys.key(kid, PayloadType::Receipt).map_err(ChainProblem::as_str)?;
            let verified = key.verify(PayloadType::Receipt, &statement, signature);
            verified.map_err(|_| "the signature is not valid")?;
        }
        if is_queued { Ok(()) } else { Err("the receipt is neither logged nor pending") }
    }
}

// SQL: a page of IDs.
const SELECT_CHAINS: &str =
    "SELECT id FROM chains WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3";

async fn chains(cx: &Cx, tenants: &[TenantId]) -> Result<Check> {
    let (mut problems, mut chains, mut links) = (Problems::default(), 0_usize, 0_u64);
    for tenant in tenants {
        let tenant = cx.tenant_unchecked(*tenant);
        let mut after = Uuid::nil();
        loop {
            let page: Vec<Uuid> =
                tenant.tuples(SELECT_CHAINS, [after.into(), PAGE_ROWS.into()]).await?;
            let Some(last) = page.last() else { break };
            after = *last;
            for id in page {
                chains = chains.saturating_add(1);
                match chain::load_and_check(tenant, ChainId(id)).await {
                    Ok(chain) => {
                        links = links.saturating_add(chain.steps.into());
                        if !chain.valid {
                            problems.push(format!("chain {id}: {}", chain.problems.join(", ")));
                        }
                    }
                    Err(error) => problems.push(format!("chain {id}: {}", damage(error)?)),
                }
            }
        }
    }
    Ok(Check::new("chains", format!("{chains} chains, {links} links"), problems.0))
}

async fn log(governance: &Governance, guard: &dyn RollbackGuard) -> Result<[Check; 2]> {
    let (heads, unreadable) = match guard.load() {
        Ok(heads) => (heads, None),
        Err(cause) => (Vec::new(), Some(format!("the guard cannot be read: {cause}"))),
    };
    let log = transparency_log::verify(governance, &heads).await?;
    let checked = format!("{} entries, {} checkpoints", log.entries, log.checkpoints);
    let log_check = Check::new("transparency log", checked, log.problems);
    let problems = unreadable.into_iter().chain(log.guard_problems).collect();
    let guard_check = Check::new("log guard", format!("{} trees", heads.len()), problems);
    Ok([log_check, guard_check])
}

async fn registry(governance: &Governance) -> Result<Check> {
    Ok(match trust_registry::newest(governance).await {
        Ok(newest) => {
            let versions = newest.map_or(0, |newest| newest.registry.version);
            Check::new("trust registry", format!("{versions} versions"), Vec::new())
        }
        Err(error) => Check::new("trust registry", "none".to_owned(), vec![damage(error)?]),
    })
}
