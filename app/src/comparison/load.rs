//! Data of the comparison of two versions.

use contract::id::{PolicyId, TenantId};
use governance::{Cx, authoring::policy::version::VersionProgress};

use super::view::{ComparePage, Layout, comparisons};
use crate::{
    comment::load as comment_load,
    problem::Problem,
    request::{self, directory, into_problem},
    text::{url, verdict},
    version::load as versions,
};

/// Returns the comparison of a version with the version `against`, or with the active version if that is
/// empty.
pub(crate) async fn page(
    cx: &Cx,
    (tenant, id, number): (TenantId, PolicyId, u32),
    against: &str,
    layout: Layout,
) -> Result<ComparePage, Problem> {
    let base = match against {
        "" => None,
        // No version has the number 0.
        number => Some(number.parse().unwrap_or(0)),
    };
    let mut version = versions::read(cx, id, number).await?;
    if version.rules.is_paged() {
        // The page of the version contains the bytes.
        version.canonical.clear();
    }
    let details = request::version(cx, id, number).await?;
    let diff = into_problem(details.diff(cx, base).await)?;
    let rules = details.version.rules.as_deref().unwrap_or_default();
    let compared = comparisons(&diff, rules);
    let differs = |code: &str| compared.iter().any(|rule| rule.code == code);
    let same = rules.iter().filter(|rule| !differs(&rule.code));
    let same = same.map(|rule| (rule.code.clone(), rule.name.clone())).collect();
    let label = |(number, progress): (&u32, &VersionProgress)| {
        (*number, verdict::stage(progress.stage).to_owned())
    };
    let own = url::compare(tenant, id, number);
    let own = url::with_query(&own, &[("against", against), ("layout", layout.word())]);
    Ok(ComparePage {
        discussion: comment_load::discussion(cx, &version, own).await?,
        against: diff.against,
        versions: details.progress.iter().rev().map(label).collect(),
        rules: compared,
        same,
        submissions: versions::submissions(&details, &directory(cx).await?.names),
        layout,
        version,
    })
}
