//! The recipe of `examples/policies-in-git` in a scratch repository: pull request, test, push, review.

use std::{fs, os::unix::fs::symlink, path::Path};

use super::{POLICIES, Terminal, finish};
use crate::prelude::*;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/policies-in-git");

/// Copies a directory with its subdirectories.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory can be created");
    for entry in fs::read_dir(from).expect("the directory exists") {
        let entry = entry.expect("a directory can be read");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a file can be copied");
        }
    }
}

#[testkit::test]
async fn a_pull_request_is_tested_pushed_and_reviewed(service: TestService) {
    let terminal = Terminal::new(&service, "git", &POLICIES).await;
    copy(Path::new(EXAMPLE), terminal.path());
    fs::create_dir(terminal.path().join("bin")).expect("a directory can be created");
    let govern = terminal.path().join("bin/govern");
    symlink(env!("CARGO_BIN_EXE_govern-client"), govern).expect("a link can be created");
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", terminal.path().join("bin").display());
    let shell = async |script: &str| {
        let mut command = terminal.command("sh");
        command.args(["-ec", script]).env("PATH", &path).env("GIT_CONFIG_GLOBAL", "/dev/null");
        finish(&mut command).await
    };
    let commit = "git add . && git -c user.name=Ada -c user.email=ada@acme.example commit -qm";
    shell(&format!(
        "git init -q -b main . && printf 'bin\\n' > .gitignore && {commit} 'add policies'"
    ))
    .await
    .expect(0);

    // The first push of a branch has no commit before it, so all policies are new.
    let first = "0".repeat(40);
    let changes = shell(&format!("./policy-ci.sh diff {first}")).await.expect(0);
    assert!(changes.contains("+ rule PAY-LIMIT"), "{changes}");

    // A pull request that breaks a case.
    let branch = "git switch -qc stricter && sed -i 's/max: 50000/max: 40000/' policies/payments.policy.yaml";
    shell(&format!("{branch} && {commit} 'lower the limit'")).await.expect(0);
    let failed = shell("./policy-ci.sh test").await.expect(1);
    assert!(failed.contains("FAIL a payment of 45,000 is allowed with a review"), "{failed}");
    assert!(failed.contains("expected REVIEW, got DENY"), "{failed}");
    let junit = terminal.read("policy-tests.xml");
    assert!(junit.contains("failures=\"1\""), "{junit}");

    // The case changes with the rule. The test passes, and the changed policy becomes a draft.
    let fix = "sed -i 's/amount: 45000/amount: 39000/; s/of 45,000/of 39,000/' policies/payments.cases.yaml";
    shell(&format!("{fix} && {commit} 'change the case'")).await.expect(0);
    shell("./policy-ci.sh test").await.expect(0);
    let changes = shell("./policy-ci.sh diff main").await.expect(0);
    assert!(changes.contains("+ rule PAY-LIMIT"), "{changes}");
    let pushed = shell("./policy-ci.sh push main").await.expect(0);
    assert!(pushed.contains("created the policy with draft version 1"), "{pushed}");

    // The draft is on the service, and a reviewer sees it in the console.
    let found = service.key.get("/v1/policies?q=PAYMENTS").await.expect(200)["items"][0].clone();
    assert_eq!(found["draft_version"], 1);
    let id = text(&found["id"]);
    let version = service.key.get(format!("/v1/policies/{id}/versions/1")).await.expect(200);
    assert_eq!(version["rules"][0]["condition"]["max"], 40_000);
    let browser = Browser::member(&service, Role::Reviewer).await;
    let page = browser.page(&format!("policies/{id}/versions/1")).await;
    assert_eq!(page.status, 200);
    assert!(page.html().contains("PAY-LIMIT"));

    // A second push of the same commit changes nothing. After the merge, the draft is submitted.
    let again = shell("./policy-ci.sh push main").await.expect(0);
    assert!(again.contains("no changes to the rules of version 1"), "{again}");
    let submitted = shell("govern policy submit policies/payments.policy.yaml").await.expect(0);
    assert!(submitted.contains("submitted version 1"), "{submitted}");
}
