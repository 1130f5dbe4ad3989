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
    document::{self, Format},
    exit::{Error, Exit},
    output, output_file,
};

pub(super) async fn run(args: PullArgs) -> Result<Exit, Error> {
    let format = file::format(&args.file)?;
    let old = match fs::exists(&args.file) {
        Ok(true) => Some(document::read_text(&args.file, file::BYTES_MAX)?),
        Ok(false) => None,
        Err(error) => return Err(Error::file(&args.file, error)),
    };
    let old_value = match &old {
        Some(text) => Some(format.parse(text).map_err(|error| Error::file(&args.file, error))?),
        None => None,
    };
    let code = code(&args, old_value.as_ref())?;
    let client = Client::new(&args.connection.connection()?)?;
    let remote = Remote::read(&client, &code, args.version_number).await?;
    let remote = remote.ok_or_else(|| remote::unknown(&code))?;
    let text = text(&client, format, old.as_deref(), old_value.as_ref(), &remote);
    let is_changed = old.as_ref() != Some(&text);
    if is_changed {
        output_file::write(&args.file, &text)?;
    }
    let pulled = serde_json::json!({"policy": remote.policy, "version": remote.version});
    let action = if is_changed { "wrote" } else { "no changes in" };
    let text = format!("{action} {}: {}", args.file.display(), remote.name());
    output::print_as(args.json, &pulled.to_string(), &text)?;
    Ok(Exit::Success)
}

/// Returns the code of the policy to read. An existing file is changed only if it is a file of this policy.
fn code(args: &PullArgs, old: Option<&Value>) -> Result<String, Error> {
    let in_file = old.map(|old| {
        let code = old.get("code").and_then(Value::as_str);
        code.ok_or_else(|| Error::file(&args.file, "is not a policy file: it has no `code`"))
    });
    match (args.code.as_deref(), in_file.transpose()?) {
        (Some(code), Some(other)) if code.to_lowercase() != other.to_lowercase() => {
            let cause =
                format!("is the file of policy `{other}`; use another file for policy `{code}`");
            Err(Error::file(&args.file, cause))
        }
        (Some(code), _) | (None, Some(code)) => Ok(code.to_owned()),
        (None, None) => Err(Error::Input("use --code to name the policy".to_owned())),
    }
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
        (Format::Json, old) => {
            let schema =
                old_value.map_or_else(|| Some(url().into()), |old| old.get("$schema").cloned());
            if let (Some(schema), Value::Object(members)) = (schema, &mut value) {
                members.insert("$schema", schema);
            }
            old.map_or_else(|| format.render(&value), |old| format.update(old, &value))
        }
    }
}
