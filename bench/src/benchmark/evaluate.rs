//! Evaluation over HTTP.

use std::{collections::BTreeSet, net::SocketAddr};

use anyhow::{Context as _, Result, ensure};
use harness::Request;
use serde_json::{Value, json};

use crate::{
    cerbos, competitors,
    context::BenchContext,
    echo,
    fixture::{BenchFixture, Requests},
    load::{ClosedLoop, OpenLoop, StopAfter},
    report::{
        Figure::{Millis, PerSecond},
        Goal, ReportRow,
    },
    sample::Sample,
    service::time_of_each,
};

/// The number of clients in the closed loop.
const CLIENTS: usize = 64;

/// The request rate of the first latency measurement, per second. The second one has half of the maximum rate.
const RATE: u32 = 300;

/// The target of the 99th percentile at half of the maximum rate, in milliseconds.
const HALF_RATE_P99_MS: f64 = 2.0;

/// The numbers of rules, each with the target as a share of the rate of the echo server.
const RULES: [(usize, f64); 2] = [(10, 0.6), (100, 0.5)];

/// The target as a multiple of the rate of Cerbos.
const CERBOS_TIMES: f64 = 5.0;

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let (plan, echo) = (cx.plan, cx.echo()?);
    let cerbos = cerbos::start(RULES.map(|(rules, _)| rules))?;
    let fixture = cx.fixture()?;
    let run = |address: SocketAddr, request: Request| {
        let requests = [request];
        let stop_after = StopAfter::Elapsed(plan.time());
        ClosedLoop { address, requests: &requests, connections: CLIENTS, status: 200, stop_after }
            .run()
    };
    let service = fixture.service.address;
    let mut rows = Vec::new();
    let fields = Sample::NARROW.fields();
    for (rules, share) in RULES {
        let request = fixture.tenant.evaluate(rules, &fields);
        if let Some(cerbos) = cerbos {
            check_agreement(fixture, cerbos, rules)?;
        }
        // The echo server is measured before and after, so that a slow period of the machine
        // affects both.
        let echo_before = run(echo, request.with_path(echo::PATH))?;
        let used = fixture.service.processor_time()?;
        let result = run(service, request.clone())?;
        let processor_times = time_of_each(used, fixture.service.processor_time()?, result.total());
        let echo_after = run(echo, request.with_path(echo::PATH))?;
        let baseline = PerSecond(f64::midpoint(echo_before.rate(), echo_after.rate()));
        let name = format!("evaluate, {rules} rules");
        let row = ReportRow::new(format!("{name}, {CLIENTS} clients"), PerSecond(result.rate()));
        if let Some(cerbos) = cerbos {
            let other = run(cerbos, cerbos::check(rules, &fields))?;
            rows.push(
                row.clone()
                    .with_baseline("Cerbos", PerSecond(other.rate()))
                    .goal(Goal::TimesAtLeast(CERBOS_TIMES)),
            );
        }
        rows.push(row.with_baseline("echo server", baseline).goal(Goal::TimesAtLeast(share)));
        rows.extend(ReportRow::processor_times(&name, processor_times));
        let requests = [request];
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rate is positive and far below the limit"
        )]
        let half_rate = (result.rate() / 2.0) as u32;
        for (rate, description, goal_ms) in [
            (RATE, format!("{RATE}/s"), 25.0),
            (half_rate, "half of this rate".to_owned(), HALF_RATE_P99_MS),
        ] {
            let open_loop = OpenLoop {
                address: service,
                requests: &requests,
                status: 200,
                rate,
                time: plan.time(),
            };
            let result = open_loop.run()?;
            rows.push(
                ReportRow::new(format!("{name}, p99 at {description}"), Millis(result.p99_ms()))
                    .goal(Goal::AtMost(Millis(goal_ms))),
            );
        }
    }
    Ok(rows)
}

/// Checks that the service and Cerbos report the same violations in every kind of context.
fn check_agreement(fixture: &mut BenchFixture, cerbos: SocketAddr, rules: usize) -> Result<()> {
    let mut contexts = competitors::contexts(Sample::NARROW);
    let mut expired = Sample::NARROW.fields();
    expired.insert("valid_until".to_owned(), json!("2020-01-31"));
    contexts.push(expired);
    for fields in contexts {
        let evaluated = fixture.send(&mut fixture.tenant.evaluate(rules, &fields), 200)?;
        let violations = evaluated.pointer("/result/violations").and_then(Value::as_array);
        let code = |violation: &Value| Some(violation.get("rule_code")?.as_str()?.to_owned());
        let own: Option<BTreeSet<String>> =
            violations.context("no violations")?.iter().map(code).collect();
        let own = own.context("a violation without a code")?;
        let other = cerbos::violated_rules(cerbos, rules, &fields)?;
        ensure!(own == other, "{own:?} are violated; Cerbos reports {other:?} for {fields:?}");
    }
    Ok(())
}
