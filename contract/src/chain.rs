//! Decision chains: ordered, hash-linked series of decisions that a seal closes (contract, section 5;
//! receipts, section 7).

use crate::{
    decision::Actor,
    evaluation::Verdict,
    filter::ListFilter,
    id::{ChainId, DecisionId},
    json::Value,
    read::{FromJson, ObjectReader, integer, schema::Shape},
    time::Timestamp,
};

/// The highest step number. File names in the bundle of a chain have six digits for it.
pub const STEP_MAX: u32 = 999_999;

/// The requested position of a decision in a chain.
#[body(Copy, Eq)]
pub struct ChainRequest {
    /// The ID of the chain, chosen by the caller. The first decision creates the chain.
    pub chain_id: ChainId,
    /// The step number, 1 to 999,999, unique in the chain; gaps are allowed. Absent means one more than the
    /// highest step.
    #[json(with = integer(1, STEP_MAX))]
    pub chain_step: Option<u32>,
    /// An earlier decision of the same chain that this decision follows.
    pub parent_decision_id: Option<DecisionId>,
}

/// The members of a chain request.
const CHAIN_MEMBERS: [&str; 3] = ["chain_id", "chain_step", "parent_decision_id"];

impl ChainRequest {
    /// Reads a chain request from members of `members` itself instead of its member `chain`. The two forms
    /// exclude each other.
    pub(crate) fn read_flat(members: &mut ObjectReader<'_, '_>) -> Option<Self> {
        let chain_id = members.optional("chain_id", ChainId::from_json);
        let chain_step = members.optional("chain_step", integer(1, STEP_MAX));
        let parent_decision_id = members.optional("parent_decision_id", DecisionId::from_json);
        members.one_of(|| {
            let nested = Shape { absent: CHAIN_MEMBERS.to_vec(), ..Shape::default() };
            let flat =
                Shape { required: vec!["chain_id"], absent: vec!["chain"], ..Shape::default() };
            vec![nested, flat]
        });
        let present: Vec<&str> =
            CHAIN_MEMBERS.into_iter().filter(|name| members.has(name)).collect();
        if members.has("chain") {
            for name in present {
                let message = format!("`{name}` and `chain` exclude each other");
                members.add_error(name, "conflict", message);
            }
            return None;
        }
        if let [first, ..] = present.as_slice()
            && !members.has("chain_id")
        {
            members.add_error("chain_id", "required", format!("`{first}` requires `chain_id`"));
        }
        Some(Self { chain_id: chain_id?, chain_step, parent_decision_id })
    }
}

/// The position of a decision in a chain, and the link that proves it.
#[wire(Eq)]
pub struct ChainLinkInfo {
    /// The ID of the chain.
    pub chain_id: ChainId,
    /// The step number.
    pub chain_step: u32,
    /// The earlier decision that this decision follows.
    pub parent_decision_id: Option<DecisionId>,
    /// The digest of the link.
    pub chain_integrity_hash: String,
    /// The base64url signature over the link; absent if unsigned.
    pub chain_signature: Option<String>,
    /// The thumbprint of the signing key.
    pub chain_signature_kid: Option<String>,
    /// Always `Ed25519`.
    pub chain_signature_algorithm: Option<String>,
}

string_enum! {
    /// The status of a chain.
    pub enum ChainStatus {
        /// The chain accepts further steps.
        Open = "open",
        /// The chain is closed. Its seal contains the number of links.
        Sealed = "sealed",
    }
}

/// The filters of `GET /v1/chains`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ListFilter)]
pub struct ChainFilter {
    /// Only chains with this status.
    pub status: Option<ChainStatus>,
    /// Only the chain with this ID.
    #[filter(page = "chain")]
    pub chain_id: Option<ChainId>,
}

impl ChainStatus {
    /// Returns the status of a chain with or without a seal.
    pub const fn new(is_sealed: bool) -> Self {
        if is_sealed { Self::Sealed } else { Self::Open }
    }
}

/// A chain in a list.
#[wire(Eq)]
pub struct Chain {
    /// The ID of the chain.
    pub chain_id: ChainId,
    /// Whether the chain accepts further steps.
    pub status: ChainStatus,
    /// The number of decisions.
    pub steps: u32,
    /// The highest step number.
    pub highest_step: u32,
    /// The digest of the last link.
    pub head: String,
    /// The time at which the first decision was recorded.
    pub created_at: Timestamp,
    /// The time at which the last decision was recorded.
    pub last_recorded_at: Timestamp,
    /// The time at which the chain was sealed; absent while it is open.
    pub sealed_at: Option<Timestamp>,
}

/// The seal of a chain.
#[wire]
pub struct ChainSeal {
    /// The ID of the chain.
    pub chain_id: ChainId,
    /// The signed statement: the number of links, the digest of the last link and the root over all links.
    pub seal: Value,
    /// The DSSE envelope of the seal; without signatures if unsigned.
    pub envelope: Value,
    /// The digest of `seal`.
    pub seal_digest: String,
    /// The anchor in the transparency log; `null` while pending.
    #[wire(null)]
    pub transparency_anchor: Option<Value>,
}

/// The result of a chain verification.
#[wire]
pub struct ChainVerification {
    /// The ID of the chain.
    pub chain_id: ChainId,
    /// Whether the chain accepts further steps.
    pub status: ChainStatus,
    /// The number of links.
    pub steps: u32,
    /// Whether `problems` is empty.
    pub valid: bool,
    /// The DSSE envelope of the seal; `null` while the chain is open.
    #[wire(null)]
    pub seal: Option<Value>,
    /// The links in the order of their positions.
    pub items: Vec<ChainItem>,
    /// Findings that are not tampering: `STEP_GAP`, `STEP_ORDER`, and `UNSIGNED` if there was no signing key.
    pub warnings: Vec<String>,
    /// Findings that indicate tampering: codes of the claim `chain_proofs`, each once, or `KEY_UNKNOWN`.
    pub problems: Vec<String>,
}

/// A link of a chain and its verification result. Data that was deleted from the database is absent.
#[wire]
pub struct ChainItem {
    /// The position of the link: 1, 2, 3, … in the order of recording.
    pub position: u32,
    /// The step number.
    pub chain_step: u32,
    /// The ID of the decision.
    pub decision_id: DecisionId,
    /// The verdict of the decision.
    pub decision: Option<Verdict>,
    /// The time at which the decision was recorded.
    pub recorded_at: Option<Timestamp>,
    /// The actor of the decision.
    pub actor: Option<Actor>,
    /// The earlier decision that this decision follows.
    pub parent_decision_id: Option<DecisionId>,
    /// Whether the link references its predecessor, belongs to this receipt and is unchanged.
    pub link_valid: bool,
    /// Whether the signature over the link is valid; absent if there was no signing key.
    pub signature_valid: Option<bool>,
    /// Whether the receipt is anchored in the transparency log.
    pub anchored: bool,
    /// The stored link. Bytes that are no longer valid JSON are returned as a string.
    pub link: Value,
    /// The stored digest of the link.
    pub chain_integrity_hash: String,
    /// The base64url signature over the link.
    pub chain_signature: Option<String>,
    /// The thumbprint of the signing key.
    pub chain_signature_kid: Option<String>,
}
