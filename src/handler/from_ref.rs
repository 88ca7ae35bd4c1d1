//! [`FromRef`]: a part of the server's state.

/// Makes a part of the state from the state, for [`State`](crate::State).
///
/// A handler takes `State<T>` for any `T` that implements `FromRef` of the server's state. The state
/// itself does, if it implements `Clone`. Use it so that a handler depends only on what it needs.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use lambda_mcp::handler::FromRef;
/// use lambda_mcp::{Server, State, tool};
///
/// struct Stock {
///     apples: u32,
/// }
///
/// #[derive(Clone)]
/// struct Shop {
///     stock: Arc<Stock>,
///     name: Arc<str>,
/// }
///
/// impl FromRef<Shop> for Arc<Stock> {
///     fn from_ref(shop: &Shop) -> Self {
///         shop.stock.clone()
///     }
/// }
///
/// async fn apples(State(stock): State<Arc<Stock>>) -> String {
///     format!("{} apples are left.", stock.apples)
/// }
///
/// async fn about(State(shop): State<Shop>) -> String {
///     format!("This is {}.", shop.name)
/// }
///
/// let shop = Shop { stock: Arc::new(Stock { apples: 7 }), name: "the shop".into() };
/// let server = Server::builder("shop", "1.0.0")
///     .state(shop)
///     .tool(tool("apples", apples))
///     .tool(tool("about", about))
///     .build();
/// assert!(server.is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "`State<{Self}>` cannot be made from the state `{S}`",
    note = "take `State<{S}>`, or implement `FromRef<{S}>` for `{Self}`"
)]
pub trait FromRef<S> {
    /// Makes the part. It is called for each call, so it should be cheap.
    fn from_ref(state: &S) -> Self;
}

impl<S: Clone> FromRef<S> for S {
    fn from_ref(state: &S) -> Self {
        state.clone()
    }
}
