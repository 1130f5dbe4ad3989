//! `govern policy push`: writes policy files to drafts.

use std::collections::BTreeMap;

use contract::{
    json::{Object, Value},
    policy::{PolicyCreated, PolicyVersion, VersionStatus},
};
use serde::Serialize;

use super::{
    args::PushArgs,
    diff::{self, PolicyDiff},
    file::{self, PolicyFile, without_nulls},
    remote::{PATCHED, Remote},
};
use crate::{
    client::Client,
    exit::{Error, Exit},
    output,
};

/// What was done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    /// The policy and its first draft were created.
    CreatedPolicy,
    /// A draft was created.
    CreatedDraft,
    /// The draft was changed.
    ChangedDraft,
    /// The rules are equal.
    Unchanged,
}

/// The result of a file.
#[derive(Debug, Serialize)]
struct Pushed {
    file: String,
    code: String,
    action: Action,
    /// The version that has the rules of the file.
    version: Option<PolicyVersion>,
    /// The members of the policy that were changed.
    changed: Vec<String>,
    /// The members of the active policy that differ and were not changed.
    skipped: Vec<String>,
}

pub(super) async fn run(args: PushArgs) -> Result<Exit, Error> {
    // Read all files first, so that an invalid file prevents all changes.
    let mut files = Vec::new();
    for path in &args.paths {
        for path in file::find(path)? {
            files.push(PolicyFile::read(&path)?);
        }
    }
    if files.is_empty() {
        return Err(Error::Input("no policy files: their names end with .policy.yaml".to_owned()));
    }
    check_codes(&files)?;
    let client = Client::new(&args.connection.connection()?)?;
    let mut results = Vec::new();
    for file in &files {
        let pushed = push(&client, file, args.change_active).await?;
        if !args.json {
            output::print(&line(&pushed))?;
        }
        if !pushed.skipped.is_empty() {
            output::note(&format!(
                "{}: {} of the active policy differ and take effect immediately; use --change-active to change them",
                pushed.file,
                pushed.skipped.join(", "),
            ));
        }
        results.push(pushed);
    }
    if args.json {
        output::print_json(&serde_json::json!({"items": results}).to_string())?;
    }
    Ok(Exit::Success)
}

/// Checks that each policy has one file, because a second one would replace what the first one changed.
fn check_codes(files: &[PolicyFile]) -> Result<(), Error> {
    let mut first: BTreeMap<String, &PolicyFile> = BTreeMap::new();
    for file in files {
        // Codes are unique without regard to case.
        if let Some(other) = first.insert(file.code().to_lowercase(), file) {
            let cause =
                format!("has the same code as `{}`: `{}`", other.path.display(), file.code());
            return Err(Error::file(&file.path, cause));
        }
    }
    Ok(())
}

async fn push(client: &Client, file: &PolicyFile, change_active: bool) -> Result<Pushed, Error> {
    let mut pushed = Pushed {
        file: file.path.display().to_string(),
        code: file.code().to_owned(),
        action: Action::Unchanged,
        version: None,
        changed: Vec::new(),
        skipped: Vec::new(),
    };
    let Some(remote) = Remote::read(client, file.code(), None).await? else {
        let created = client.post(["policies"]).json(&file.value).send().await?;
        pushed.version = created.read::<PolicyCreated>()?.version;
        pushed.action = Action::CreatedPolicy;
        return Ok(pushed);
    };
    let diff = diff::between(&remote.value(Some(&file.value)), &file.value);
    let patch = policy_patch(&file.value, &diff);
    let names = || patch.iter().map(|(name, _)| name.to_owned()).collect();
    let id = remote.policy.id.to_string();
    let is_active = remote.policy.is_active;
    (pushed.action, pushed.version) = push_version(client, &id, file, remote, &diff).await?;
    if is_active && !change_active {
        pushed.skipped = names();
    } else if !patch.is_empty() {
        client.patch(["policies", &id]).json(&patch).send().await?;
        pushed.changed = names();
    }
    Ok(pushed)
}

/// Writes the rules to the draft of the policy.
async fn push_version(
    client: &Client,
    policy: &str,
    file: &PolicyFile,
    remote: Remote,
    diff: &PolicyDiff,
) -> Result<(Action, Option<PolicyVersion>), Error> {
    let has_equal_reason = !diff.members.iter().any(|change| change.path == "change_reason");
    let Some(version) = remote.version else {
        return create_version(client, policy, file, None).await;
    };
    if version.status == VersionStatus::Draft || version.status == VersionStatus::Submitted {
        // Clauses are sent again with every change, because the service does not return their rules.
        let has_clauses = file.value.get("codification").is_some();
        if diff.has_equal_rules() && has_equal_reason && !has_clauses {
            return Ok((Action::Unchanged, Some(version)));
        }
        let mut patch = version_members(&file.value);
        patch.insert("expected_revision", version.draft_revision);
        let number = version.version.to_string();
        let path = ["policies", policy, "versions", &number];
        let changed = client.patch(path).json(&patch).send().await?.read()?;
        return Ok((Action::ChangedDraft, Some(changed)));
    }
    if diff.has_equal_rules() && version.is_active {
        return Ok((Action::Unchanged, Some(version)));
    }
    // The newest version may be ratified and wait for its activation.
    let latest = Remote::read(client, file.code(), Some(remote.policy.latest_version)).await?;
    if let Some(Remote { version: Some(latest), .. }) = latest.as_ref().filter(|latest| {
        diff::between(&latest.value(Some(&file.value)), &file.value).has_equal_rules()
    }) && latest.status == VersionStatus::Ratified
    {
        return Ok((Action::Unchanged, Some(latest.clone())));
    }
    create_version(client, policy, file, Some(version.version)).await
}

async fn create_version(
    client: &Client,
    policy: &str,
    file: &PolicyFile,
    based_on: Option<u32>,
) -> Result<(Action, Option<PolicyVersion>), Error> {
    let mut draft = version_members(&file.value);
    if let Some(number) = based_on {
        draft.insert("based_on_version", number);
    }
    let created = client.post(["policies", policy, "versions"]).json(&draft).send().await?;
    Ok((Action::CreatedDraft, Some(created.read()?)))
}

/// Returns the members of a file that belong to a version.
fn version_members(value: &Value) -> Object {
    let names = ["rules", "change_reason", "codification"];
    let members = names.into_iter().filter_map(|name| {
        let member = value.get(name).filter(|member| !matches!(member, Value::Null))?;
        Some((name.to_owned(), member.clone()))
    });
    members.collect()
}

/// Returns the change of the members of the policy. Members that are absent in the file get their default.
fn policy_patch(value: &Value, diff: &PolicyDiff) -> Object {
    let value = without_nulls(value);
    let differs = |name: &&str| diff.members.iter().any(|change| change.path == **name);
    let changed = PATCHED.into_iter().filter(differs);
    let default = |name| match name {
        "decision_types" | "regulatory_refs" => Value::Array(Vec::new()),
        "shadow_mode" | "inheritable" => Value::Bool(false),
        _ => Value::Null,
    };
    changed
        .map(|name| (name.to_owned(), value.get(name).cloned().unwrap_or_else(|| default(name))))
        .collect()
}

/// Returns the result of a file for people.
fn line(pushed: &Pushed) -> String {
    let number = pushed.version.as_ref().map_or(0, |version| version.version);
    let revision = pushed.version.as_ref().map_or(0, |version| version.draft_revision);
    let action = match pushed.action {
        Action::CreatedPolicy => "created the policy with draft version",
        Action::CreatedDraft => "created draft version",
        Action::ChangedDraft => "changed draft version",
        Action::Unchanged => "no changes to the rules of version",
    };
    let changed = match pushed.changed.as_slice() {
        [] => String::new(),
        names => format!("; changed {} of the policy", names.join(", ")),
    };
    format!("{}: {action} {number}, revision {revision}{changed}", pushed.code)
}
