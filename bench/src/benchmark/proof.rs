//! The cost of proof: verification of a chain, and hashing and signing of a record.

use anyhow::{Context as _, Result, ensure};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use contract::{
    evaluation::Verdict,
    id::{ChainId, DecisionId, SnapshotId, TenantId},
};
use receipt::{
    CanonicalJson,
    chain::{self, Link, StatementSummary, StoredChain, StoredLink},
    digest::Digest,
    key::{PayloadType, PublicKey, SigningKey},
    statement::{self, ChainPosition, ReceiptStatement},
};
use serde_json::Value;

use crate::{
    context::BenchContext,
    fixture::{BenchFixture, Requests},
    load::{ClosedLoop, StopAfter},
    report::{
        Figure::{Micros, PerSecond},
        Goal, ReportRow,
    },
    stopwatch::median_us,
};

/// The number of links of the chain.
const LINKS: u32 = 2_000;

/// The target of one core in links per second.
const RATE: f64 = 100_000.0;

/// The target for hashing and signing, as a share of the time of a record.
const SHARE: f64 = 0.05;

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let key = SigningKey::from_seed([7; 32]);
    let unsigned = Chain::new(LINKS, None)?;
    let signed = Chain::new(LINKS, Some(&key))?;
    let keys = [key.public().clone()];
    let mut rows = vec![
        ReportRow::new("chain, links that one core verifies", PerSecond(unsigned.rate(&keys)?))
            .goal(Goal::AtLeast(PerSecond(RATE))),
        ReportRow::new("the same with a signature in each link", PerSecond(signed.rate(&keys)?)),
    ];
    rows.push(share_of_record(cx, &key)?);
    Ok(rows)
}

/// Measures hashing and signing of one record, compared with the record itself.
fn share_of_record(cx: &mut BenchContext<'_>, key: &SigningKey) -> Result<ReportRow> {
    let plan = cx.plan;
    let fixture = cx.fixture()?;
    let texts = RecordTexts::load(fixture)?;
    let hash_and_sign_us = median_us(|| texts.hash_and_sign(key));
    let (address, stop_after) = (fixture.service.address, StopAfter::Elapsed(plan.time()));
    let requests = [fixture.tenant.record()];
    let result =
        ClosedLoop { address, requests: &requests, connections: 1, status: 201, stop_after }
            .run()?;
    let record = result.quantile_ms(0.5) * 1e3;
    Ok(ReportRow::new("hashing and signing of a record", Micros(hash_and_sign_us))
        .with_baseline("the record, one client, median", Micros(record))
        .goal(Goal::TimesAtMost(SHARE)))
}

/// The texts that are hashed for a record, and the statement that is signed.
#[derive(Debug)]
struct RecordTexts {
    hashed: Vec<String>,
    statement: CanonicalJson,
}

impl RecordTexts {
    fn load(fixture: &mut BenchFixture) -> Result<Self> {
        let recorded = fixture.send(&mut fixture.tenant.record(), 201)?;
        let id = recorded.pointer("/decision/id").and_then(Value::as_str).context("no id")?;
        let sql = "SELECT json_build_array(translate(encode(texts, 'base64'), E'\\n', ''), event) \
             FROM decisions d JOIN audit_events e USING (tenant_id) \
             WHERE e.seq = d.sequence AND d.id = '{id}'";
        let stored = fixture.database.sql(&sql.replace("{id}", id))?;
        let (texts, event): (String, String) = serde_json::from_str(&stored)?;
        let texts = zstd::decode_all(&*STANDARD.decode(texts)?)?;
        // The record, and the preimages of its digests.
        let mut hashed: Vec<String> =
            str::from_utf8(&texts)?.split('\n').skip(1).map(str::to_owned).collect();
        let statement = CanonicalJson::from_stored(hashed.get(2).context("no statement")?.clone());
        hashed.push(event);
        Ok(Self { hashed, statement })
    }

    fn hash_and_sign(&self, key: &SigningKey) -> (Vec<Digest>, Option<String>) {
        let digests = self.hashed.iter().map(|text| Digest::compute(text.as_bytes())).collect();
        (digests, key.sign(PayloadType::Receipt, &self.statement).ok())
    }
}

/// A chain in memory, as it is stored.
#[derive(Debug)]
struct Chain {
    tenant_id: TenantId,
    id: ChainId,
    rows: Vec<LinkRow>,
}

#[derive(Debug)]
struct LinkRow {
    position: u32,
    decision_id: DecisionId,
    statement: String,
    link: String,
    hash: String,
    signature: Option<String>,
    kid: Option<String>,
}

/// Returns a test ID with this number.
fn id(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

impl Chain {
    fn new(links: u32, key: Option<&SigningKey>) -> Result<Self> {
        let tenant_id = id(1).parse().ok().context("a tenant's id")?;
        let chain_id = id(2).parse().ok().context("a chain's id")?;
        let mut chain = Self { tenant_id, id: chain_id, rows: Vec::new() };
        let mut prev = None;
        for position in 1..=links {
            let row = chain.row(position, prev, key)?;
            prev = Some(Digest::compute(row.link.as_bytes()));
            chain.rows.push(row);
        }
        Ok(chain)
    }

    fn row(
        &self,
        position: u32,
        prev: Option<Digest>,
        key: Option<&SigningKey>,
    ) -> Result<LinkRow> {
        let decision_id: DecisionId = id(position + 10).parse().ok().context("a decision's id")?;
        let snapshot_id: SnapshotId = id(3).parse().ok().context("a snapshot's id")?;
        let timestamp = "2026-11-20T10:00:00.000Z".parse().ok().context("a timestamp")?;
        let digest = Digest::compute(&position.to_be_bytes());
        let chain_position =
            ChainPosition { chain_id: self.id, step: position, parent_decision_id: None };
        let statement = statement::receipt(&ReceiptStatement {
            tenant_id: self.tenant_id,
            decision_id,
            decision_type: "bench_10",
            decision: Verdict::Allow,
            timestamp,
            recorded_at: timestamp,
            integrity_hash: digest,
            policy_snapshot_id: snapshot_id,
            policy_snapshot_digest: digest,
            evidence_manifest_digest: None,
            idempotency_key_digest: digest,
            action_digest: None,
            chain: Some(chain_position),
            kid: key.map(SigningKey::kid),
        });
        let link = Link {
            tenant_id: self.tenant_id,
            chain_id: self.id,
            position,
            step: position,
            decision_id,
            receipt_digest: statement.digest,
            prev,
        };
        let link = link.canonical();
        Ok(LinkRow {
            position,
            decision_id,
            statement: statement.text,
            hash: link.digest.to_string(),
            signature: key.map(|key| key.sign(PayloadType::ChainLink, &link)).transpose()?,
            kid: key.map(|key| key.kid().to_owned()),
            link: link.text,
        })
    }

    /// Returns the number of links verified per second of processor time.
    fn rate(&self, keys: &[PublicKey]) -> Result<f64> {
        let links: Vec<StoredLink<'_>> = self.rows.iter().map(LinkRow::as_stored).collect();
        let head = self.rows.last().context("an empty chain")?;
        let stored = StoredChain {
            tenant_id: self.tenant_id,
            chain_id: self.id,
            links: &links,
            seal: None,
            length: head.position,
            head: &head.hash,
            is_sealed: false,
        };
        let checked = chain::check(&stored, keys);
        ensure!(checked.links.len() == links.len(), "every link is checked");
        ensure!(
            checked.links.iter().all(|link| link.link_valid),
            "the chain is valid: {checked:?}"
        );
        Ok(links.len() as f64 * 1e6 / median_us(|| chain::check(&stored, keys)))
    }
}

impl LinkRow {
    fn as_stored(&self) -> StoredLink<'_> {
        StoredLink {
            position: self.position,
            step: self.position,
            decision_id: self.decision_id,
            link: &self.link,
            hash: &self.hash,
            signature: self.signature.as_deref(),
            kid: self.kid.as_deref(),
            statement: Some(StatementSummary::new(&self.statement)),
        }
    }
}
