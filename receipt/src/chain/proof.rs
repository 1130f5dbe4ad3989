//! The proof that stands for a long chain: one link shown to be under the seal's root.

use contract::json::Value;

use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
    fields::{Fields, Malformed},
    merkle::{self, NoProof, ProofInvalid, Tree},
};

const SCHEMA: &str = "service-chain-proof/v1";

/// The file `chain/proof.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainProof {
    /// Position of the link, less 1.
    pub index: u64,
    /// How many links the chain has.
    pub size: u64,
    /// The inclusion proof, lowest hash first.
    pub hashes: Vec<Digest>,
}

impl ChainProof {
    /// A chain of so many links goes whole into a bundle; a longer one may be shown by a proof.
    pub const LINKS_MAX: u64 = 1_000;

    /// The proof for link `index` (from 0) of a chain.
    ///
    /// # Errors
    /// There is no such link.
    pub fn of(tree: &Tree, index: u64) -> Result<Self, NoProof> {
        let size = tree.size();
        Ok(Self { index, size, hashes: merkle::inclusion(tree, index, size)? })
    }

    /// Checks that the link with hash `link` stands at `index` under `root`.
    ///
    /// # Errors
    /// It is not shown to.
    pub fn verify(&self, link: Digest, root: Digest) -> Result<(), ProofInvalid> {
        let leaf = merkle::leaf_hash(link.as_bytes());
        merkle::verify_inclusion(leaf, self.index, self.size, &self.hashes, root)
    }

    /// The file.
    pub fn canonical(&self) -> Canonical {
        let hashes: Vec<_> = self.hashes.iter().copied().map(Part::from).collect();
        Members::schema(SCHEMA)
            .with("index", self.index)
            .with("size", self.size)
            .with("hashes", hashes)
            .canonical()
    }

    /// Reads the file.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of_schema(value, SCHEMA)?;
        Ok(Self {
            index: fields.whole("index")?,
            size: fields.whole("size")?,
            hashes: fields.exact_list("hashes")?,
        })
    }
}
