//! Pages with state in the browser. The code of each is a module that is fetched with the page. All other pages are
//! [`ServerPage`]s.

use leptos::prelude::*;
use leptos_router::ChooseView;

use crate::{
    editor::page::EditPage, server_page::ServerPage, try_decision::page::TryPage,
    verify::page::VerifyPage,
};

/// Defines the pages: the name of each, its component, the function that shows it and the function that fetches its
/// module, as [`lazy`] names it. All pages have one type, so that the router's code is compiled once and not once per
/// page.
macro_rules! pages {
    ($($name:ident => $page:ident, $show:ident, $fetch:ident;)+) => {
        $(
            #[lazy]
            fn $show() -> AnyView {
                view! { <$page /> }.into_any()
            }
        )+

        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Page {
            $($name,)+
            Server(ServerPage),
        }

        impl From<ServerPage> for Page {
            fn from(page: ServerPage) -> Self {
                Self::Server(page)
            }
        }

        impl ChooseView for Page {
            async fn choose(self) -> AnyView {
                match self {
                    $(Self::$name => $show().await,)+
                    Self::Server(page) => page.show().await,
                }
            }

            async fn preload(&self) {
                #[cfg(feature = "hydrate")]
                match self {
                    $(Self::$name => $fetch().await,)+
                    Self::Server(_) => {}
                }
            }
        }
    };
}

pages! {
    Edit => EditPage, show_edit_page, __preload_show_edit_page;
    Try => TryPage, show_try_page, __preload_show_try_page;
    Verify => VerifyPage, show_verify_page, __preload_show_verify_page;
}
