//! The service's own verification of a bundle, with the keys that it publishes.

use governance::{
    Error,
    bundle::{self, BundleSource},
    proof::trust_registry,
};
use islands::verify::view::OwnCheck;
use page_kit::{
    prelude::*,
    request::{correlation_id, governance, to_problem},
};
use verify::{Options, Trust, TrustDocument, summary, verify};

pub(crate) async fn own_check(id: DecisionId) -> Result<OwnCheck, Problem> {
    let governance = governance();
    let cx = governance.public(correlation_id());
    // Without a registry nothing is trusted, and the report contains that result.
    let document = unless_rejected(trust_registry::trust_document(&governance).await)?;
    let document = document.map(|document| TrustDocument::read(document.to_canonical().as_bytes()));
    let trust = document.and_then(|document| Trust::new(document.ok()?).ok());
    let options = Options { now: Some(cx.now), ..Options::default() };
    let check = move |archive: &[u8]| {
        let report = verify(archive, &trust.unwrap_or_default(), &options).to_line();
        (report, summary(archive).as_ref().map(Value::to_canonical))
    };
    let Some((report, stated)) =
        unless_rejected(bundle::check(&cx, BundleSource::Decision(id), check).await)?
    else {
        return Ok(OwnCheck::Missing);
    };
    let report = serde_json::from_str(&report);
    let report = report.map_err(|error| to_problem(&Error::Bug(error.into())))?;
    let stated = stated.and_then(|stated| serde_json::from_str(&stated).ok());
    Ok(OwnCheck::Checked(report, stated))
}

/// Returns the value, or `None` if the request was rejected, for example because the resource does not exist.
fn unless_rejected<T>(result: governance::Result<T>) -> Result<Option<T>, Problem> {
    match result {
        Ok(result) => Ok(Some(result)),
        Err(Error::Refused(_)) => Ok(None),
        Err(error) => Err(to_problem(&error)),
    }
}
