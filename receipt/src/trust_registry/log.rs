//! Transparency logs and witnesses of the trust registry.

use contract::{json::Value, time::Timestamp};

use crate::{
    canonical_json::{JsonPart, ObjectBuilder},
    members::Member,
    object_reader::{ParseFieldError, SignedObjectReader},
    transparency_log::{Vkey, VkeyKind, tree_id},
};

/// A transparency log whose checkpoints are trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryLog {
    /// The verifier key of its checkpoints, whose name is the origin.
    pub vkey: Vkey,
    /// The operator of the log.
    pub operator: String,
    /// The URL of the log.
    pub url: Option<String>,
    /// The start of its period of use.
    pub valid_from: Timestamp,
    /// The end of its period of use.
    pub valid_until: Option<Timestamp>,
    /// The last checkpoint, if the log is frozen.
    pub final_checkpoint: Option<String>,
}

impl Member<'_> for RegistryLog {
    fn part(&self) -> JsonPart<'_> {
        ObjectBuilder::default()
            .member("origin", self.vkey.name())
            .member("vkey", self.vkey.to_string())
            .member("tree_id", tree_id(self.vkey.name()))
            .member("operator", self.operator.as_str())
            .optional("url", self.url.as_deref())
            .member("valid_from", self.valid_from.to_string())
            .optional("valid_until", self.valid_until.map(|until| until.to_string()))
            .optional("final_checkpoint", self.final_checkpoint.as_deref())
            .into()
    }

    fn read(value: &Value, name: &'static str) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::new(value, name)?;
        let vkey = parse_vkey(fields, fields.text("origin")?, VkeyKind::Note)?;
        if fields.text("tree_id")? != tree_id(vkey.name()) {
            return Err(ParseFieldError::Member("tree_id"));
        }
        Ok(Self {
            vkey,
            operator: fields.text("operator")?.to_owned(),
            url: fields.member("url")?,
            valid_from: fields.member("valid_from")?,
            valid_until: fields.member("valid_until")?,
            final_checkpoint: fields.member("final_checkpoint")?,
        })
    }
}

/// A witness that cosigns checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryWitness {
    /// The verifier key of its cosignatures.
    pub vkey: Vkey,
    /// The operator of the witness.
    pub operator: String,
}

impl Member<'_> for RegistryWitness {
    fn part(&self) -> JsonPart<'_> {
        ObjectBuilder::default()
            .member("name", self.vkey.name())
            .member("vkey", self.vkey.to_string())
            .member("operator", self.operator.as_str())
            .into()
    }

    fn read(value: &Value, name: &'static str) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::new(value, name)?;
        Ok(Self {
            vkey: parse_vkey(fields, fields.text("name")?, VkeyKind::Cosignature)?,
            operator: fields.text("operator")?.to_owned(),
        })
    }
}

fn parse_vkey(
    fields: SignedObjectReader<'_>,
    name: &str,
    kind: VkeyKind,
) -> Result<Vkey, ParseFieldError> {
    let vkey: Vkey = fields.member("vkey")?;
    let matches = vkey.name() == name && vkey.kind() == kind;
    if matches { Ok(vkey) } else { Err(ParseFieldError::Member("vkey")) }
}
