//! Standard input and output: one message per line.

use std::{io, sync::Arc};

use rmcp::{
    RoleServer,
    model::{ClientJsonRpcMessage, ClientRequest, GetMeta as _, ServerJsonRpcMessage},
    transport::{StdioReader, StdioWriter, Transport, stdio_pipes},
};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    sync::{Mutex, mpsc},
};

use super::message::{self, MESSAGE_MAX};

/// The transport. A task reads the messages, because reading a line must not stop when a response is sent.
pub(super) struct Stdio {
    messages: mpsc::Receiver<ClientJsonRpcMessage>,
    out: Output,
}

/// Standard output, whose lines are written one after the other.
#[derive(Clone)]
struct Output(Arc<Mutex<StdioWriter>>);

impl Output {
    async fn line(&self, mut json: Vec<u8>) -> io::Result<()> {
        json.push(b'\n');
        let mut out = self.0.lock().await;
        out.write_all(&json).await?;
        out.flush().await
    }
}

impl Stdio {
    /// Starts to read messages, until standard input ends.
    pub(super) fn start() -> Self {
        let (reader, writer) = stdio_pipes();
        let out = Output(Arc::new(Mutex::new(writer)));
        let (sender, messages) = mpsc::channel(1);
        let answers = out.clone();
        tokio::spawn(async move {
            // Without an output, there is no client to answer.
            let _ = read_messages(BufReader::new(reader), &answers, &sender).await;
        });
        Self { messages, out }
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let out = self.out.clone();
        async move { out.line(serde_json::to_vec(&message)?).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.messages.close();
        Ok(())
    }
}

/// Passes the messages on, and answers those that are not valid.
async fn read_messages(
    mut reader: BufReader<StdioReader>,
    out: &Output,
    sender: &mpsc::Sender<ClientJsonRpcMessage>,
) -> io::Result<()> {
    let mut is_started = false;
    loop {
        let read = match read_line(&mut reader).await? {
            Line::End => return Ok(()),
            Line::Text(line) if line.trim_ascii().is_empty() => continue,
            Line::Text(line) => message::read(&line),
            Line::TooLong => Err(message::too_large()),
        };
        match read {
            Ok(Some(message)) => {
                is_started |= starts_session(&message);
                // Before a session, the SDK ends with a message that is not a request.
                let is_passed = is_started || matches!(message, ClientJsonRpcMessage::Request(_));
                if is_passed && sender.send(message).await.is_err() {
                    return Ok(());
                }
            }
            Ok(None) => {}
            Err(refused) => out.line(serde_json::to_vec(&refused.response())?).await?,
        }
    }
}

/// Returns whether the message is the first one of a session: `initialize`, or a request with its own version of the
/// protocol.
fn starts_session(message: &ClientJsonRpcMessage) -> bool {
    let ClientJsonRpcMessage::Request(request) = message else { return false };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => other.get_meta().protocol_version().is_some(),
    }
}

/// What was read of standard input.
enum Line {
    Text(Vec<u8>),
    /// The line has more bytes than a message. It was skipped.
    TooLong,
    End,
}

/// Reads a line.
async fn read_line(reader: &mut BufReader<StdioReader>) -> io::Result<Line> {
    let mut line = Vec::new();
    let limit = u64::try_from(MESSAGE_MAX).unwrap_or(u64::MAX).saturating_add(2);
    if (&mut *reader).take(limit).read_until(b'\n', &mut line).await? == 0 {
        return Ok(Line::End);
    }
    if line.ends_with(b"\n") || line.len() <= MESSAGE_MAX {
        return Ok(Line::Text(line));
    }
    loop {
        let buffer = reader.fill_buf().await?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        let is_end = end.is_some() || buffer.is_empty();
        reader.consume(length);
        if is_end {
            return Ok(Line::TooLong);
        }
    }
}
