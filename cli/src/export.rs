//! `govern export`: the recorded decisions of a time range as a file.

use std::{
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use clap::{Args, ValueEnum};
use contract::{evaluation::Verdict, time::Timestamp};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;

use crate::{
    client::{self, Client},
    clock,
    decision::verdict,
    exit::{Error, Exit},
    output,
    output_file::OutputFile,
    profile::ConnectionArgs,
};

/// The arguments of `govern export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Decisions recorded at or after this date or RFC 3339 time
    #[arg(long, value_name = "TIME", value_parser = start)]
    from: Timestamp,
    /// Decisions recorded at or before this time, or until the end of this date [default: now]
    #[arg(long, value_name = "TIME", value_parser = end)]
    to: Option<Timestamp>,
    /// The format of the file
    #[arg(long, value_enum, default_value = "ndjson")]
    format: ExportFormat,
    /// The file to write, which is replaced when the export is complete [default: -, standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only decisions of this type
    #[arg(long = "type", value_name = "TYPE")]
    decision_type: Option<String>,
    /// Only decisions with this verdict
    #[arg(long, value_parser = verdict)]
    decision: Option<Verdict>,
    /// Print the number of bytes and lines as JSON; requires --output
    #[arg(long, requires = "output")]
    json: bool,
    #[command(flatten)]
    connection: ConnectionArgs,
}

/// The format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One decision record per line.
    Ndjson,
    /// A table for spreadsheets.
    Csv,
}

fn start(text: &str) -> Result<Timestamp, String> {
    Timestamp::start_of_range(text).ok_or_else(|| NO_TIME.to_owned())
}

fn end(text: &str) -> Result<Timestamp, String> {
    Timestamp::end_of_range(text).ok_or_else(|| NO_TIME.to_owned())
}

const NO_TIME: &str =
    "is neither a date nor an RFC 3339 time, such as 2026-01-31 or 2026-01-31T12:00:00Z";

pub(crate) async fn run(args: ExportArgs) -> Result<Exit, Error> {
    let Some(path) = args.output.as_ref().filter(|path| path.as_os_str() != "-") else {
        let mut written = Written::default();
        download(&args, &mut io::stdout(), Error::Output, &mut written).await?;
        return Ok(Exit::Success);
    };
    let file_error = |error: io::Error| Error::file(path, error);
    let mut file = OutputFile::create(path)?;
    let mut written = Written::default();
    download(&args, &mut file, file_error, &mut written).await?;
    file.finish()?;
    let Written { bytes, lines } = written;
    let file = path.display().to_string();
    let text = format!("wrote {file}: {lines} lines, {bytes} bytes");
    let written = serde_json::json!({"file": file, "bytes": bytes, "lines": lines});
    output::print_as(args.json, &written.to_string(), &text)?;
    Ok(Exit::Success)
}

/// The size of the export.
#[derive(Clone, Copy, Debug, Default)]
struct Written {
    bytes: u64,
    lines: u64,
}

/// Writes the export to `out`, with a progress bar if standard error is a terminal.
async fn download(
    args: &ExportArgs,
    out: &mut impl Write,
    failed: impl Fn(io::Error) -> Error,
    written: &mut Written,
) -> Result<(), Error> {
    let client = Client::new(&args.connection.connection()?)?;
    let to = args.to.unwrap_or_else(clock::now);
    let format = match args.format {
        ExportFormat::Ndjson => "ndjson",
        ExportFormat::Csv => "csv",
    };
    let call = client
        .get(["decisions", "export"])
        .query("recorded_from", args.from)
        .query("recorded_to", to)
        .query("format", format)
        .query_if("decision_type", args.decision_type.as_deref())
        .query_if("decision", args.decision);
    let mut response = call.stream().await?;
    let progress = Progress::new(args, to);
    let mut tail = Vec::new();
    loop {
        let chunk = response.chunk().await.map_err(|error| {
            let cause = format!("the export was interrupted ({error}); run the command again");
            client::Error::Unreachable { url: client.base().to_string(), cause }
        })?;
        let Some(chunk) = chunk else { break };
        out.write_all(&chunk).map_err(&failed)?;
        written.bytes += u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        let lines = chunk.split(|byte| *byte == b'\n').count() - 1;
        written.lines += u64::try_from(lines).unwrap_or(u64::MAX);
        progress.update(&chunk, &mut tail, written.lines);
    }
    progress.bar.finish_and_clear();
    out.flush().map_err(failed)
}

/// The progress bar. Decisions are exported newest first, so the time of the last one gives the progress.
struct Progress {
    bar: ProgressBar,
    to: Timestamp,
    /// The format of the lines, if they have a time.
    is_ndjson: bool,
}

/// The time of an exported decision.
#[derive(Deserialize)]
struct RecordedAt {
    recorded_at: Timestamp,
}

impl Progress {
    fn new(args: &ExportArgs, to: Timestamp) -> Self {
        let is_ndjson = args.format == ExportFormat::Ndjson;
        let range = u64::try_from(to.millis() - args.from.millis()).unwrap_or_default();
        let (bar, template) = if is_ndjson {
            (ProgressBar::new(range), "{wide_bar} {percent:>3} %  {msg}  {elapsed}")
        } else {
            (ProgressBar::new_spinner(), "{spinner} {msg}  {elapsed}")
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, to, is_ndjson }
    }

    /// Shows the state after `chunk`. `tail` has the bytes of the last, incomplete line.
    fn update(&self, chunk: &[u8], tail: &mut Vec<u8>, lines: u64) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_message(format!("{lines} lines"));
        tail.extend_from_slice(chunk);
        let Some(end) = tail.iter().rposition(|byte| *byte == b'\n') else { return };
        let line = tail[..end].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        if self.is_ndjson
            && let Ok(RecordedAt { recorded_at }) = serde_json::from_slice(line)
        {
            let done = self.to.millis() - recorded_at.millis();
            self.bar.set_position(u64::try_from(done).unwrap_or_default());
        }
        tail.drain(..=end);
    }
}
