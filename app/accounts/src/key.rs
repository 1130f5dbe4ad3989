//! API keys: the list, and the page that revokes one; `form` creates a key.

mod form;

use contract::{api_key::ApiKey, scope::Scope};
use governance::access::api_key;
use page_kit::{prelude::*, ui::code::dotted};

pub use self::form::{KeyForm, SCOPES_HELP, scope_groups};

/// `/t/{tenant}/keys`
pub async fn keys() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let keys = api_key::list(&cx, &page_at(page::query("cursor"))).await?;
    let names = &request::directory(&cx).await?.names;
    let path = url::keys(tenant);
    let secret = take_created(&path).map(|secret| {
        view! {
            <OneTimeSecretBox
                title=format!("API key {} created.", isolated(&secret.name))
                secret=secret.secret
                what="API key"
                note="Copy the key now. It will not be shown again."
                page=path.clone()
                done="I have copied it"
            />
        }
    });
    let table = Table::new("API keys")
        .column("Key", |key: &ApiKey| {
            view! {
                <bdi class="font-semibold">{key.name.clone()}</bdi>
                <span class="font-mono text-muted whitespace-nowrap">
                    {key.key_preview.clone()}
                </span>
            }
        })
        .column("Scopes", |key| scopes(&key.scopes))
        .column("Status", |key| {
            let revoked =
                key.revoked_at.map(|at| attribution(known(key.revoked_by.clone(), names), at));
            view! {
                {state_badge(KeyState::of(key, cx.now))}
                {revoked}
            }
        })
        .column("Expires (UTC)", |key| time_or(key.expires_at, "Never"))
        .column("Last used", |key| last_used(key.last_used_at))
        .column("Created (UTC)", |key| {
            attribution(known(key.created_by.clone(), names), key.created_at)
        })
        .column("Action", |key| {
            let label = format!("Revoke {}", isolated(&key.name));
            key.is_active.then(|| {
                view! {
                    <a class="button" href=url::revoke_key(tenant, key.id) aria-label=label>
                        "Revoke"
                    </a>
                }
            })
        });
    let rejected = take_input(&path).await;
    Ok(any_view! {
        <Heading title="API keys" />
        {secret}
        {form::create_form(tenant, rejected, keys.items.is_empty())}
        {table.or_empty(&keys.items, ["No API keys yet", "Create one for each service."])}
        {older_than(&path, keys.next_cursor)}
    })
}

/// `/t/{tenant}/keys/{key}/revoke`
pub async fn revoke() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("key")?;
    let key = api_key::read(&cx, id).await?;
    let directory = request::directory(&cx).await?;
    let names = &directory.names;
    let rejected = request::take_rejected(&url::revoke_key(tenant, id)).await;
    let content = if key.is_active {
        any_view! {
            <form method="post" action=RevokeKey::url() class="stack">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=id.to_string() />
                <p>"Requests with this key fail immediately. This cannot be undone."</p>
                {submit("danger", "Revoke")}
            </form>
        }
    } else {
        any_view! { <p>"This key is already revoked."</p> }
    };
    let revoked = key
        .revoked_at
        .map(|at| fact("Revoked", attribution(known(key.revoked_by.clone(), names), at)));
    let facts = any_view! {
        <dl class="facts">
            <dt>"Key"</dt>
            <dd class="font-mono">{key.key_preview.clone()}</dd>
            {fact("Scopes", scopes(&key.scopes))}
            {fact("Status", state_badge(KeyState::of(&key, cx.now)))}
            {fact("Expires (UTC)", time_or(key.expires_at, "Never"))}
            {fact("Last used", last_used(key.last_used_at))}
            {fact(
                "Created (UTC)",
                attribution(known(key.created_by.clone(), names), key.created_at),
            )}
            {revoked}
        </dl>
    };
    Ok(any_view! {
        <Panel
            title=format!("Revoke {}", isolated(&key.name))
            problem=rejected.map(|rejected| rejected.problem)
            back=url::keys(tenant)
            back_label="Back to the keys"
        >
            {facts}
            {content}
        </Panel>
    })
}

/// Revokes a key permanently and redirects to the list.
#[server(prefix = "/console", endpoint = "revoke-key", output = JsonCodec)]
async fn revoke_key(tenant: TenantId, id: ApiKeyId) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let revoked = api_key::revoke(&cx, id).await.map_err(Problem::from);
    let page = url::revoke_key(tenant, id);
    request::respond(revoked, &url::keys(tenant), &page, String::new()).await
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyState {
    /// It can authenticate.
    Active,
    Expired,
    Revoked,
}

impl KeyState {
    /// Returns the status of a key at `now`.
    pub(crate) fn of(key: &ApiKey, now: Timestamp) -> Self {
        match key.expires_at {
            _ if !key.is_active => Self::Revoked,
            Some(at) if at <= now => Self::Expired,
            _ => Self::Active,
        }
    }
}

pub(crate) fn state_badge(state: KeyState) -> AnyView {
    let (tone, drawing, label) = match state {
        KeyState::Active => ("allow", Icon::Allow, "Active"),
        KeyState::Expired => ("na", Icon::Wait, "Expired"),
        KeyState::Revoked => ("na", Icon::History, "Revoked"),
    };
    badge(tone, drawing, label)
}

/// Returns whether a key belongs to an authoring capability.
pub(crate) fn is_of_capability(key: &ApiKey) -> bool {
    key.scopes.iter().all(|scope| *scope == Scope::AuthoringCapability)
}

/// Renders up to two scopes as a list, and more scopes collapsed under their number.
pub(crate) fn scopes(scopes: &[Scope]) -> AnyView {
    let names: Vec<_> = scopes.iter().map(|scope| scope.as_str()).collect();
    let list = view! { <span class="font-mono text-xs">{dotted(&names.join(", "))}</span> };
    if scopes.len() <= 2 {
        return list.into_any();
    }
    any_view! {
        <details class="disclosure">
            <summary>{count(scopes.len(), "scope", "scopes")}</summary>
            {list}
        </details>
    }
}

/// Renders how long ago a key was last used.
pub(crate) fn last_used(at: Option<Timestamp>) -> AnyView {
    match at {
        Some(at) => ago(at),
        None => any_view! { <span class="text-muted">"Never used"</span> },
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn revocation_takes_precedence_over_expiry() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let now = at("2026-11-20T10:00:00.000Z");
        let state = |is_active: bool, expires: Option<&str>| {
            let key = ApiKey {
                id: ApiKeyId(Uuid::nil()),
                tenant_id: TenantId(Uuid::nil()),
                name: "billing".into(),
                key_preview: "svc_…abcd".into(),
                scopes: vec![Scope::PoliciesRead],
                expires_at: expires.map(at),
                last_used_at: None,
                is_active,
                created_at: now,
                created_by: None,
                revoked_at: (!is_active).then_some(now),
                revoked_by: None,
            };
            KeyState::of(&key, now)
        };
        assert_eq!(state(true, None), KeyState::Active);
        assert_eq!(state(true, Some("2026-11-20T10:00:00.001Z")), KeyState::Active);
        assert_eq!(state(true, Some("2026-11-20T10:00:00.000Z")), KeyState::Expired);
        assert_eq!(state(false, Some("2026-11-20T10:00:00.000Z")), KeyState::Revoked);
    }
}
