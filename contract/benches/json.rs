//! Benchmark: reading and writing a decision context, compared with `serde_json::Value` on the same bytes.

use std::hint::black_box;

use contract::json::{Limits, Value};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Returns a context of about `bytes` bytes: unsorted members, strings in several scripts, amounts and dates.
fn context(bytes: usize) -> String {
    let mut fields = String::new();
    for index in 0.. {
        let member = match index % 5 {
            0 => format!(r#""amount_{index}":{}.{index:02},"#, 1000 + index * 37),
            1 => format!(r#""vendor_{index}":"Müller & Söhne {index}","#),
            2 => format!(r#""cost_centre_{index}":"CC-{index}","#),
            3 => format!(r#""checked_{index}":{{"at":"2026-09-01T10:00:00Z","ok":true}},"#),
            _ => format!(r#""lines_{index}":[{index},{},"a\tnote\n",null],"#, index * 3),
        };
        if fields.len() + member.len() + 120 > bytes {
            break;
        }
        fields.push_str(&member);
    }
    format!(
        r#"{{"decision_type":"expense_approval","metadata":{{"actor_id":"agent-7"}},"fields":{{{fields}"currency":"EUR"}}}}"#
    )
}

fn json(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("json");
    for bytes in [500, 10_000, 100_000] {
        let text = context(bytes);
        let tree = Value::parse(text.as_bytes(), &Limits::REQUEST).expect("a context");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::new("read", bytes), text.as_bytes(), |bench, text| {
            bench.iter(|| Value::parse(black_box(text), &Limits::REQUEST));
        });
        group.bench_with_input(BenchmarkId::new("serde_json", bytes), &text, |bench, text| {
            bench.iter(|| serde_json::from_slice::<serde_json::Value>(black_box(text.as_bytes())));
        });
        group.bench_with_input(BenchmarkId::new("write", bytes), &tree, |bench, tree| {
            bench.iter(|| black_box(tree).to_canonical());
        });
    }
    group.finish();
}

criterion_group!(benches, json);
criterion_main!(benches);
