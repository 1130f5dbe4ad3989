//! What proof costs: the check of a chain, and what hashing and signing take of a record.

use anyhow::{Context as _, Result, ensure};
use contract::{
    evaluation::Verdict,
    id::{ChainId, DecisionId, SnapshotId, TenantId},
};
use receipt::{
    canon::Canonical,
    chain::{self, Link, StoredChain, StoredLink},
    digest::Digest,
    key::{PayloadType, PublicKey, SigningKey},
    statement::{self, ChainPosition, ReceiptStatement},
};
use serde_json::Value;

use crate::{
    load::{Closed, Until},
    report::{
        Figure::{Micros, PerSecond},
        Goal, Line,
    },
    stage::Stage,
    stopwatch::median_us,
    world::World,
};

/// How many links the chain has.
const LINKS: u32 = 2_000;

/// What one core is to verify in a second.
const RATE: f64 = 100_000.0;

/// How much of a record's time hashing and signing may take.
const SHARE: f64 = 0.05;

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let key = SigningKey::from_seed([7; 32]);
    let unsigned = Chain::of(LINKS, None)?;
    let signed = Chain::of(LINKS, Some(&key))?;
    let keys = [key.public().clone()];
    let mut lines = vec![
        Line::new("chain, links that one core verifies", PerSecond(unsigned.rate(&keys)?))
            .goal(Goal::AtLeast(PerSecond(RATE))),
        Line::new("the same with a signature in each link", PerSecond(signed.rate(&keys)?)),
    ];
    lines.push(share(stage, &key)?);
    Ok(lines)
}

/// Hashing and signing of one record, beside the record.
fn share(stage: &mut Stage<'_>, key: &SigningKey) -> Result<Line> {
    let plan = stage.plan;
    let world = stage.world()?;
    let texts = Texts::of_a_record(world)?;
    let took = median_us(|| texts.hash_and_sign(key));
    let (address, until) = (world.service.address, Until::Elapsed(plan.time()));
    let requests = [world.tenant.record()];
    let seen = Closed { address, requests: &requests, connections: 1, status: 201, until }.run()?;
    let record = seen.quantile_ms(0.5) * 1e3;
    Ok(Line::new("hashing and signing of a record", Micros(took))
        .beside("the record, one client, median", Micros(record))
        .goal(Goal::TimesAtMost(SHARE)))
}

/// What is hashed for a record, and signed.
#[derive(Debug)]
struct Texts {
    hashed: Vec<String>,
    statement: Canonical,
}

impl Texts {
    fn of_a_record(world: &mut World) -> Result<Self> {
        let recorded = world.ask(&mut world.tenant.record(), 201)?;
        let id = recorded.pointer("/decision/id").and_then(Value::as_str).context("no id")?;
        let stored = "SELECT json_build_array(context, integrity, statement, event) \
             FROM decisions d JOIN audit_events e ON e.object_id = d.id::text \
             WHERE d.id = '{id}' LIMIT 1";
        let stored = world.database.sql(&stored.replace("{id}", id))?;
        let hashed: Vec<String> = serde_json::from_str(&stored)?;
        let text = hashed.get(2).context("no statement")?.clone();
        Ok(Self { hashed, statement: Canonical::kept(text) })
    }

    fn hash_and_sign(&self, key: &SigningKey) -> (Vec<Digest>, Option<String>) {
        let digests = self.hashed.iter().map(|text| Digest::of(text.as_bytes())).collect();
        (digests, key.sign(PayloadType::Receipt, &self.statement).ok())
    }
}

/// A chain in memory, as a store has it.
#[derive(Debug)]
struct Chain {
    tenant_id: TenantId,
    id: ChainId,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    position: u32,
    decision_id: DecisionId,
    statement: String,
    link: String,
    hash: String,
    signature: Option<String>,
    kid: Option<String>,
}

/// The `number`th id.
fn id(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

impl Chain {
    fn of(links: u32, key: Option<&SigningKey>) -> Result<Self> {
        let tenant_id = id(1).parse().ok().context("a tenant's id")?;
        let chain_id = id(2).parse().ok().context("a chain's id")?;
        let mut chain = Self { tenant_id, id: chain_id, rows: Vec::new() };
        let mut prev = None;
        for position in 1..=links {
            let row = chain.row(position, prev, key)?;
            prev = Some(Digest::of(row.link.as_bytes()));
            chain.rows.push(row);
        }
        Ok(chain)
    }

    fn row(&self, position: u32, prev: Option<Digest>, key: Option<&SigningKey>) -> Result<Row> {
        let decision_id: DecisionId = id(position + 10).parse().ok().context("a decision's id")?;
        let snapshot_id: SnapshotId = id(3).parse().ok().context("a snapshot's id")?;
        let at = "2026-11-20T10:00:00.000Z".parse().ok().context("an instant")?;
        let digest = Digest::of(&position.to_be_bytes());
        let place = ChainPosition { chain_id: self.id, step: position, parent_decision_id: None };
        let statement = statement::receipt(&ReceiptStatement {
            tenant_id: self.tenant_id,
            decision_id,
            decision_type: "bench_10",
            decision: Verdict::Allow,
            timestamp: at,
            recorded_at: at,
            integrity_hash: digest,
            policy_snapshot_id: snapshot_id,
            policy_snapshot_digest: digest,
            evidence_manifest_digest: None,
            idempotency_key_digest: digest,
            action_digest: None,
            chain: Some(place),
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
        Ok(Row {
            position,
            decision_id,
            statement: statement.text,
            hash: link.digest.to_string(),
            signature: key.map(|key| key.sign(PayloadType::ChainLink, &link)).transpose()?,
            kid: key.map(|key| key.kid().to_owned()),
            link: link.text,
        })
    }

    /// Links that are verified in a second of processor time.
    fn rate(&self, keys: &[PublicKey]) -> Result<f64> {
        let links: Vec<StoredLink<'_>> = self.rows.iter().map(Row::stored).collect();
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
        let found = chain::check(&stored, keys);
        ensure!(found.links.len() == links.len(), "every link is checked");
        ensure!(found.links.iter().all(|link| link.link_valid), "the chain is sound: {found:?}");
        Ok(links.len() as f64 * 1e6 / median_us(|| chain::check(&stored, keys)))
    }
}

impl Row {
    fn stored(&self) -> StoredLink<'_> {
        StoredLink {
            position: self.position,
            step: self.position,
            decision_id: self.decision_id,
            link: &self.link,
            hash: &self.hash,
            signature: self.signature.as_deref(),
            kid: self.kid.as_deref(),
            statement: Some(&self.statement),
        }
    }
}
