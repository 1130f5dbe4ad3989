//! Results in the JUnit format, which CI systems read.

use quick_junit::{NonSuccessKind, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::report::{CaseResult, Report};

/// Returns the results as XML: a suite per policy file, a test case per case.
///
/// # Errors
/// Returns an error if the XML cannot be written.
pub fn render(report: &Report) -> Result<String, SerializeError> {
    let mut xml = quick_junit::Report::new("govern policy test");
    for file in &report.files {
        let name = file.policy.display().to_string();
        let mut suite = TestSuite::new(name.as_str());
        suite.set_time(file.results.iter().map(|result| result.time).sum());
        suite.add_test_cases(file.results.iter().map(|result| case(&name, result)));
        xml.add_test_suite(suite);
    }
    xml.to_string()
}

fn case(class: &str, result: &CaseResult) -> TestCase {
    let status = match result.failures.first() {
        None => TestCaseStatus::success(),
        Some(first) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(first.as_str()).set_description(result.failures.join("\n"));
            status
        }
    };
    let mut case = TestCase::new(result.name.as_str(), status);
    case.set_classname(class).set_time(result.time);
    case
}
