//! The manifest: the subject of a bundle and the digest of every file, grouped by claim.

use std::collections::BTreeMap;

use contract::{
    id::{ChainId, DecisionId, TenantId},
    json::Value,
    verification::Claim,
};

use super::{
    files::{BundleFileError, Files},
    path,
};
use crate::{
    canonical_json::{CanonicalJson, JsonPart, ObjectBuilder},
    digest::Digest,
    key::ALGORITHM,
    members::{Member, members},
    object_reader::{ParseFieldError, SignedObjectReader},
};

const SCHEMA: &str = "service-bundle-manifest/v1";

/// The files that belong to no claim and do not affect the result.
pub const INFORMATIONAL: [&str; 1] = [path::TRUSTED_KEYS];

/// The decision or chain that a bundle proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// One decision.
    Decision {
        /// The ID of the decision.
        decision_id: DecisionId,
        /// The tenant of the decision.
        tenant_id: TenantId,
        /// Digest of the receipt statement.
        receipt_digest: Digest,
    },
    /// A chain of decisions.
    Chain {
        /// The ID of the chain.
        chain_id: ChainId,
        /// The tenant of the chain.
        tenant_id: TenantId,
        /// The number of links.
        step_count: u32,
        /// Hash of the last link.
        head: Digest,
    },
}

impl Subject {
    /// Returns `decision` or `chain`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Decision { .. } => "decision",
            Self::Chain { .. } => "chain",
        }
    }

    /// Returns the tenant of the decision or chain.
    pub const fn tenant_id(&self) -> TenantId {
        match self {
            Self::Decision { tenant_id, .. } | Self::Chain { tenant_id, .. } => *tenant_id,
        }
    }

    /// Returns the canonical JSON used in manifests and reports.
    pub fn canonical(&self) -> CanonicalJson {
        self.members().canonical()
    }

    fn members(&self) -> ObjectBuilder<'static> {
        match self {
            Self::Decision { decision_id, tenant_id, receipt_digest } => ObjectBuilder::default()
                .member("decision_id", decision_id.to_string())
                .member("tenant_id", tenant_id.to_string())
                .member("receipt_digest", *receipt_digest),
            Self::Chain { chain_id, tenant_id, step_count, head } => ObjectBuilder::default()
                .member("chain_id", chain_id.to_string())
                .member("tenant_id", tenant_id.to_string())
                .member("step_count", *step_count)
                .member("head", *head),
        }
    }

    fn read(kind: &str, fields: SignedObjectReader<'_>) -> Result<Self, ParseFieldError> {
        match kind {
            "decision" => Ok(Self::Decision {
                decision_id: fields.member("decision_id")?,
                tenant_id: fields.member("tenant_id")?,
                receipt_digest: fields.member("receipt_digest")?,
            }),
            "chain" => Ok(Self::Chain {
                chain_id: fields.member("chain_id")?,
                tenant_id: fields.member("tenant_id")?,
                step_count: fields.member("step_count")?,
                head: fields.member("head")?,
            }),
            _ => Err(ParseFieldError::Member("kind")),
        }
    }
}

/// A file as listed in the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// The name of the file.
    pub path: String,
    /// SHA-256 of the bytes of the file.
    pub sha256: Digest,
    /// The size in bytes.
    pub size: u64,
}

/// The files of one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimFiles {
    /// The digest over `files`, from [`claim_digest`].
    pub digest: Digest,
    /// The entries, sorted by path.
    pub files: Vec<FileEntry>,
}

/// A parsed manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The decision or chain that the bundle proves.
    pub subject: Subject,
    /// The ten claims by name.
    pub claims: BTreeMap<String, ClaimFiles>,
    /// Files that belong to no claim.
    pub informational: Vec<String>,
    /// The digest over all claims, from [`claims_digest`].
    pub manifest_digest: Digest,
    /// The signature algorithm; absent when unsigned.
    pub alg: Option<String>,
    /// The ID of the signing key; absent when unsigned.
    pub kid: Option<String>,
}

const fn directory(claim: Claim) -> Option<&'static str> {
    match claim {
        Claim::Receipt => Some("receipt"),
        Claim::PolicySnapshot => Some("policy"),
        Claim::ChainProofs => Some("chain"),
        Claim::TransparencyProof => Some("transparency"),
        Claim::TrustRoots => Some("trust"),
        Claim::Canonicalisation => Some("canonicalisation"),
        Claim::Evidence => Some("evidence"),
        Claim::ApprovalLineage => Some("approval"),
        Claim::Manifest => None,
        Claim::Evaluation => Some("evaluation"),
    }
}

/// Returns the claim of the file `path`, determined by its first directory.
pub fn claim_of(path: &str) -> Option<Claim> {
    let (first, _) = path.split_once('/')?;
    Claim::ALL.into_iter().find(|claim| directory(*claim) == Some(first))
}

/// Returns the digest of one claim of the manifest.
pub fn claim_digest(claim: &str, files: &[FileEntry]) -> Digest {
    ObjectBuilder::with_schema("service-bundle-claim/v1")
        .member("claim", claim)
        .member("files", files.iter().map(FileEntry::part).collect::<Vec<_>>())
        .canonical()
        .digest
}

/// Returns the digest over the digests of the claims.
pub fn claims_digest<'a>(claims: impl IntoIterator<Item = (&'a str, Digest)>) -> Digest {
    let claims: ObjectBuilder<'_> =
        claims.into_iter().map(|(name, digest)| (name, JsonPart::from(digest))).collect();
    ObjectBuilder::with_schema("service-bundle-claims/v1")
        .member("claims", claims)
        .canonical()
        .digest
}

/// Creates the manifest of `files`.
///
/// # Errors
/// Returns an error if a file belongs to no claim.
pub fn manifest(
    files: &Files,
    subject: &Subject,
    kid: Option<&str>,
) -> Result<CanonicalJson, BundleFileError> {
    let mut claims: BTreeMap<&str, Vec<FileEntry>> =
        Claim::NAMES.map(|name| (name, Vec::new())).into();
    let mut informational = Vec::new();
    for (path, bytes) in files.iter() {
        if INFORMATIONAL.contains(&path) {
            informational.push(JsonPart::from(path));
        } else if !matches!(path, path::MANIFEST | path::MANIFEST_ENVELOPE) {
            let claim = claim_of(path).and_then(|claim| claims.get_mut(claim.as_str()));
            let claim = claim.ok_or_else(|| BundleFileError::NoClaim(path.to_owned()))?;
            claim.push(FileEntry::new(path, bytes));
        }
    }
    let digests = claims.iter().map(|(name, files)| (*name, claim_digest(name, files)));
    let digests: BTreeMap<_, _> = digests.collect();
    let entries = claims.iter().map(|(name, files)| {
        let files: Vec<_> = files.iter().map(FileEntry::part).collect();
        let entry = ObjectBuilder::default().optional("digest", digests.get(name).copied());
        (*name, JsonPart::from(entry.member("files", files)))
    });
    Ok(ObjectBuilder::with_schema(SCHEMA)
        .member("kind", subject.kind())
        .member("subject", subject.members())
        .member("claims", entries.collect::<ObjectBuilder<'_>>())
        .member("informational", informational)
        .member("manifest_digest", claims_digest(digests.iter().map(|(name, d)| (*name, *d))))
        .optional("alg", kid.map(|_| ALGORITHM))
        .optional("kid", kid)
        .canonical())
}

members! { FileEntry { path, sha256, size } }

impl FileEntry {
    /// Creates the entry of a file.
    pub fn new(path: &str, bytes: &[u8]) -> Self {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Self { path: path.to_owned(), sha256: Digest::compute(bytes), size }
    }
}

impl Manifest {
    /// Parses a manifest without comparing it with the files.
    ///
    /// # Errors
    /// Returns the member that is missing or malformed.
    pub fn read(value: &Value) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::with_schema(value, SCHEMA)?;
        let claims =
            fields.value("claims")?.as_object().ok_or(ParseFieldError::Member("claims"))?;
        let claim = |(name, value)| {
            let fields = SignedObjectReader::new(value, "claims")?;
            let files = Member::read_from(fields, "files")?;
            Ok((String::from(name), ClaimFiles { digest: fields.member("digest")?, files }))
        };
        Ok(Self {
            subject: Subject::read(fields.text("kind")?, fields.object("subject")?)?,
            claims: claims.iter().map(claim).collect::<Result<_, ParseFieldError>>()?,
            informational: fields.member("informational")?,
            manifest_digest: fields.member("manifest_digest")?,
            alg: fields.member("alg")?,
            kid: fields.member("kid")?,
        })
    }
}
