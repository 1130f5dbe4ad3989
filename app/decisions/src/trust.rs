//! `/trust`: the trust registry and the published keys, for comparison with an independent copy.

use governance::proof::trust_registry::{self, KeyStatus, RegistryKey, SignedRegistry};
use page_kit::{prelude::*, request::governance};

pub(crate) const TITLE: &str = "Signing keys";

/// A key: its fingerprint, and what the registry says about it.
type Key<'a> = (String, Option<&'a RegistryKey>);

pub async fn trust() -> PageResult {
    let content = page::or_problem(content().await);
    Ok(any_view! { <PublicFrame width="reading">{content}</PublicFrame> })
}

/// Renders the newest version of the registry or, without one, the keys that this service signs with.
async fn content() -> PageResult {
    let governance = governance();
    let newest = trust_registry::newest(&governance).await?;
    let keys: Vec<Key<'_>> = if let Some(newest) = &newest {
        newest.registry.keys.iter().map(|key| (key.kid().to_owned(), Some(key))).collect()
    } else {
        let set = trust_registry::signing_keys(&governance).await?;
        let keys = set.get("keys").and_then(Value::as_array).unwrap_or_default();
        keys.iter().filter_map(|key| Some((key.get("kid")?.as_str()?.to_owned(), None))).collect()
    };
    if keys.is_empty() {
        let page = view! {
            <Heading title=TITLE />
            {empty_state(
                "Signing is not configured.",
                "Receipts are unsigned. The operator can configure a signing key.",
            )}
        };
        return Ok(page.into_any());
    }
    let is_root = |(_, key): &&Key<'_>| {
        key.is_some_and(|key| {
            key.purposes.iter().any(|purpose| purpose == "registry_root")
                && matches!(key.status, KeyStatus::Active)
        })
    };
    let roots: Vec<String> = keys.iter().filter(is_root).map(|(kid, _)| kid.clone()).collect();
    let check = (!roots.is_empty()).then(|| verify_card(&roots));
    let registry = match &newest {
        Some(newest) => registry_card(newest, roots),
        None => note(
            Tone::Warn,
            None,
            "There is no trust registry yet. Signatures of these keys are verified by their fingerprints alone.",
        ),
    };
    Ok(any_view! {
        <Heading title=TITLE />
        <p class="intro">
            "Current and previous signing keys. Compare them with a copy from an independent source."
        </p>
        <div class="stack">
            {registry} {keys_card(&keys)} {newest.as_deref().and_then(logs_card)} {check}
        </div>
    })
}

/// Renders the version of the registry that lists the keys. `roots` are the fingerprints of the active root keys.
fn registry_card(newest: &SignedRegistry, roots: Vec<String>) -> AnyView {
    let registry = &newest.registry;
    let root = |kid| {
        view! { <li>{digest_code(kid, "Root key")}</li> }
    };
    let roots = roots.into_iter().map(root).collect_view();
    let threshold = count(registry.root_keys.len(), "root", "roots");
    let threshold = format!("{} of {threshold}", registry.root_threshold);
    any_view! {
        <section class="card stack" aria-labelledby="registry">
            <h2 id="registry">"Trust registry"</h2>
            <dl class="facts">
                <dt>"Version"</dt>
                <dd class="tabular-nums">{registry.version}</dd>
                {id_fact("Registry ID", registry.registry_id.to_string())}
                {digest_fact("Digest", newest.digest().to_string())}
                {fact("Signed by", threshold)}
                {fact("Root keys", view! { <ul class="plain-list">{roots}</ul> })}
                {fact("Issued", exact(registry.issued_at))}
                {fact("Refresh by", exact(registry.expires_at))}
            </dl>
            <div class="row">
                <a
                    class="button primary"
                    href=url::REGISTRY
                    rel="external"
                    download="trust-registry.json"
                >
                    "Download the registry"
                </a>
                <a class="button" href=url::KEY_SET rel="external" download="signing-keys.json">
                    "Download the key set"
                </a>
            </div>
        </section>
    }
}

fn keys_card(keys: &[Key<'_>]) -> AnyView {
    let line = |label: &'static str, at| view! { <p>{label} " " {second(at)}</p> };
    let table = Table::new("Keys")
        .column("Key ID and fingerprint", |(kid, _): &Key<'_>| {
            digest_code(kid.clone(), "Fingerprint")
        })
        .column("Purpose", |(_, key)| {
            let purposes = key.map(|key| &*key.purposes).unwrap_or_default();
            if purposes.is_empty() {
                return "Everything this service signs".to_owned();
            }
            purposes.iter().map(|name| purpose(name)).collect::<Vec<_>>().join(", ")
        })
        .column("Status", |(_, key)| status(key.map_or(&KeyStatus::Active, |key| &key.status)))
        .column("Valid (UTC)", move |(_, key)| {
            view! {
                {key.map(|key| line("from", key.valid_from))}
                {key.and_then(|key| key.valid_until).map(|at| line("until", at))}
            }
        });
    any_view! {
        <section class="card flush" aria-labelledby="keys">
            <div class="pad">
                <h2 id="keys">"Keys"</h2>
                <p class="text-muted">
                    "The ID of a key is its fingerprint: the SHA-256 thumbprint of RFC 7638."
                </p>
            </div>
            {table.of(keys)}
        </section>
    }
}

fn status(status: &KeyStatus) -> AnyView {
    match status {
        KeyStatus::Active => badge("allow", Icon::Allow, "Active"),
        KeyStatus::Retired => badge("na", Icon::History, "Retired"),
        KeyStatus::Revoked { revoked_at, reason, compromised_since } => {
            let since = |at: Timestamp| view! { <p>"Compromised since " {second(at)}</p> };
            any_view! {
                {badge("deny", Icon::Deny, "Revoked")}
                <p>{second(*revoked_at)}</p>
                <p>
                    <bdi>{reason.clone()}</bdi>
                </p>
                {compromised_since.map(since)}
            }
        }
    }
}

/// Returns what a key with this purpose signs.
fn purpose(word: &str) -> &str {
    match word {
        "receipt" => "receipts",
        "chain_link" => "links of chains",
        "chain_seal" => "seals of chains",
        "bundle_manifest" => "bundles",
        "policy_approval" => "approvals of policies",
        "capability_grant" => "authoring capabilities",
        "registry_root" => "this registry",
        other => other,
    }
}

/// Renders the transparency logs that the registry names, if there are any.
fn logs_card(newest: &SignedRegistry) -> Option<AnyView> {
    let logs = newest.registry.logs.iter().map(|log| {
        view! {
            <dt>
                <bdi>{log.vkey.name().to_owned()}</bdi>
            </dt>
            <dd>{id_code(log.vkey.to_string(), "Key of the log")}</dd>
        }
    });
    let logs: Vec<_> = logs.collect();
    (!logs.is_empty()).then(|| {
        any_view! {
            <section class="card stack" aria-labelledby="logs">
                <h2 id="logs">"Transparency logs"</h2>
                <p class="text-muted">"Checkpoints are signed with these keys."</p>
                <dl class="facts">{logs}</dl>
                <p>
                    <a href=url::LOG>"Open the transparency log"</a>
                </p>
            </section>
        }
    })
}

/// Renders the command that verifies a bundle with the keys on this page, for example
/// `govern-verify --trust trust-registry.json --root-key … decision.tar`.
fn verify_card(roots: &[String]) -> AnyView {
    let roots: String = roots.iter().flat_map(|root| [" --root-key ", root]).collect();
    let command = format!("govern-verify --trust trust-registry.json{roots} decision.tar");
    any_view! {
        <section class="card stack" aria-labelledby="check">
            <h2 id="check">"Verify a bundle with these keys"</h2>
            <p>
                "Use the registry, and the fingerprints of its roots from an independent source, on your own machine and offline:"
            </p>
            {code_block(command, "Command")}
            <p>
                <a href=url::VERIFY>"Or in this browser"</a>
            </p>
        </section>
    }
}
