//! A proxy between the service and PostgreSQL that cuts connections after a commit, before its answer.

use std::{
    collections::HashSet,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use anyhow::Result;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UnixStream},
    task::JoinHandle,
};

/// The function with which the service writes a group of records in one statement, which is also its
/// transaction.
const WRITE_FUNCTION: &str = "record_group";

/// A running proxy. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    commits: Arc<Commits>,
    task: JoinHandle<()>,
}

/// The commits that passed the proxy.
#[derive(Debug)]
struct Commits {
    seen: AtomicU64,
    /// The distance between two commits whose answer is cut off.
    cut_every: u64,
}

impl Commits {
    /// Counts a commit. Returns whether its connection is to be cut.
    fn count(&self) -> bool {
        (self.seen.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(self.cut_every)
    }
}

impl Proxy {
    /// Starts a proxy to a Unix socket. It cuts every `cut_every`th commit.
    pub(crate) async fn start(socket: &Path, cut_every: u64) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let commits = Arc::new(Commits { seen: AtomicU64::new(0), cut_every });
        let task = tokio::spawn(accept(listener, socket.to_owned(), Arc::clone(&commits)));
        Ok(Self { address, commits, task })
    }

    /// Returns the number of cut connections.
    pub(crate) fn cuts(&self) -> u64 {
        self.commits.seen.load(Ordering::Relaxed) / self.commits.cut_every
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, socket: PathBuf, commits: Arc<Commits>) {
    while let Ok((client, _)) = listener.accept().await {
        let (socket, commits) = (socket.clone(), Arc::clone(&commits));
        tokio::spawn(async move {
            // Without a server the connection is closed, as a server would do.
            if let Ok(server) = UnixStream::connect(socket).await {
                let _ = forward(client, server, &commits).await; // either side may close it
            }
        });
    }
}

/// Forwards messages until one side closes the connection or the proxy cuts it.
async fn forward(client: TcpStream, server: UnixStream, commits: &Commits) -> Result<()> {
    client.set_nodelay(true)?;
    let (client_in, client_out) = client.into_split();
    let (server_in, server_out) = server.into_split();
    let is_writing = AtomicBool::new(false);
    tokio::select! {
        requests = forward_requests(client_in, server_out, &is_writing) => requests,
        answers = forward_answers(server_in, client_out, &is_writing, commits) => answers,
    }
}

/// A message of the frontend/backend protocol, with its type and its length.
#[derive(Debug)]
struct Message(Vec<u8>);

impl Message {
    /// Reads a message. The first message of a connection has no type.
    async fn read(from: &mut (impl AsyncRead + Unpin), has_type: bool) -> Result<Self> {
        let mut bytes = vec![0; if has_type { 5 } else { 4 }];
        from.read_exact(&mut bytes).await?;
        let mut length = [0; 4];
        length.copy_from_slice(&bytes[bytes.len() - 4..]);
        let start = bytes.len();
        bytes.resize(start + (u32::from_be_bytes(length) as usize).saturating_sub(4), 0);
        from.read_exact(&mut bytes[start..]).await?;
        Ok(Self(bytes))
    }

    fn kind(&self) -> u8 {
        self.0[0]
    }

    /// Returns the texts of the message, which end with a zero byte.
    fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.0.get(5..).unwrap_or_default().split(|byte| *byte == 0)
    }
}

/// Forwards messages of the service, and notes when one of them commits.
async fn forward_requests(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    is_writing: &AtomicBool,
) -> Result<()> {
    let mut writing_statements: HashSet<Vec<u8>> = HashSet::new();
    let mut has_type = false;
    loop {
        let message = Message::read(&mut from, has_type).await?;
        if has_type {
            let mut texts = message.texts();
            let commits = match message.kind() {
                b'Q' => texts.next() == Some(b"COMMIT"),
                b'P' => {
                    let (name, text) = (texts.next(), texts.next().unwrap_or_default());
                    if String::from_utf8_lossy(text).contains(WRITE_FUNCTION) {
                        writing_statements.extend(name.map(<[u8]>::to_vec));
                    }
                    false
                }
                b'B' => texts.nth(1).is_some_and(|name| writing_statements.contains(name)),
                _ => false,
            };
            if commits {
                is_writing.store(true, Ordering::Release);
            }
        }
        has_type = true;
        to.write_all(&message.0).await?;
    }
}

/// Forwards messages of the server. The answer to a commit is withheld until it is complete; then it is
/// forwarded, or the connection is cut.
async fn forward_answers(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    is_writing: &AtomicBool,
    commits: &Commits,
) -> Result<()> {
    let (mut withheld, mut has_failed) = (Vec::new(), false);
    loop {
        let message = Message::read(&mut from, true).await?;
        if !is_writing.load(Ordering::Acquire) {
            to.write_all(&message.0).await?;
            continue;
        }
        has_failed |= message.kind() == b'E';
        withheld.extend_from_slice(&message.0);
        if message.kind() == b'Z' {
            // `I`: no transaction is open, so the write is committed.
            if message.0.last() == Some(&b'I') && !has_failed && commits.count() {
                return Ok(());
            }
            is_writing.store(false, Ordering::Release);
            to.write_all(&std::mem::take(&mut withheld)).await?;
            has_failed = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
        [&[kind], &length[..], body].concat()
    }

    /// Returns the answers that reach the service, and whether the connection was cut.
    async fn answers(requests: &[u8], answers: &[u8], cut_every: u64) -> (Vec<u8>, bool) {
        let is_writing = AtomicBool::new(false);
        let startup = [0, 0, 0, 8, 0, 3, 0, 0];
        let sent = [&startup[..], requests].concat();
        let mut forwarded = Vec::new();
        assert!(forward_requests(&sent[..], &mut forwarded, &is_writing).await.is_err());
        assert_eq!(forwarded, sent);
        let commits = Commits { seen: AtomicU64::new(0), cut_every };
        let mut received = Vec::new();
        let end = forward_answers(answers, &mut received, &is_writing, &commits).await;
        (received, end.is_ok())
    }

    #[tokio::test]
    async fn answer_to_a_commit_is_cut_and_other_answers_are_forwarded() {
        let write =
            [message(b'P', b"s1\0select record_group($1)\0\0\0"), message(b'B', b"\0s1\0\0\0")]
                .concat();
        let read = [message(b'P', b"s1\0select 1\0\0\0"), message(b'B', b"\0s1\0\0\0")].concat();
        let commit = message(b'Q', b"COMMIT\0");
        let done = [message(b'C', b"SELECT 1\0"), message(b'Z', b"I")].concat();
        let failed = [message(b'E', b"\0"), message(b'Z', b"I")].concat();
        let open = [message(b'C', b"SELECT 1\0"), message(b'Z', b"T")].concat();

        assert_eq!(answers(&write, &done, 1).await, (Vec::new(), true));
        assert_eq!(answers(&commit, &done, 1).await, (Vec::new(), true));
        assert_eq!(answers(&write, &done, 2).await, (done.clone(), false));
        assert_eq!(answers(&read, &done, 1).await, (done, false));
        assert_eq!(answers(&write, &failed, 1).await, (failed, false));
        assert_eq!(answers(&write, &open, 1).await, (open, false));
    }
}
