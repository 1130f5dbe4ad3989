//! `govern policy submit`: submits the draft of a policy file for ratification.

use contract::policy::{PolicyVersion, VersionStatus};

use super::{
    args::SubmitArgs,
    diff,
    file::PolicyFile,
    remote::{self, Remote},
};
use crate::{
    client::Client,
    exit::{Error, Exit},
    output,
};

pub(super) async fn run(args: SubmitArgs) -> Result<Exit, Error> {
    let file = PolicyFile::read(&args.file)?;
    let client = Client::new(&args.connection.connection()?)?;
    let code = file.code();
    let remote = Remote::read(&client, code, None).await?;
    let remote = remote.ok_or_else(|| remote::unknown(code))?;
    let before = remote.value(Some(&file.value));
    let version = remote.version.filter(|version| version.status == VersionStatus::Draft);
    let version = version.ok_or_else(|| {
        Error::Input(format!("`{code}` has no draft; run `govern policy push` first"))
    })?;
    if !diff::between(&before, &file.value).has_equal_rules() {
        let path = args.file.display();
        let message = format!(
            "the draft differs from `{path}`; run `govern policy diff {path}`, and `govern policy push` to change it"
        );
        return Err(Error::Input(message));
    }
    let id = remote.policy.id.to_string();
    let number = version.version.to_string();
    let path = ["policies", &id, "versions", &number, "submit"];
    let reply = client.post(path).json_text("{}").send().await?;
    if args.json {
        output::print_json(&reply.text())?;
    } else {
        let version: PolicyVersion = reply.read()?;
        output::print(&format!("{code}: submitted version {}", version.version))?;
    }
    Ok(Exit::Success)
}
