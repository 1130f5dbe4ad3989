//! Chains: decisions that belong together, in the order in which they were recorded, until a seal
//! closes them (contract, section 5; receipts, section 7).

use serde::{Deserialize, Serialize};

use crate::{
    decision::Actor,
    evaluation::Verdict,
    id::{ChainId, DecisionId},
    json::Value,
    read::{At, Errors, Members, Read, id, schema::Shape, whole},
    time::Timestamp,
};

/// The highest number of a step: the names in a chain's bundle have six digits for it.
pub const STEP_MAX: u32 = 999_999;

/// The place that a record call asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChainPlace {
    /// The chain, named by the caller: its first decision makes it.
    pub chain_id: ChainId,
    /// 1 to 999,999, each once in a chain; gaps are allowed. Absent: one after the highest so far.
    pub chain_step: Option<u32>,
    /// An earlier decision of the same chain that this one follows.
    pub parent_decision_id: Option<DecisionId>,
}

impl Read for ChainPlace {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let chain_id = members.required("chain_id", id);
        let chain_step = members.optional("chain_step", whole(1, STEP_MAX));
        let parent_decision_id = members.optional("parent_decision_id", id);
        members.finish()?;
        Some(Self { chain_id: chain_id?, chain_step, parent_decision_id })
    }
}

/// The members of a place.
const PLACE: [&str; 3] = ["chain_id", "chain_step", "parent_decision_id"];

impl ChainPlace {
    /// Reads a place whose members are those of the request itself, instead of a member `chain`. They
    /// exclude each other.
    pub(crate) fn read_flat(members: &mut Members<'_, '_>) -> Option<Self> {
        let chain_id = members.optional("chain_id", id);
        let chain_step = members.optional("chain_step", whole(1, STEP_MAX));
        let parent_decision_id = members.optional("parent_decision_id", id);
        members.one_of(|| {
            let nested = Shape { absent: PLACE.to_vec(), ..Shape::default() };
            let flat =
                Shape { required: vec!["chain_id"], absent: vec!["chain"], ..Shape::default() };
            vec![nested, flat]
        });
        let given: Vec<&str> = PLACE.into_iter().filter(|name| members.has(name)).collect();
        if members.has("chain") {
            for name in given {
                let message = format!("`{name}` and `chain` exclude each other");
                members.refuse(name, "conflict", message);
            }
            return None;
        }
        if let [first, ..] = given.as_slice()
            && !members.has("chain_id")
        {
            members.refuse("chain_id", "required", format!("`{first}` needs `chain_id`"));
        }
        Some(Self { chain_id: chain_id?, chain_step, parent_decision_id })
    }
}

/// A decision's place in a chain, with the link that holds it there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Chained {
    /// The chain.
    pub chain_id: ChainId,
    /// The number of the step.
    pub chain_step: u32,
    /// The earlier decision that this one follows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent_decision_id: Option<DecisionId>,
    /// Digest of the link.
    pub chain_integrity_hash: String,
    /// base64url signature over the link; absent when unsigned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chain_signature: Option<String>,
    /// The thumbprint of its key.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chain_signature_kid: Option<String>,
    /// `Ed25519`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chain_signature_algorithm: Option<String>,
}

/// Whether a chain takes further steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChainStatus {
    /// It does.
    Open,
    /// It does not: its seal says how many it has.
    Sealed,
}

impl ChainStatus {
    /// By whether there is a seal.
    pub const fn of(is_sealed: bool) -> Self {
        if is_sealed { Self::Sealed } else { Self::Open }
    }
}

/// A chain, as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Chain {
    /// The chain.
    pub chain_id: ChainId,
    /// Whether it takes further steps.
    pub status: ChainStatus,
    /// How many decisions it has.
    pub steps: u32,
    /// The highest number of a step.
    pub highest_step: u32,
    /// Digest of the last link.
    pub head: String,
    /// When its first decision was recorded.
    pub created_at: Timestamp,
    /// When its last decision was recorded.
    pub last_recorded_at: Timestamp,
    /// When it was sealed; absent while it is open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sealed_at: Option<Timestamp>,
}

/// The seal of a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SealedChain {
    /// The chain.
    pub chain_id: ChainId,
    /// What was signed: how many links, the last one's digest, the root over all of them.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub seal: Value,
    /// The seal in its DSSE envelope; without signatures when unsigned.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub envelope: Value,
    /// Digest of `seal`.
    pub seal_digest: String,
    /// The log entry; `null` while pending.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub transparency_anchor: Option<Value>,
}

/// What a check of a chain found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChainVerification {
    /// The chain.
    pub chain_id: ChainId,
    /// Whether it takes further steps.
    pub status: ChainStatus,
    /// How many links there are.
    pub steps: u32,
    /// Whether nothing stands in `problems`.
    pub valid: bool,
    /// The seal in its DSSE envelope; `null` while the chain is open.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub seal: Option<Value>,
    /// The links in order of position.
    pub items: Vec<ChainItem>,
    /// What is no tampering: `STEP_GAP`, `STEP_ORDER`; `UNSIGNED`, when there was no key.
    pub warnings: Vec<String>,
    /// What is: codes of the claim `chain_proofs`, each once, or `KEY_UNKNOWN`.
    pub problems: Vec<String>,
}

/// One link of a chain, and what the check found of it. What was deleted in the store is absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChainItem {
    /// 1, 2, 3, … in order of recording.
    pub position: u32,
    /// The number of the step.
    pub chain_step: u32,
    /// The decision.
    pub decision_id: DecisionId,
    /// The verdict.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub decision: Option<Verdict>,
    /// When it was recorded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recorded_at: Option<Timestamp>,
    /// Who acted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actor: Option<Actor>,
    /// The earlier decision that it follows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent_decision_id: Option<DecisionId>,
    /// Whether the link follows the one before, is of this receipt, and is unchanged.
    pub link_valid: bool,
    /// Whether the signature over the link is good; absent when there was no key.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signature_valid: Option<bool>,
    /// Whether the receipt is in the transparency log.
    pub anchored: bool,
    /// The link, from the stored bytes. Bytes that no longer are JSON stand here as text.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub link: Value,
    /// Its digest, as it is stored.
    pub chain_integrity_hash: String,
    /// base64url signature over the link.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chain_signature: Option<String>,
    /// The thumbprint of its key.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chain_signature_kid: Option<String>,
}
