//! One receipt of a bundle and the statement that binds it.

use contract::json::Value;
use receipt::{
    CanonicalJson, Digest,
    bundle::{Files, path::BundleScope},
    object_reader::{ParseFieldError, SignedObjectReader},
    statement::{ReceiptStatement, receipt_v1},
};

use super::json;
use crate::code::Code;

/// A receipt of a bundle, not yet verified.
#[derive(Debug)]
pub(crate) struct BundledReceipt {
    pub(crate) scope: BundleScope,
    /// `receipt.json`.
    pub(crate) view: Result<Value, Code>,
    /// `statement.json`.
    pub(crate) statement_file: Result<Value, Code>,
    /// `integrity.json`.
    pub(crate) integrity: Result<Value, Code>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReceiptVersion {
    /// Version 1, without a statement.
    First,
    /// Version 2, with a statement.
    Second,
    /// An unknown version.
    Other,
}

/// A statement and its digest, which other objects refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundStatement<'a> {
    pub(crate) value: &'a Value,
    pub(crate) statement: ReceiptStatement<'a>,
    pub(crate) digest: Digest,
}

impl BundledReceipt {
    pub(crate) fn read(files: &Files, scope: BundleScope) -> Self {
        Self {
            scope,
            view: json(files, &scope.receipt()),
            statement_file: json(files, &scope.statement()),
            integrity: json(files, &scope.integrity()),
        }
    }

    pub(crate) fn version(&self) -> Result<ReceiptVersion, Code> {
        let view = self.view.as_ref().map_err(|code| *code)?;
        let bits = |number: &Value| number.as_f64().map(f64::to_bits);
        match view.get("receipt_schema_version") {
            None => Ok(ReceiptVersion::First),
            Some(version) if bits(version) == Some(1_f64.to_bits()) => Ok(ReceiptVersion::First),
            Some(version) if bits(version) == Some(2_f64.to_bits()) => Ok(ReceiptVersion::Second),
            Some(_) => Ok(ReceiptVersion::Other),
        }
    }

    /// Returns the statement, not yet verified.
    ///
    /// # Errors
    /// Returns the code for claims that need a statement.
    pub(crate) fn bound(&self) -> Result<BoundStatement<'_>, Code> {
        match self.version() {
            Ok(ReceiptVersion::First) => return Err(Code::NotBoundByV1),
            Ok(ReceiptVersion::Other) => return Err(Code::NotEvaluated),
            Ok(ReceiptVersion::Second) | Err(_) => {}
        }
        let in_view = || self.view.as_ref().ok().and_then(|view| view.get("statement"));
        let value = self.statement_file.as_ref().ok().or_else(in_view).ok_or(Code::NoStatement)?;
        let statement = ReceiptStatement::read(value).map_err(|error| match error {
            ParseFieldError::Schema => Code::SchemaMismatch,
            ParseFieldError::Member(_) => Code::NoStatement,
        })?;
        Ok(BoundStatement { value, statement, digest: CanonicalJson::from_value(value).digest })
    }

    /// Returns the digest by which the log, the links and the manifest refer to the receipt.
    pub(crate) fn receipt_digest(&self) -> Result<Digest, Code> {
        match self.version() {
            Ok(ReceiptVersion::First) => {
                self.integrity_hash_v1().map(|hash| receipt_v1(hash).digest)
            }
            _ => self.bound().map(|bound| bound.digest),
        }
    }

    /// Returns the hash that a receipt of version 1 signs.
    pub(crate) fn integrity_hash_v1(&self) -> Result<Digest, Code> {
        let view = self.view.as_ref().map_err(|code| *code)?;
        let hash = SignedObjectReader::new(view, "receipt")
            .and_then(|view| view.object("result"))
            .and_then(|result| result.member("integrity_hash"));
        hash.map_err(|_| Code::NoStatement)
    }

    /// Returns `integrity.json` if its digest is the one in the statement.
    pub(crate) fn bound_integrity(&self, bound: &BoundStatement<'_>) -> Option<&Value> {
        let integrity = self.integrity.as_ref().ok()?;
        let is_bound =
            CanonicalJson::from_value(integrity).digest == bound.statement.integrity_hash;
        is_bound.then_some(integrity)
    }

    /// Returns a digest from the preimage or, without a bound preimage, from the receipt view.
    pub(crate) fn integrity_digest(
        &self,
        bound: &BoundStatement<'_>,
        name: &'static str,
    ) -> Option<Digest> {
        let in_view = || {
            let view = self.view.as_ref().ok()?;
            view.get(name).or_else(|| view.get("result")?.get(name))
        };
        let value = match self.bound_integrity(bound) {
            Some(integrity) => integrity.get(name),
            None => in_view(),
        };
        value?.as_str().and_then(receipt::object_reader::parsed)
    }
}
