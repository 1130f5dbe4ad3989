//! Logs and witnesses of the registry.

use contract::{json::Value, time::Timestamp};

use crate::{
    canon::{Members, Part},
    fields::{Fields, Malformed},
    log::{Vkey, VkeyKind, tree_id},
};

/// A log that checkpoints may come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryLog {
    /// The key of its checkpoints; its name is the origin.
    pub vkey: Vkey,
    /// Who runs it.
    pub operator: String,
    /// Where it can be read.
    pub url: Option<String>,
    /// From when it was in use.
    pub valid_from: Timestamp,
    /// Until when.
    pub valid_until: Option<Timestamp>,
    /// The last checkpoint of a frozen log.
    pub final_checkpoint: Option<String>,
}

impl RegistryLog {
    pub(super) fn part(&self) -> Part<'_> {
        Members::default()
            .with("origin", self.vkey.name())
            .with("vkey", self.vkey.to_string())
            .with("tree_id", tree_id(self.vkey.name()))
            .with("operator", self.operator.as_str())
            .maybe("url", self.url.as_deref())
            .with("valid_from", self.valid_from.to_string())
            .maybe("valid_until", self.valid_until.map(|until| until.to_string()))
            .maybe("final_checkpoint", self.final_checkpoint.as_deref())
            .into()
    }

    pub(super) fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of(value, "logs")?;
        let vkey = vkey(fields, fields.text("origin")?, VkeyKind::Note)?;
        if fields.text("tree_id")? != tree_id(vkey.name()) {
            return Err(Malformed::Member("tree_id"));
        }
        Ok(Self {
            vkey,
            operator: fields.text("operator")?.to_owned(),
            url: fields.maybe_text("url")?.map(str::to_owned),
            valid_from: fields.exact("valid_from")?,
            valid_until: fields.maybe("valid_until")?,
            final_checkpoint: fields.maybe_text("final_checkpoint")?.map(str::to_owned),
        })
    }
}

/// A witness that cosigns checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryWitness {
    /// The key of its cosignatures.
    pub vkey: Vkey,
    /// Who runs it.
    pub operator: String,
}

impl RegistryWitness {
    pub(super) fn part(&self) -> Part<'_> {
        Members::default()
            .with("name", self.vkey.name())
            .with("vkey", self.vkey.to_string())
            .with("operator", self.operator.as_str())
            .into()
    }

    pub(super) fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of(value, "witnesses")?;
        Ok(Self {
            vkey: vkey(fields, fields.text("name")?, VkeyKind::Cosignature)?,
            operator: fields.text("operator")?.to_owned(),
        })
    }
}

fn vkey(fields: Fields<'_>, name: &str, kind: VkeyKind) -> Result<Vkey, Malformed> {
    let vkey: Vkey = fields.exact("vkey")?;
    let fits = vkey.name() == name && vkey.kind() == kind;
    if fits { Ok(vkey) } else { Err(Malformed::Member("vkey")) }
}
