//! Merkle proof for one link of a long chain under the root of the seal.

use contract::json::Value;

use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    digest::Digest,
    members::{Members as _, members},
    merkle::{self, InvalidProof, ProofUnavailable, Tree},
    object_reader::{ParseFieldError, SignedObjectReader},
};

const SCHEMA: &str = "service-chain-proof/v1";

/// The file `chain/proof.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainProof {
    /// Position of the link minus 1.
    pub index: u64,
    /// The number of links of the chain.
    pub size: u64,
    /// The inclusion proof; the hash closest to the leaf comes first.
    pub hashes: Vec<Digest>,
}

members! { ChainProof { index, size, hashes } }

impl ChainProof {
    /// The maximum number of links of a chain that is bundled completely. A longer chain may be
    /// represented by a proof.
    pub const LINKS_MAX: u64 = 1_000;

    /// Creates the proof for link `index` (from 0) of a chain.
    ///
    /// # Errors
    /// Returns an error if the link does not exist.
    pub fn new(tree: &Tree, index: u64) -> Result<Self, ProofUnavailable> {
        let size = tree.size();
        Ok(Self { index, size, hashes: merkle::inclusion(tree, index, size)? })
    }

    /// Checks that the link with hash `link` is at `index` under `root`.
    ///
    /// # Errors
    /// Returns an error if the proof is invalid.
    pub fn verify(&self, link: Digest, root: Digest) -> Result<(), InvalidProof> {
        let leaf = merkle::leaf_hash(link.as_bytes());
        merkle::verify_inclusion(leaf, self.index, self.size, &self.hashes, root)
    }

    /// Returns the file.
    pub fn canonical(&self) -> CanonicalJson {
        self.write_members(ObjectBuilder::with_schema(SCHEMA)).canonical()
    }

    /// Parses the file.
    ///
    /// # Errors
    /// Returns the member that is missing or malformed.
    pub fn read(value: &Value) -> Result<Self, ParseFieldError> {
        SignedObjectReader::with_schema(value, SCHEMA)?.read()
    }
}
