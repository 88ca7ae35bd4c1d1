//! The server: its tools with their scopes, its limits, and a sample to try it with.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use lambda_mcp::auth::{ApiKeys, Auth, Principal};
use lambda_mcp::limit::{Limits, MemoryLimiter};
use lambda_mcp::server::{RequestStateKey, Tool};
use lambda_mcp::{Server, prompt, resource, resource_template, tool};

use super::desk::{Desk, Item};
use super::handlers::{
    cancel_order, catalog, draft_reply, get_order, list_orders, order_ids, place_order,
    refund_order, ship_order,
};
use super::sign_ins::SignIns;

pub(crate) type Fault = Box<dyn Error + Send + Sync>;

const LIMITS: &str = "changes[place_order,ship_order,cancel_order,refund_order]=5/1m; \
     reads[list_orders,get_order,resource:orders://*,prompt:draft_reply]=60/1m";

fn tools() -> [Tool<Arc<Desk>>; 6] {
    [
        tool("list_orders", list_orders)
            .description("Lists orders by status and customer, oldest first, in pages.")
            .read_only()
            .requires_scope("orders:read"),
        tool("get_order", get_order)
            .description("Returns one order.")
            .read_only()
            .requires_scope("orders:read"),
        tool("place_order", place_order)
            .description("Places an order and returns it with its id and its price.")
            .requires_scope("orders:write"),
        tool("ship_order", ship_order)
            .description("Ships an open order, after the user has confirmed it.")
            .requires_scope("orders:write"),
        tool("cancel_order", cancel_order)
            .description("Cancels an open order.")
            .requires_scope("orders:write"),
        tool("refund_order", refund_order)
            .description("Refunds a shipped order.")
            .requires_scope("orders:admin"),
    ]
}

pub(crate) fn server(desk: Desk, sign_ins: SignIns) -> Result<Server, Fault> {
    let auth = Auth::new()
        .verifier(sign_ins)
        .scope_implies("orders:admin", "orders:write")
        .scope_implies("orders:write", "orders:read");
    let mut server = Server::builder("order-desk", "1.0.0")
        .instructions("Find an order with `list_orders` before you change it.")
        .auth(auth)
        .limits(Limits::new(LIMITS.parse()?, MemoryLimiter::new()))
        .state(Arc::new(desk))
        .resource(
            resource("desk://catalog", "catalog", catalog)
                .description("The articles and their prices.")
                .public_cache(),
        )
        .resource(
            resource_template("orders://{id}", "order", get_order)
                .description("One order.")
                .requires_scope("orders:read")
                // How long a client may keep an order that it has read.
                .cache_ttl(Duration::from_secs(5))
                .complete("id", order_ids),
        )
        .prompt(
            prompt("draft_reply", draft_reply)
                .description("Drafts a message to the customer of an order.")
                .requires_scope("orders:read")
                .complete("id", order_ids),
        );
    for tool in tools() {
        server = server.tool(tool);
    }
    // On AWS Lambda the answer can reach another instance than the question: all need one key.
    if let Ok(secret) = std::env::var("REQUEST_STATE_KEY") {
        server = server.request_state_key(RequestStateKey::new(secret)?);
    }
    Ok(server.build()?)
}

/// Two orders and two colleagues, to try the server with.
pub(crate) fn sample() -> Result<(Desk, SignIns), Fault> {
    let desk = Desk::default();
    for (customer, article) in [("Ada", "MUG-001"), ("Charles", "PEN-001")] {
        let item = Item {
            article: article.to_owned(),
            quantity: 2,
        };
        desk.place(customer, vec![item], "clara")?;
    }
    let tomorrow = SystemTime::now() + Duration::from_secs(24 * 60 * 60);
    let sign_in = |token, name, scopes: &str| {
        let who = Principal::new(name, scopes.parse()?);
        Ok::<_, Fault>((ApiKeys::digest(token), (who, tomorrow)))
    };
    let clerk = sign_in("desk-clerk", "clara", "orders:write")?;
    let manager = sign_in("desk-manager", "mia", "orders:admin")?;
    Ok((desk, SignIns([clerk, manager].into())))
}
