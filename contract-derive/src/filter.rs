//! The derive macro of the filters of a list.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{
    Attribute, DeriveInput, Error, Expr, ExprLit, Field, Ident, Lit, LitInt, LitStr, Meta, Result,
    parse_quote, spanned::Spanned as _,
};

use crate::named_fields;

/// Returns the constants of the parameters and the implementation.
pub(crate) fn list_filter(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let all = named_fields(input)?.iter();
    let parameters: Vec<_> = all.map(Parameter::parse).collect::<Result<_>>()?;
    let rest = parameters.iter().any(Option::is_none);
    let rest = rest.then(|| quote!(..::core::default::Default::default()));
    let parameters: Vec<_> = parameters.into_iter().flatten().collect();
    let constants = parameters.iter().map(Parameter::constant);
    let fields = parameters.iter().map(|parameter| {
        let (field, constant) = (parameter.field, &parameter.constant);
        quote!(#field: reader.read(Self::#constant))
    });
    Ok(quote! {
        impl #name { #(#constants)* }

        #[automatically_derived]
        impl ::contract::filter::ListFilter for #name {
            fn read(reader: &mut impl ::contract::filter::FilterReader) -> Self {
                Self { #(#fields,)* #rest }
            }
        }
    })
}

/// A field and the parameter that it is read from.
struct Parameter<'a> {
    field: &'a Ident,
    /// The name of the constant.
    constant: Ident,
    docs: Vec<&'a Attribute>,
    name: Expr,
    page: LitStr,
    description: String,
    max: LitInt,
    end: Expr,
}

impl<'a> Parameter<'a> {
    /// Returns `None` for a field that is no filter.
    fn parse(field: &'a Field) -> Result<Option<Self>> {
        let ident = field.ident.as_ref().ok_or_else(|| Error::new(field.span(), "has no name"))?;
        let name = LitStr::new(&ident.to_string(), ident.span());
        let docs: Vec<_> = field.attrs.iter().filter(|it| it.path().is_ident("doc")).collect();
        let description = docs.iter().filter_map(|doc| line(doc)).collect::<Vec<_>>().join(" ");
        let mut parameter = Self {
            field: ident,
            constant: format_ident!("{}", ident.to_string().to_uppercase()),
            docs,
            name: parse_quote!(Some(#name)),
            page: name,
            description: description.trim_end_matches('.').to_owned(),
            max: parse_quote!(0),
            end: parse_quote!(None),
        };
        let mut is_skipped = false;
        for attribute in field.attrs.iter().filter(|it| it.path().is_ident("filter")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("page") {
                    parameter.page = meta.value()?.parse()?;
                } else if meta.path.is_ident("max") {
                    parameter.max = meta.value()?.parse()?;
                } else if meta.path.is_ident("page_only") {
                    parameter.name = parse_quote!(None);
                } else if meta.path.is_ident("from") {
                    parameter.end = parse_quote!(Some(::contract::filter::RangeEnd::From));
                } else if meta.path.is_ident("to") {
                    parameter.end = parse_quote!(Some(::contract::filter::RangeEnd::To));
                } else if meta.path.is_ident("skip") {
                    is_skipped = true;
                } else {
                    return Err(meta.error("unknown attribute"));
                }
                Ok(())
            })?;
        }
        Ok((!is_skipped).then_some(parameter))
    }

    fn constant(&self) -> TokenStream {
        let Self { constant, docs, name, page, description, max, end, .. } = self;
        quote! {
            #(#docs)*
            pub const #constant: ::contract::filter::Parameter = ::contract::filter::Parameter {
                name: #name,
                page: #page,
                description: #description,
                max: #max,
                end: #end,
            };
        }
    }
}

/// Returns a line of a doc comment.
fn line(doc: &Attribute) -> Option<String> {
    let Meta::NameValue(doc) = &doc.meta else { return None };
    match &doc.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
        _ => None,
    }
}
