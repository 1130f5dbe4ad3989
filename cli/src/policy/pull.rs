//! `govern policy pull`: writes a policy of the service into a file.

use std::fs;

use contract::json::Value;

use super::{
    args::PullArgs,
    file,
    remote::{self, Remote},
    schema,
};
use crate::{
    client::Client,
    document::Format,
    exit::{Error, Exit},
    output,
};

pub(super) async fn run(args: PullArgs) -> Result<Exit, Error> {
    let format = file::format(&args.file)?;
    let old = match fs::read_to_string(&args.file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(Error::file(&args.file, error)),
    };
    let old_value = match &old {
        Some(text) => Some(format.parse(text).map_err(|error| Error::file(&args.file, error))?),
        None => None,
    };
    let in_file = old_value.as_ref().and_then(|value| value.get("code")?.as_str());
    let code = args.code.as_deref().or(in_file);
    let code = code.ok_or_else(|| Error::Input("use --code to name the policy".to_owned()))?;
    let client = Client::new(&args.connection.connection()?)?;
    let remote = Remote::read(&client, code, args.version_number).await?;
    let remote = remote.ok_or_else(|| remote::unknown(code))?;
    let text = text(&client, format, old.as_deref(), old_value.as_ref(), &remote);
    let is_changed = old.as_ref() != Some(&text);
    if is_changed {
        fs::write(&args.file, text).map_err(|error| Error::file(&args.file, error))?;
    }
    if args.json {
        let pulled = serde_json::json!({"policy": remote.policy, "version": remote.version});
        output::print(&pulled.to_string());
    } else {
        let action = if is_changed { "wrote" } else { "no changes in" };
        output::print(&format!("{action} {}: {}", args.file.display(), remote.name()));
    }
    Ok(Exit::Success)
}

/// Returns the text of the file.
fn text(
    client: &Client,
    format: Format,
    old: Option<&str>,
    old_value: Option<&Value>,
    remote: &Remote,
) -> String {
    let mut value = remote.value(old_value);
    let url = || {
        let base = client.base().as_str().trim_end_matches('/');
        format!("{base}{}", schema::POLICY_PATH)
    };
    match (format, old) {
        (Format::Yaml, None) => {
            format!("# yaml-language-server: $schema={}\n{}", url(), format.render(&value))
        }
        (Format::Yaml, Some(old)) => format.update(old, &value),
        (Format::Json, _) => {
            let schema =
                old_value.map_or_else(|| Some(url().into()), |old| old.get("$schema").cloned());
            if let (Some(schema), Value::Object(members)) = (schema, &mut value) {
                members.insert("$schema", schema);
            }
            format.render(&value)
        }
    }
}
