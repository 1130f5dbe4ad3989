//! ASCII classes: `\d`, `\w`, `\s` and `\b` as RE2 defines them, in patterns that otherwise match Unicode text.

use std::convert::Infallible;

use regex_syntax::ast::{
    self, AssertionKind, Ast, ClassPerlKind, ClassSetItem, Span, Visitor, parse::ParserBuilder,
};

use super::{PatternError, message};

/// Returns `pattern` with explicit classes instead of `\d`, `\w` and `\s`, and with ASCII word boundaries.
///
/// # Errors
/// Returns a syntax error.
pub(super) fn rewrite(pattern: &str, nesting_max: u32) -> Result<String, PatternError> {
    let ast = ParserBuilder::new().nest_limit(nesting_max).build().parse(pattern);
    let ast = ast.map_err(|error| PatternError::Syntax(message(&error)))?;
    let Ok(replacements) = ast::visit(&ast, Replacements { pattern, found: Vec::new() });
    let mut rewritten = String::with_capacity(pattern.len());
    let mut copied = 0;
    for (span, replacement) in replacements {
        rewritten.push_str(pattern.get(copied..span.start.offset).unwrap_or_default());
        rewritten.push_str(&replacement);
        copied = span.end.offset;
    }
    rewritten.push_str(pattern.get(copied..).unwrap_or_default());
    Ok(rewritten)
}

/// The parts of a pattern to replace, in their order.
struct Replacements<'p> {
    pattern: &'p str,
    found: Vec<(Span, String)>,
}

impl Visitor for Replacements<'_> {
    type Output = Vec<(Span, String)>;
    type Err = Infallible;

    fn finish(self) -> Result<Self::Output, Infallible> {
        Ok(self.found)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Infallible> {
        match ast {
            // The flag `i` would add characters outside ASCII, such as the Kelvin sign.
            Ast::ClassPerl(class) => {
                self.found.push((class.span, format!("(?-i:{})", explicit(class))));
            }
            Ast::Assertion(assertion) if is_word_boundary(&assertion.kind) => {
                let span = assertion.span;
                let source = self.pattern.get(span.start.offset..span.end.offset);
                self.found.push((span, format!("(?-u:{})", source.unwrap_or_default())));
            }
            _ => {}
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Infallible> {
        if let ClassSetItem::Perl(class) = item {
            self.found.push((class.span, explicit(class)));
        }
        Ok(())
    }
}

/// Returns a class in brackets, which is valid alone and within brackets.
fn explicit(class: &ast::ClassPerl) -> String {
    let negation = if class.negated { "^" } else { "" };
    let ranges = match class.kind {
        ClassPerlKind::Digit => "0-9",
        ClassPerlKind::Word => "0-9A-Z_a-z",
        ClassPerlKind::Space => r"\t\n\f\r\x20",
    };
    format!("[{negation}{ranges}]")
}

fn is_word_boundary(kind: &AssertionKind) -> bool {
    !matches!(
        kind,
        AssertionKind::StartLine
            | AssertionKind::EndLine
            | AssertionKind::StartText
            | AssertionKind::EndText
    )
}
