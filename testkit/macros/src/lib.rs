#![doc = include_str!("../README.md")]

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// Runs an asynchronous test whose parameters are fixtures: each one is created by `start` of its type.
///
/// The arguments of the attribute are those of `tokio::test`.
#[proc_macro_attribute]
pub fn test(
    arguments: proc_macro::TokenStream,
    function: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let (arguments, function) = (TokenStream::from(arguments), TokenStream::from(function));
    let (mut head, mut body) = (TokenStream::new(), TokenStream::new());
    for token in function {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                body.extend(fixtures(group.stream()));
                head.extend(quote!(()));
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                body.extend(group.stream());
            }
            token => head.extend([token]),
        }
    }
    quote!(#[::tokio::test(#arguments)] #head { #body }).into()
}

/// Returns the statements that create the fixtures of these parameters.
fn fixtures(parameters: TokenStream) -> TokenStream {
    let parameters: Vec<TokenTree> = parameters.into_iter().collect();
    let is = |mark| move |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark);
    let fixtures = parameters.split(is(',')).filter(|parameter| !parameter.is_empty());
    let creations = fixtures.map(|parameter| {
        let mut parts = parameter.splitn(2, is(':')).map(|part| part.iter().cloned());
        let [name, kind] =
            [(); 2].map(|()| parts.next().into_iter().flatten().collect::<TokenStream>());
        quote!(let #name = <#kind>::start().await;)
    });
    creations.collect()
}
