//! Keys of the trust registry.

use contract::{id::TenantId, json::Value, time::Timestamp};

use crate::{
    canonical_json::{JsonPart, ObjectBuilder},
    key::PublicKey,
    members::Member,
    object_reader::{ParseFieldError, SignedObjectReader},
};

/// A key with its purposes, status and validity period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryKey {
    /// The public key. Its thumbprint is the key ID.
    pub key: PublicKey,
    /// The purposes that it may sign for; see [`PayloadType`](crate::key::PayloadType).
    pub purposes: Vec<String>,
    /// The tenants that it may sign for; absent means all tenants.
    pub tenant_ids: Option<Vec<TenantId>>,
    /// Other IDs of this key in receipts of version 1.
    pub legacy_kids: Vec<String>,
    /// The status of the key.
    pub status: KeyStatus,
    /// The start of the validity period.
    pub valid_from: Timestamp,
    /// The end of the validity period, inclusive.
    pub valid_until: Option<Timestamp>,
}

/// The status of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyStatus {
    /// The key signs new statements.
    Active,
    /// The key no longer signs; its earlier signatures remain valid.
    Retired,
    /// The key is not trusted.
    Revoked {
        /// The time of revocation.
        revoked_at: Timestamp,
        /// The reason for the revocation.
        reason: Option<String>,
        /// The time from which the key may have been compromised.
        compromised_since: Option<Timestamp>,
    },
}

impl KeyStatus {
    const fn as_str(&self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Retired => "retired",
            Self::Revoked { .. } => "revoked",
        }
    }

    /// Returns whether the key is revoked.
    pub const fn is_revoked(&self) -> bool {
        matches!(self, Self::Revoked { .. })
    }

    fn read(fields: SignedObjectReader<'_>) -> Result<Self, ParseFieldError> {
        match fields.text("status")? {
            "active" => Ok(Self::Active),
            "retired" => Ok(Self::Retired),
            "revoked" => Ok(Self::Revoked {
                revoked_at: fields.member("revoked_at")?,
                reason: fields.member("revocation_reason")?,
                compromised_since: fields.member("compromised_since")?,
            }),
            _ => Err(ParseFieldError::Member("status")),
        }
    }
}

impl RegistryKey {
    /// Returns the thumbprint.
    pub fn kid(&self) -> &str {
        self.key.kid()
    }

    /// Returns whether the key may sign for `purpose`.
    pub fn has_purpose(&self, purpose: &str) -> bool {
        self.purposes.iter().any(|listed| listed == purpose)
    }
}

impl Member<'_> for RegistryKey {
    fn part(&self) -> JsonPart<'_> {
        let legacy_kids = Some(&self.legacy_kids).filter(|kids| !kids.is_empty());
        let members = ObjectBuilder::default()
            .member("kid", self.kid())
            .member("jwk", JsonPart::Json(self.key.jwk()))
            .member("purposes", self.purposes.part())
            .optional("tenant_ids", self.tenant_ids.as_ref().map(Member::part))
            .optional("legacy_kids", legacy_kids.map(Member::part))
            .member("status", self.status.as_str())
            .member("valid_from", self.valid_from.to_string())
            .member("valid_until", self.valid_until.part());
        match &self.status {
            KeyStatus::Active | KeyStatus::Retired => members,
            KeyStatus::Revoked { revoked_at, reason, compromised_since } => members
                .member("revoked_at", revoked_at.to_string())
                .optional("revocation_reason", reason.as_deref())
                .optional("compromised_since", compromised_since.map(|at| at.to_string())),
        }
        .into()
    }

    fn read(value: &Value, name: &'static str) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::new(value, name)?;
        let key = PublicKey::from_jwk(fields.value("jwk")?);
        let key = key.ok().filter(|key| Some(key.kid()) == fields.text("kid").ok());
        let valid_until = match fields.value("valid_until")? {
            Value::Null => None,
            _ => Some(fields.member("valid_until")?),
        };
        let tenant_ids = Member::read_from(fields, "tenant_ids")?;
        let legacy: Option<_> = Member::read_from(fields, "legacy_kids")?;
        Ok(Self {
            key: key.ok_or(ParseFieldError::Member("jwk"))?,
            purposes: fields.member("purposes")?,
            tenant_ids,
            legacy_kids: legacy.unwrap_or_default(),
            status: KeyStatus::read(fields)?,
            valid_from: fields.member("valid_from")?,
            valid_until,
        })
    }
}
