//! The manifest: what a bundle is about, and the digest of every member, claim by claim.

use std::collections::BTreeMap;

use contract::{
    id::{ChainId, DecisionId, TenantId},
    json::Value,
};

use super::{
    files::{FileRefused, Files},
    path,
};
use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
    fields::{Fields, Malformed},
    key::ALGORITHM,
};

const SCHEMA: &str = "service-bundle-manifest/v1";

/// The ten claims in the order of reports, each with the directory whose members it has.
pub const CLAIMS: [(&str, Option<&str>); 10] = [
    ("receipt", Some("receipt")),
    ("policy_snapshot", Some("policy")),
    ("chain_proofs", Some("chain")),
    ("transparency_proof", Some("transparency")),
    ("trust_roots", Some("trust")),
    ("canonicalisation", Some("canonicalisation")),
    ("evidence", Some("evidence")),
    ("approval_lineage", Some("approval")),
    ("manifest", None),
    ("evaluation", Some("evaluation")),
];

/// The members that no claim has: they decide nothing.
pub const INFORMATIONAL: [&str; 1] = [path::TRUSTED_KEYS];

/// What a bundle is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// One decision.
    Decision {
        /// The decision.
        decision_id: DecisionId,
        /// Its tenant.
        tenant_id: TenantId,
        /// Digest of its statement.
        receipt_digest: Digest,
    },
    /// A chain of decisions.
    Chain {
        /// The chain.
        chain_id: ChainId,
        /// Its tenant.
        tenant_id: TenantId,
        /// How many links there are.
        step_count: u32,
        /// Hash of the last link.
        head: Digest,
    },
}

impl Subject {
    /// `decision` or `chain`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Decision { .. } => "decision",
            Self::Chain { .. } => "chain",
        }
    }

    /// Whose it is.
    pub const fn tenant_id(&self) -> TenantId {
        match self {
            Self::Decision { tenant_id, .. } | Self::Chain { tenant_id, .. } => *tenant_id,
        }
    }

    /// The subject as manifests and reports write it.
    pub fn canonical(&self) -> Canonical {
        self.members().canonical()
    }

    fn members(&self) -> Members<'static> {
        match self {
            Self::Decision { decision_id, tenant_id, receipt_digest } => Members::default()
                .with("decision_id", decision_id.to_string())
                .with("tenant_id", tenant_id.to_string())
                .with("receipt_digest", *receipt_digest),
            Self::Chain { chain_id, tenant_id, step_count, head } => Members::default()
                .with("chain_id", chain_id.to_string())
                .with("tenant_id", tenant_id.to_string())
                .with("step_count", *step_count)
                .with("head", *head),
        }
    }

    fn read(kind: &str, fields: Fields<'_>) -> Result<Self, Malformed> {
        match kind {
            "decision" => Ok(Self::Decision {
                decision_id: fields.exact("decision_id")?,
                tenant_id: fields.exact("tenant_id")?,
                receipt_digest: fields.exact("receipt_digest")?,
            }),
            "chain" => Ok(Self::Chain {
                chain_id: fields.exact("chain_id")?,
                tenant_id: fields.exact("tenant_id")?,
                step_count: fields.whole("step_count")?,
                head: fields.exact("head")?,
            }),
            _ => Err(Malformed::Member("kind")),
        }
    }
}

/// A member as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Its name.
    pub path: String,
    /// Its digest.
    pub sha256: Digest,
    /// How many bytes it has.
    pub size: u64,
}

/// The members of one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimFiles {
    /// From [`claim_digest`].
    pub digest: Digest,
    /// Sorted by path.
    pub files: Vec<FileEntry>,
}

/// A manifest as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// What the bundle is about.
    pub subject: Subject,
    /// All ten claims by name.
    pub claims: BTreeMap<String, ClaimFiles>,
    /// Members that decide nothing.
    pub informational: Vec<String>,
    /// From [`claims_digest`].
    pub manifest_digest: Digest,
    /// The algorithm; absent when unsigned.
    pub alg: Option<String>,
    /// The signing key; absent when unsigned.
    pub kid: Option<String>,
}

/// The claim that the member `path` belongs to: that of its first directory.
pub fn claim_of(path: &str) -> Option<&'static str> {
    let (directory, _) = path.split_once('/')?;
    CLAIMS.iter().find(|(_, own)| *own == Some(directory)).map(|(name, _)| *name)
}

/// The digest of one claim of the manifest.
pub fn claim_digest(claim: &str, files: &[FileEntry]) -> Digest {
    Members::schema("service-bundle-claim/v1")
        .with("claim", claim)
        .with("files", files.iter().map(FileEntry::part).collect::<Vec<_>>())
        .canonical()
        .digest
}

/// The digest over the digests of the claims.
pub fn claims_digest<'a>(claims: impl IntoIterator<Item = (&'a str, Digest)>) -> Digest {
    let claims: Members<'_> =
        claims.into_iter().map(|(name, digest)| (name, Part::from(digest))).collect();
    Members::schema("service-bundle-claims/v1").with("claims", claims).canonical().digest
}

/// The manifest of `files`.
///
/// # Errors
/// A member belongs to no claim.
pub fn manifest(
    files: &Files,
    subject: &Subject,
    kid: Option<&str>,
) -> Result<Canonical, FileRefused> {
    let mut claims: BTreeMap<&str, Vec<FileEntry>> =
        CLAIMS.iter().map(|(name, _)| (*name, Vec::new())).collect();
    let mut informational = Vec::new();
    for (path, bytes) in files.iter() {
        if INFORMATIONAL.contains(&path) {
            informational.push(Part::from(path));
        } else if !matches!(path, path::MANIFEST | path::MANIFEST_ENVELOPE) {
            let claim = claim_of(path).and_then(|claim| claims.get_mut(claim));
            let claim = claim.ok_or_else(|| FileRefused::NoClaim(path.to_owned()))?;
            claim.push(FileEntry::of(path, bytes));
        }
    }
    let digests = claims.iter().map(|(name, files)| (*name, claim_digest(name, files)));
    let digests: BTreeMap<_, _> = digests.collect();
    let entries = claims.iter().map(|(name, files)| {
        let files: Vec<_> = files.iter().map(FileEntry::part).collect();
        let entry = Members::default().maybe("digest", digests.get(name).copied());
        (*name, Part::from(entry.with("files", files)))
    });
    Ok(Members::schema(SCHEMA)
        .with("kind", subject.kind())
        .with("subject", subject.members())
        .with("claims", entries.collect::<Members<'_>>())
        .with("informational", informational)
        .with("manifest_digest", claims_digest(digests.iter().map(|(name, d)| (*name, *d))))
        .maybe("alg", kid.map(|_| ALGORITHM))
        .maybe("kid", kid)
        .canonical())
}

impl FileEntry {
    /// The entry of a member.
    pub fn of(path: &str, bytes: &[u8]) -> Self {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Self { path: path.to_owned(), sha256: Digest::of(bytes), size }
    }

    fn part(&self) -> Part<'_> {
        Members::default()
            .with("path", self.path.as_str())
            .with("sha256", self.sha256)
            .with("size", self.size)
            .into()
    }

    fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of(value, "files")?;
        Ok(Self {
            path: fields.text("path")?.to_owned(),
            sha256: fields.exact("sha256")?,
            size: fields.whole("size")?,
        })
    }
}

impl Manifest {
    /// Reads a manifest. Whether it fits the members is another question.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of_schema(value, SCHEMA)?;
        let claims = fields.value("claims")?.as_object().ok_or(Malformed::Member("claims"))?;
        let claim = |(name, value)| {
            let fields = Fields::of(value, "claims")?;
            let files = fields.list("files")?.iter().map(FileEntry::read);
            let files = files.collect::<Result<Vec<_>, _>>()?;
            Ok((String::from(name), ClaimFiles { digest: fields.exact("digest")?, files }))
        };
        Ok(Self {
            subject: Subject::read(fields.text("kind")?, fields.object("subject")?)?,
            claims: claims.iter().map(claim).collect::<Result<_, Malformed>>()?,
            informational: fields.exact_list("informational")?,
            manifest_digest: fields.exact("manifest_digest")?,
            alg: fields.maybe_text("alg")?.map(str::to_owned),
            kid: fields.maybe_text("kid")?.map(str::to_owned),
        })
    }
}
