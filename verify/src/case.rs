//! One receipt of a bundle, with what it is bound to.

use contract::json::Value;
use receipt::{
    Canonical, Digest,
    bundle::{Files, path::Place},
    fields::{Fields, Malformed},
    statement::{ReceiptStatement, receipt_v1},
};

use crate::{bundle::json, code::Code};

/// A receipt of a bundle. Nothing of it is believed yet.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) place: Place,
    /// `receipt.json`.
    pub(crate) view: Result<Value, Code>,
    /// `statement.json`.
    pub(crate) statement_file: Result<Value, Code>,
    /// `integrity.json`.
    pub(crate) integrity: Result<Value, Code>,
}

/// Which format a receipt has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// Without a statement.
    First,
    /// With one.
    Second,
    /// One that is not known here.
    Other,
}

/// A statement, and the digest that all else refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound<'a> {
    pub(crate) value: &'a Value,
    pub(crate) statement: ReceiptStatement<'a>,
    pub(crate) digest: Digest,
}

impl Case {
    pub(crate) fn read(files: &Files, place: Place) -> Self {
        Self {
            place,
            view: json(files, &place.receipt()),
            statement_file: json(files, &place.statement()),
            integrity: json(files, &place.integrity()),
        }
    }

    pub(crate) fn version(&self) -> Result<Version, Code> {
        let view = self.view.as_ref().map_err(|code| *code)?;
        let number = |number: &Value| number.as_f64().map(f64::to_bits);
        match view.get("receipt_schema_version") {
            None => Ok(Version::First),
            Some(version) if number(version) == Some(1_f64.to_bits()) => Ok(Version::First),
            Some(version) if number(version) == Some(2_f64.to_bits()) => Ok(Version::Second),
            Some(_) => Ok(Version::Other),
        }
    }

    /// The statement, whatever it is worth.
    ///
    /// # Errors
    /// Why what needs a statement cannot be decided.
    pub(crate) fn bound(&self) -> Result<Bound<'_>, Code> {
        match self.version() {
            Ok(Version::First) => return Err(Code::NotBoundByV1),
            Ok(Version::Other) => return Err(Code::NotEvaluated),
            Ok(Version::Second) | Err(_) => {}
        }
        let inside = || self.view.as_ref().ok().and_then(|view| view.get("statement"));
        let value = self.statement_file.as_ref().ok().or_else(inside).ok_or(Code::NoStatement)?;
        let statement = ReceiptStatement::read(value).map_err(|fault| match fault {
            Malformed::Schema => Code::SchemaMismatch,
            Malformed::Member(_) => Code::NoStatement,
        })?;
        Ok(Bound { value, statement, digest: Canonical::of(value).digest })
    }

    /// What the log, the links and the manifest know the receipt by.
    pub(crate) fn receipt_digest(&self) -> Result<Digest, Code> {
        match self.version() {
            Ok(Version::First) => self.integrity_hash_v1().map(|hash| receipt_v1(hash).digest),
            _ => self.bound().map(|bound| bound.digest),
        }
    }

    /// The hash that a receipt of version 1 signs.
    pub(crate) fn integrity_hash_v1(&self) -> Result<Digest, Code> {
        let view = self.view.as_ref().map_err(|code| *code)?;
        let hash = Fields::of(view, "receipt")
            .and_then(|view| view.object("result"))
            .and_then(|result| result.exact("integrity_hash"));
        hash.map_err(|_| Code::NoStatement)
    }

    /// `integrity.json`, when it is the one that the statement names.
    pub(crate) fn bound_integrity(&self, bound: &Bound<'_>) -> Option<&Value> {
        let integrity = self.integrity.as_ref().ok()?;
        let named = Canonical::of(integrity).digest == bound.statement.integrity_hash;
        named.then_some(integrity)
    }

    /// A digest that the preimage has, or else the receipt's view.
    pub(crate) fn integrity_digest(&self, bound: &Bound<'_>, name: &'static str) -> Option<Digest> {
        let in_view = || {
            let view = self.view.as_ref().ok()?;
            view.get(name).or_else(|| view.get("result")?.get(name))
        };
        let value = match self.bound_integrity(bound) {
            Some(integrity) => integrity.get(name),
            None => in_view(),
        };
        value?.as_str().and_then(receipt::fields::exact)
    }
}
