//! The service's own check of a bundle, with the keys that it publishes.

use contract::id::DecisionId;
use governance::{
    Error,
    bundle::{self, Of},
    trust,
};
use verify::{Options, Trust, TrustDocument, verify};

use super::{correlation_id, governance, refuse};
use crate::{problem::Problem, view::verify::OwnCheck};

/// What the verifier finds of the bundle of a decision.
pub(in crate::api) async fn own_check(id: DecisionId) -> Result<OwnCheck, Problem> {
    let governance = governance();
    let cx = governance.public(correlation_id());
    // Without a registry nothing is trusted, and the result says so.
    let document = there(trust::trust_document(&governance).await)?;
    let document = document.map(|document| TrustDocument::read(document.to_canonical().as_bytes()));
    let trust = document.and_then(|document| Trust::new(document.ok()?).ok());
    let options = Options { now: Some(cx.now), ..Options::default() };
    let check =
        move |archive: &[u8]| verify(archive, &trust.unwrap_or_default(), &options).to_line();
    let Some(report) = there(bundle::check(&cx, Of::Decision(id), check).await)? else {
        return Ok(OwnCheck::Missing);
    };
    let report = serde_json::from_str(&report);
    Ok(OwnCheck::Found(report.map_err(|error| refuse(&Error::Bug(error.into())))?))
}

/// What is there; nothing when it is not, or not to be had.
fn there<T>(found: governance::Result<T>) -> Result<Option<T>, Problem> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::Refused(_)) => Ok(None),
        Err(error) => Err(refuse(&error)),
    }
}
