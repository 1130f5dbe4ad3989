//! The change of one setting: its preview with the reason, and the action.

use contract::{
    api_key::ApiKey,
    settings::{Settings, SettingsPatch},
};
use governance::authoring::{
    policy::version::OpenVersion,
    settings::{self, ChangePreview},
};
use page_kit::{prelude::*, text::setting::Setting};

/// Renders the change in the address with its consequences and the form that confirms it, or nothing if it is invalid.
pub(super) async fn card(
    cx: &Cx,
    tenant: TenantId,
    current: &Settings,
) -> Result<Option<AnyView>, Problem> {
    let (setting, to) = (Setting::from_name(&page::query("change")), page::query("to"));
    let Some((setting, patch)) = setting.and_then(|own| Some((own, own.patch(&to)?))) else {
        return Ok(None);
    };
    let preview = settings::preview(cx, &patch).await?;
    let page = url::change_setting(tenant, setting.as_str(), &to);
    let rejected = request::take_rejected(&page).await;
    let before = setting.value(current);
    let after = setting.choice_label(&to);
    let confirmation = if before == to {
        any_view! { <p>"Already set to this value."</p> }
    } else {
        any_view! {
            {effect(tenant, setting, preview)}
            {change_form(tenant, setting, before, to, rejected)}
        }
    };
    let card = view! {
        <section class="card stack" aria-labelledby="change">
            <h2 id="change">{format!("Change: {}", setting.label())}</h2>
            <dl class="facts">
                {fact("Before", setting.choice_label(before))}
                {fact("After", view! { <strong>{after}</strong> })}
            </dl>
            {confirmation}
        </section>
    };
    Ok(Some(card.into_any()))
}

/// Renders the consequences: what a weakened safeguard no longer prevents, the affected versions, the alert, and the API
/// keys that the setting restricts.
fn effect(tenant: TenantId, setting: Setting, preview: ChangePreview) -> AnyView {
    let ChangePreview { alert, versions, keys } = preview;
    let weakening = alert.map(|severity| {
        let waiting = waiting(setting, versions.len());
        let severity = verdict::severity(severity);
        let alert = format!("This change creates an alert with the severity {severity}.");
        let version = |OpenVersion { policy, name, version, .. }: OpenVersion| {
            view! {
                <li>
                    <a href=url::version(tenant, policy, version)>
                        <bdi>{name}</bdi>
                        " v"
                        {version}
                    </a>
                </li>
            }
        };
        let paragraphs = view! {
            <p class="font-semibold">{setting.weakening()} " " {waiting}</p>
            <ul class="plain-list">{versions.into_iter().map(version).collect_view()}</ul>
            <p>{alert}</p>
        };
        long_note(Tone::Warn, None, paragraphs)
    });
    let keys = (setting == Setting::HumanChangesOnly).then(|| restricted_keys(tenant, keys));
    any_view! {
        {weakening}
        {keys}
    }
}

fn restricted_keys(tenant: TenantId, keys: Vec<ApiKey>) -> AnyView {
    if keys.is_empty() {
        return any_view! { <p class="text-muted">"No API key has the scope policies:write."</p> };
    }
    let key = |key: ApiKey| {
        view! {
            <li>
                <bdi class="font-semibold">{key.name}</bdi>
                " "
                <span class="font-mono text-muted">{key.key_preview}</span>
            </li>
        }
    };
    any_view! {
        <p>"This setting applies to these API keys: " <a href=url::keys(tenant)>"API keys"</a></p>
        <ul class="plain-list">{keys.into_iter().map(key).collect_view()}</ul>
    }
}

/// Renders the form that changes a setting. `rejected` has the reason that the user entered.
fn change_form(
    tenant: TenantId,
    setting: Setting,
    before: &'static str,
    value: String,
    rejected: Option<RejectedForm>,
) -> AnyView {
    let (problem, reason) = rejected.map(|rejected| (rejected.problem, rejected.text)).unzip();
    any_view! {
        <form method="post" action=ChangeSetting::url() class="stack" data-once="">
            {problem.map(problem_note)}
            <input type="hidden" name="form[tenant]" value=tenant.to_string() />
            <input type="hidden" name="form[setting]" value=setting.as_str() />
            <input type="hidden" name="form[before]" value=before />
            <input type="hidden" name="form[value]" value=value />
            <TextArea
                label="Reason"
                hint="The audit log stores only a digest of this reason. Keep a copy."
                name="form[reason]"
                id="reason".to_owned()
                value=reason.unwrap_or_default()
                maxlength=500
                required=true
            />
            {submit_or_cancel("Save change", url::settings(tenant))}
        </form>
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct ChangeForm {
    tenant: TenantId,
    setting: Setting,
    /// The value that the user has seen.
    before: String,
    value: String,
    #[serde(default)]
    reason: String,
}

impl ChangeForm {
    /// Returns the change and its reason.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` for an invalid value or a missing reason.
    fn patch(&self) -> Result<(SettingsPatch, &str), Problem> {
        let reason = self.reason.trim();
        let patch = self.setting.patch(&self.value);
        let patch = patch.filter(|_| (1..=500).contains(&reason.chars().count()));
        let rejected = || Problem::of_form("Reason: enter 1 to 500 characters.");
        patch.map(|patch| (patch, reason)).ok_or_else(rejected)
    }

    /// Returns the value that the user has seen.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` for an invalid value.
    fn read(&self) -> Result<SettingsPatch, Problem> {
        self.setting.patch(&self.before).ok_or_else(|| Problem::of_form(UNREADABLE))
    }
}

/// Changes one setting and redirects to the page.
#[server(prefix = "/console", endpoint = "change-setting", output = JsonCodec)]
async fn change_setting(form: ChangeForm) -> Result<(), Problem> {
    let cx = request::human(form.tenant).await?;
    let page = url::change_setting(form.tenant, form.setting.as_str(), &form.value);
    request::act(&page, form.reason.clone(), async {
        let (patch, reason) = form.patch()?;
        settings::change(&cx, patch, Some(reason), Some(&form.read()?)).await?;
        Ok(url::settings(form.tenant))
    })
    .await
}

/// Returns the number of versions that the setting protects, for example "2 versions are waiting for review."; `None` if it
/// protects no versions.
pub(super) fn waiting(setting: Setting, versions: usize) -> Option<String> {
    let step = match setting {
        Setting::MakerCheckerEnabled => "ratification",
        Setting::ReviewRequired => "review",
        _ => return None,
    };
    Some(match versions {
        0 => format!("No versions are waiting for {step}."),
        1 => format!("1 version is waiting for {step}."),
        more => format!("{} are waiting for {step}.", count(more, "version", "versions")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_affected_versions_are_counted() {
        let texts = [0, 1, 2].map(|number| waiting(Setting::MakerCheckerEnabled, number).unwrap());
        let expected = [
            "No versions are waiting for ratification.",
            "1 version is waiting for ratification.",
            "2 versions are waiting for ratification.",
        ];
        assert_eq!(texts, expected);
    }
}
