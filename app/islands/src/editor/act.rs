//! The draft editor: saving rules, trying them, and editing all rules as JSON.

use leptos::prelude::server;

use super::view::{EditorTarget, SampleResult, SaveResult, rule::RuleForm};
use crate::prelude::*;

/// Saves a rule in its draft, or performs the action of the pressed button. A form sent without scripts is
/// redirected to the page, which shows the result.
#[server(prefix = "/console", endpoint = "save-rule", output = JsonCodec)]
pub async fn save_rule(
    place: EditorTarget,
    #[server(default)] rule: RuleForm,
    #[server(default)] sample: String,
) -> Result<SaveResult, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(place.tenant).await?;
    if request::wants_page() {
        return sources::post_rule(&cx, place, rule, sample).await;
    }
    sources::save(&cx, &place, &rule).await
}

/// Evaluates the sample with the draft, including the rule as entered. Writes nothing.
#[server(prefix = "/console", endpoint = "try-draft", output = JsonCodec)]
pub async fn try_draft(
    place: EditorTarget,
    #[server(default)] rule: RuleForm,
    #[server(default)] sample: String,
) -> Result<SampleResult, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(place.tenant).await?;
    sources::dry_run(&cx, &place, &rule, &sample).await
}

/// Returns a sample from a recorded decision, or with the fields of the draft's rules.
#[server(prefix = "/console", endpoint = "make-sample", output = JsonCodec)]
pub async fn make_sample(
    place: EditorTarget,
    #[server(default)] rule: RuleForm,
) -> Result<String, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(place.tenant).await?;
    sources::make_sample(&cx, &place, &rule).await
}

/// Replaces all rules of the draft with those of a JSON text, and redirects to the page.
#[server(prefix = "/console", endpoint = "save-rules", output = JsonCodec)]
pub async fn save_rules(
    place: EditorTarget,
    #[server(default)] text: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(place.tenant).await?;
    sources::post_json(&cx, place, text).await
}

/// Sets the change reason of the version, and redirects to the page.
#[server(prefix = "/console", endpoint = "save-change-reason", output = JsonCodec)]
pub async fn save_change_reason(
    place: EditorTarget,
    #[server(default)] text: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(place.tenant).await?;
    sources::post_reason(&cx, place, text).await
}

/// Opens a draft with the rules of the version `based_on` (0 means no rules), and redirects to it. If a draft
/// is already open, redirects to that draft.
#[server(prefix = "/console", endpoint = "open-draft", output = JsonCodec)]
pub async fn open_draft(tenant: TenantId, policy: PolicyId, based_on: u32) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let version = sources::open_version(&cx, policy, based_on).await?;
    request::redirect(&crate::text::url::edit_version(tenant, policy, version));
    Ok(())
}
