//! Sign-in through a browser on this machine.

use std::{
    env,
    process::{Command, Stdio},
    time::Duration,
};

use url::Url;

use super::{
    StoredKey,
    callback::{Answer, Listener, Outcome},
    code::Login,
};
use crate::{exit::Error, output};

/// The programs that open a URL, in the order in which they are tried after `BROWSER`.
const PROGRAMS: [&str; 3] = ["xdg-open", "open", "wslview"];

/// The time for which the command waits for the user.
const WAIT_MAX: Duration = Duration::from_mins(5);

/// Opens the page on which the user allows access, waits for its redirect, and exchanges the code for a key.
pub(super) async fn sign_in(service: &Url, scopes: &[String]) -> Result<StoredKey, Error> {
    let login = Login::start(service, scopes)?;
    let mut listener = Listener::start(&login.state)
        .await
        .map_err(|error| Error::Input(format!("cannot listen on 127.0.0.1: {error}")))?;
    let page = login.page(Some(listener.port));
    output::note(&format!(
        "Allow access in the browser. If it does not open, open this address on this machine:\n  {page}\n\
         Without a browser on this machine, use --no-browser."
    ));
    open(page.as_str());
    let result = wait(&login, &mut listener).await;
    listener.stop().await;
    result
}

async fn wait(login: &Login<'_>, listener: &mut Listener) -> Result<StoredKey, Error> {
    let Ok(Some((answer, page))) = tokio::time::timeout(WAIT_MAX, listener.next()).await else {
        return Err(Error::NotAllowed("access was not allowed within five minutes"));
    };
    let (result, outcome) = match answer {
        Answer::Code(code) => {
            let result = login.exchange(&code, Some(listener.port)).await;
            let outcome = if result.is_ok() { Outcome::SignedIn } else { Outcome::Failed };
            (result, outcome)
        }
        Answer::Denied => {
            (Err(Error::NotAllowed("access was cancelled in the browser")), Outcome::Cancelled)
        }
    };
    // The browser may have closed the page.
    let _ = page.send(outcome);
    result
}

/// Opens an address in the browser. The user can also open the printed address.
fn open(address: &str) {
    let own = env::var("BROWSER").ok().filter(|program| !program.is_empty());
    for program in own.as_deref().into_iter().chain(PROGRAMS) {
        let mut command = Command::new(program);
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if command.spawn().is_ok() {
            return;
        }
    }
}
