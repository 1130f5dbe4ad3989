//! Configuration of traces (`docs/TRACES.md`), with the variables of the OpenTelemetry specification.

use clap::{Args, ValueEnum};

/// Settings of traces.
#[derive(Clone, Debug, Args)]
pub struct TracesConfig {
    /// The URL of the OpenTelemetry collector to which the spans of requests are sent over OTLP/HTTP, such as
    /// `http://127.0.0.1:4318`. Without it, requests are not traced.
    #[arg(long = "otlp-endpoint", env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_parser = super::web_address,
        hide_env_values = true)]
    pub endpoint: Option<reqwest::Url>,
    /// The name of the service in traces.
    #[arg(long = "traces-service-name", env = "OTEL_SERVICE_NAME", default_value = SERVICE_NAME)]
    pub service_name: String,
    /// The requests that are traced. `parentbased` follows the decision of a caller that sends `traceparent`.
    #[arg(
        long = "traces-sampler",
        env = "OTEL_TRACES_SAMPLER",
        value_enum,
        default_value = "parentbased_always_on"
    )]
    pub sampler: TraceSampler,
    /// The share of requests that the samplers `traceidratio` and `parentbased_traceidratio` trace, from 0 to 1.
    #[arg(long = "traces-sampler-arg", env = "OTEL_TRACES_SAMPLER_ARG", value_parser = ratio,
        default_value = "1")]
    pub ratio: f64,
}

const SERVICE_NAME: &str = "govern";

/// The samplers of the OpenTelemetry specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum TraceSampler {
    /// All requests.
    AlwaysOn,
    /// No requests.
    AlwaysOff,
    /// A share of the requests.
    Traceidratio,
    /// As the caller decides, otherwise all requests.
    #[default]
    ParentbasedAlwaysOn,
    /// As the caller decides, otherwise no requests.
    ParentbasedAlwaysOff,
    /// As the caller decides, otherwise a share of the requests.
    ParentbasedTraceidratio,
}

impl Default for TracesConfig {
    fn default() -> Self {
        Self {
            endpoint: None,
            service_name: SERVICE_NAME.to_owned(),
            sampler: TraceSampler::default(),
            ratio: 1.0,
        }
    }
}

fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        traces: TracesConfig,
    }

    fn parse(arguments: &[&str]) -> Result<TracesConfig, clap::Error> {
        let arguments = std::iter::once("govern").chain(arguments.iter().copied());
        Command::try_parse_from(arguments).map(|command| command.traces)
    }

    #[test]
    fn samplers_have_the_names_of_the_specification() {
        let names = TraceSampler::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
        assert_eq!(
            names,
            [
                "always_on",
                "always_off",
                "traceidratio",
                "parentbased_always_on",
                "parentbased_always_off",
                "parentbased_traceidratio",
            ]
        );
    }

    #[test]
    fn ratio_is_a_number_from_0_to_1() {
        for (text, ratio) in [("0", 0.0), ("0.01", 0.01), ("1.0", 1.0)] {
            let config = parse(&["--traces-sampler-arg", text]).unwrap();
            assert!((config.ratio - ratio).abs() < f64::EPSILON, "{text}");
        }
        for text in ["1.01", "-1", "NaN", "all", ""] {
            assert!(parse(&[&format!("--traces-sampler-arg={text}")]).is_err(), "{text}");
        }
        assert!(parse(&["--otlp-endpoint", "127.0.0.1:4318"]).is_err(), "not a URL");
    }
}
