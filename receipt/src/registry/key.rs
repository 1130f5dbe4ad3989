//! A key of the registry.

use contract::{id::TenantId, json::Value, time::Timestamp};

use crate::{
    canon::{Members, Part},
    fields::{Fields, Malformed},
    key::PublicKey,
};

/// A key, what it is for, and how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryKey {
    /// The key itself, whose thumbprint is the kid.
    pub key: PublicKey,
    /// What it may sign: purposes of [`PayloadType`](crate::key::PayloadType).
    pub purposes: Vec<String>,
    /// Whose statements it may sign; absent: everybody's.
    pub tenant_ids: Option<Vec<TenantId>>,
    /// Names that receipts of version 1 use for it.
    pub legacy_kids: Vec<String>,
    /// How it stands.
    pub status: KeyStatus,
    /// From when its signatures count.
    pub valid_from: Timestamp,
    /// Until when; both ends are included.
    pub valid_until: Option<Timestamp>,
}

/// How a key stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyStatus {
    /// It signs.
    Active,
    /// It signs no more.
    Retired,
    /// It must not be believed any more.
    Revoked {
        /// When it was revoked.
        revoked_at: Timestamp,
        /// Why.
        reason: Option<String>,
        /// From when on others may have had it.
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

    /// Whether it is revoked.
    pub const fn is_revoked(&self) -> bool {
        matches!(self, Self::Revoked { .. })
    }

    fn read(fields: Fields<'_>) -> Result<Self, Malformed> {
        match fields.text("status")? {
            "active" => Ok(Self::Active),
            "retired" => Ok(Self::Retired),
            "revoked" => Ok(Self::Revoked {
                revoked_at: fields.exact("revoked_at")?,
                reason: fields.maybe_text("revocation_reason")?.map(str::to_owned),
                compromised_since: fields.maybe("compromised_since")?,
            }),
            _ => Err(Malformed::Member("status")),
        }
    }
}

impl RegistryKey {
    /// The thumbprint.
    pub fn kid(&self) -> &str {
        self.key.kid()
    }

    /// Whether it may sign for `purpose`.
    pub fn has_purpose(&self, purpose: &str) -> bool {
        self.purposes.iter().any(|own| own == purpose)
    }

    pub(super) fn part(&self) -> Part<'_> {
        let texts = |texts: &'_ [String]| {
            texts.iter().map(|text| Part::from(text.clone())).collect::<Vec<Part<'_>>>()
        };
        let tenants = self.tenant_ids.as_ref().map(|tenants| {
            tenants.iter().map(|tenant| Part::from(tenant.to_string())).collect::<Vec<_>>()
        });
        let until = match self.valid_until {
            Some(until) => Part::from(until.to_string()),
            None => Part::Value(&Value::Null),
        };
        let members = Members::default()
            .with("kid", self.kid())
            .with("jwk", Part::Json(self.key.jwk()))
            .with("purposes", texts(&self.purposes))
            .maybe("tenant_ids", tenants)
            .maybe("legacy_kids", (!self.legacy_kids.is_empty()).then(|| texts(&self.legacy_kids)))
            .with("status", self.status.as_str())
            .with("valid_from", self.valid_from.to_string())
            .with("valid_until", until);
        match &self.status {
            KeyStatus::Active | KeyStatus::Retired => members,
            KeyStatus::Revoked { revoked_at, reason, compromised_since } => members
                .with("revoked_at", revoked_at.to_string())
                .maybe("revocation_reason", reason.as_deref())
                .maybe("compromised_since", compromised_since.map(|at| at.to_string())),
        }
        .into()
    }

    pub(super) fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of(value, "keys")?;
        let key = PublicKey::from_jwk(fields.value("jwk")?);
        let key = key.ok().filter(|key| Some(key.kid()) == fields.text("kid").ok());
        let valid_until = match fields.value("valid_until")? {
            Value::Null => None,
            _ => Some(fields.exact("valid_until")?),
        };
        let has = |name: &str| fields.get(name).is_some();
        let tenant_ids = has("tenant_ids").then(|| fields.exact_list("tenant_ids")).transpose()?;
        let legacy = has("legacy_kids").then(|| fields.exact_list("legacy_kids")).transpose()?;
        Ok(Self {
            key: key.ok_or(Malformed::Member("jwk"))?,
            purposes: fields.exact_list("purposes")?,
            tenant_ids,
            legacy_kids: legacy.unwrap_or_default(),
            status: KeyStatus::read(fields)?,
            valid_from: fields.exact("valid_from")?,
            valid_until,
        })
    }
}
