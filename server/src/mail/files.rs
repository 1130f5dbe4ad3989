//! Mail of a development process: one file per message in the data directory.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use documents::dev_mail::Mail;
use governance::access::mail::{Message, SendError, Transport};

/// The maximum number of listed messages.
const LISTED_MAX: usize = 100;

/// Mail transport that writes messages to a directory that only its owner can read.
#[derive(Clone, Debug)]
pub struct MailFiles {
    directory: PathBuf,
}

impl MailFiles {
    /// Writes messages to `directory`, which is created with the first message.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    fn write(&self, message: &Message) -> io::Result<()> {
        // Names sort by time.
        let name = format!("{:020}-{}.eml", message.date.millis(), message.id);
        let text = format!(
            "To: {}\nSubject: {}\nDate: {}\nContent-Type: text/plain; charset=utf-8\n\
             Content-Transfer-Encoding: 8bit\n\n{}",
            message.to.as_str(),
            message.subject,
            message.date,
            message.body
        );
        private_file::write(&self.directory.join(name), &text).map_err(io::Error::other)
    }
}

#[async_trait::async_trait]
impl Transport for MailFiles {
    async fn send(&self, message: &Message) -> Result<(), SendError> {
        let (files, message) = (self.clone(), message.clone());
        let result = tokio::task::spawn_blocking(move || files.write(&message)).await;
        match result {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                tracing::warn!(%error, "a message cannot be written");
                Err(SendError::Temporary)
            }
            Err(_) => Err(SendError::Temporary),
        }
    }
}

/// Returns the newest messages of a directory, newest first, and none if the directory does not exist.
pub(crate) fn list(directory: &Path) -> io::Result<Vec<Mail>> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "eml")).collect();
    paths.sort_unstable_by(|a, b| b.cmp(a));
    let texts = paths.iter().take(LISTED_MAX).map(fs::read_to_string);
    texts.map(|text| text.map(|text| parse(&text))).collect()
}

fn parse(text: &str) -> Mail {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let parse_header = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        ["To", "Subject", "Date"].contains(&name).then(|| (name.to_owned(), value.to_owned()))
    };
    Mail { headers: head.lines().filter_map(parse_header).collect(), body: body.to_owned() }
}
