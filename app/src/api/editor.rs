//! Writing a draft: its page, saving a rule, trying the rules, and all of them as JSON.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::editor::{EditorPage, Place, Saved, Trial, rule::RuleForm},
};

/// The page of a draft with the rule `rule` open, or with all rules as JSON when `look` says so; a
/// new rule starts as a copy of the rule `from`.
#[server(prefix = "/console", endpoint = "editor", output = Answer)]
pub(crate) async fn read_editor(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    rule: String,
    from: String,
    look: String,
) -> Result<EditorPage, Problem> {
    use super::ssr::{self, editor as sources};
    let cx = ssr::human(tenant).await?;
    let asked = sources::Asked { rule, from, look };
    sources::page(&cx, (tenant, policy, version), asked).await
}

/// Puts a rule into its draft, or does what the pressed button says. A plain form is led back to the
/// page, which then shows how it went.
#[server(prefix = "/console", endpoint = "save-rule", output = Answer)]
pub(crate) async fn save_rule(
    place: Place,
    #[server(default)] rule: RuleForm,
    #[server(default)] sample: String,
) -> Result<Saved, Problem> {
    use super::ssr::{self, editor as sources};
    let cx = ssr::human(place.tenant).await?;
    if ssr::wants_page() {
        return sources::posted(&cx, place, rule, sample).await;
    }
    sources::save(&cx, &place, &rule).await
}

/// What the draft would decide on the sample, with the rule as it was typed. Nothing is written.
#[server(prefix = "/console", endpoint = "try-draft", output = Answer)]
pub(crate) async fn try_draft(
    place: Place,
    #[server(default)] rule: RuleForm,
    #[server(default)] sample: String,
) -> Result<Trial, Problem> {
    use super::ssr::{self, editor as sources};
    let cx = ssr::human(place.tenant).await?;
    sources::trial(&cx, &place, &rule, &sample).await
}

/// Puts all rules into the draft as they stand in a JSON text, and leads back to the page.
#[server(prefix = "/console", endpoint = "save-rules", output = Answer)]
pub(crate) async fn save_rules(
    place: Place,
    #[server(default)] text: String,
) -> Result<(), Problem> {
    use super::ssr::{self, editor as sources};
    let cx = ssr::human(place.tenant).await?;
    sources::post_json(&cx, place, text).await
}

/// Says why the version is made, and leads back to the page.
#[server(prefix = "/console", endpoint = "save-change-reason", output = Answer)]
pub(crate) async fn save_change_reason(
    place: Place,
    #[server(default)] text: String,
) -> Result<(), Problem> {
    use super::ssr::{self, editor as sources};
    let cx = ssr::human(place.tenant).await?;
    sources::post_reason(&cx, place, text).await
}

/// Opens a draft with the rules of the version `based_on`, 0 for none, and leads to it. Where a draft
/// is open already, leads to that one.
#[server(prefix = "/console", endpoint = "open-draft", output = Answer)]
pub(crate) async fn open_draft(
    tenant: TenantId,
    policy: PolicyId,
    based_on: u32,
) -> Result<(), Problem> {
    use super::ssr::{self, editor as sources};
    let cx = ssr::human(tenant).await?;
    let version = sources::open_version(&cx, policy, based_on).await?;
    ssr::go(&crate::text::url::edit_version(tenant, policy, version));
    Ok(())
}
