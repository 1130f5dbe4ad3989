//! Data of the comparison of two versions.

use contract::id::{PolicyId, TenantId};
use governance::{Cx, authoring::policy};

use super::view::{ComparePage, Layout, comparisons};
use crate::{
    comment::load as comment_load,
    problem::Problem,
    request::{self, into_problem},
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
    let (mut version, stages) = versions::read_with_stages(cx, id, number).await?;
    if version.rules.is_paged() {
        // The page of the version contains the bytes.
        version.canonical.clear();
    }
    let stored = request::version(cx, id, number).await?;
    let diff = into_problem(policy::version::diff(cx, id, number, base).await)?;
    let rules = stored.rules.as_deref().unwrap_or_default();
    let compared = comparisons(&diff, rules);
    let differs = |code: &str| compared.iter().any(|rule| rule.code == code);
    let same = rules.iter().filter(|rule| !differs(&rule.code));
    let same = same.map(|rule| (rule.code.clone(), rule.name.clone())).collect();
    let label = |(number, stage)| (number, verdict::stage(stage).to_owned());
    let own = url::compare(tenant, id, number);
    let own = url::with_query(&own, &[("against", against), ("layout", layout.word())]);
    Ok(ComparePage {
        discussion: comment_load::discussion(cx, &version, own).await?,
        against: diff.against,
        versions: stages.into_iter().map(label).collect(),
        rules: compared,
        same,
        submissions: versions::submissions(cx, id, number).await?,
        layout,
        version,
    })
}
