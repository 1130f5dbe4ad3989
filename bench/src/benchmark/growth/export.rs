//! Export of all decisions of a tenant: its rate, and the memory that the service gains meanwhile.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};

use super::{SMALL, TIMES, tenant::MeasuredTenant};
use crate::{
    fixture::BenchFixture,
    report::{
        Figure::{Mib, PerSecond},
        Goal, ReportRow,
    },
    service::resident_mib,
};

/// The target of the memory that the service gains while it exports all decisions, in MiB.
const GAINED_MIB: f64 = 16.0;

/// The time between two measurements of the memory.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(50);

const READ_TIMEOUT: Duration = Duration::from_mins(1);

/// Exports all decisions of both tenants.
pub(super) fn measure(
    fixture: &BenchFixture,
    small: &MeasuredTenant,
    large: &MeasuredTenant,
) -> Result<[ReportRow; 2]> {
    // The first export also allocates memory that later exports use.
    Export::run(fixture, small)?;
    let of_small = Export::run(fixture, small)?;
    let of_large = Export::run(fixture, large)?;
    let (title, baseline) = (large.title(), format!("{SMALL} decisions"));
    let rate =
        ReportRow::new(format!("{title}, export, decisions per second"), PerSecond(of_large.rate));
    let memory = ReportRow::new(
        format!("{title}, export, memory that the service gains"),
        Mib(of_large.gained_mib),
    );
    Ok([
        rate.with_baseline(&*baseline, PerSecond(of_small.rate))
            .goal(Goal::TimesAtLeast(1.0 / TIMES)),
        memory
            .with_baseline(&*baseline, Mib(of_small.gained_mib))
            .goal(Goal::AtMost(Mib(GAINED_MIB))),
    ])
}

/// A complete export.
#[derive(Clone, Copy, Debug)]
struct Export {
    /// The decisions per second.
    rate: f64,
    /// The difference between the highest memory of the service during the export and the memory before it.
    gained_mib: f64,
}

impl Export {
    fn run(fixture: &BenchFixture, of: &MeasuredTenant) -> Result<Self> {
        let memory = || resident_mib(&fixture.service);
        let range = "recorded_from=2020-01-01T00:00:00Z&recorded_to=2099-01-01T00:00:00Z";
        let mut stream = TcpStream::connect(fixture.service.address)?;
        stream.set_read_timeout(Some(READ_TIMEOUT))?;
        let (before, start) = (memory()?, Instant::now());
        let (mut highest, mut sampled) = (before, start);
        stream.write_all(of.tenant.get(&format!("/v1/decisions/export?{range}")).next())?;
        let mut body = ChunkedBody::open(stream)?;
        while body.read_chunk()? {
            if sampled.elapsed() >= SAMPLE_INTERVAL {
                sampled = Instant::now();
                highest = highest.max(memory()?);
            }
        }
        let (lines, seconds) = (body.lines, start.elapsed().as_secs_f64());
        ensure!(lines >= of.decisions, "the export has {lines} of {} decisions", of.decisions);
        Ok(Self { rate: lines as f64 / seconds, gained_mib: highest - before })
    }
}

/// The body of a chunked response. It is read and counted, but not stored.
#[derive(Debug)]
struct ChunkedBody {
    stream: BufReader<TcpStream>,
    /// The number of line breaks in the body so far.
    lines: u64,
}

impl ChunkedBody {
    /// Reads the head of a response with the status 200.
    fn open(stream: TcpStream) -> Result<Self> {
        let mut stream = BufReader::new(stream);
        let status = read_line(&mut stream)?;
        ensure!(status.starts_with("HTTP/1.1 200 "), "the export failed: {status}");
        while !read_line(&mut stream)?.is_empty() {}
        Ok(Self { stream, lines: 0 })
    }

    /// Reads the next chunk. Returns false after the last one.
    fn read_chunk(&mut self) -> Result<bool> {
        let size = read_line(&mut self.stream)?;
        let mut rest = usize::from_str_radix(&size, 16).context("a chunk has no size")?;
        let is_last = rest == 0;
        while rest > 0 {
            let bytes = self.stream.fill_buf()?;
            ensure!(!bytes.is_empty(), "the export ended in the middle of a chunk");
            let count = bytes.len().min(rest);
            self.lines += bytes[..count].split(|byte| *byte == b'\n').count() as u64 - 1;
            self.stream.consume(count);
            rest -= count;
        }
        ensure!(read_line(&mut self.stream)?.is_empty(), "a chunk has no end");
        Ok(!is_last)
    }
}

/// Reads a line and returns it without its end.
fn read_line(stream: &mut BufReader<TcpStream>) -> Result<String> {
    let mut line = String::new();
    let count = stream.read_line(&mut line)?;
    ensure!(count > 0, "the connection was closed in the middle of the export");
    Ok(line.trim_end().to_owned())
}
