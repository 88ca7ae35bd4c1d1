//! The handlers of the tools, the resources, the prompt and its completion.

use std::sync::Arc;

use lambda_mcp::auth::Principal;
use lambda_mcp::handler::Elicited;
use lambda_mcp::{Args, AskingContext, Context, Json, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::desk::{Article, CATALOG, Desk, DeskError, Item, Order, Status};

type OrderDesk = State<Arc<Desk>>;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ListOrders {
    /// Only orders with this status.
    status: Option<Status>,
    /// Only orders whose customer contains this text.
    customer: Option<String>,
    /// `next` of the page before; absent for the first page.
    after: Option<u32>,
    /// How many orders a page has at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}

fn default_limit() -> usize {
    10
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Page {
    pub(crate) orders: Vec<Order>,
    /// `after` of the next page; null on the last page.
    pub(crate) next: Option<u32>,
}

pub(crate) async fn list_orders(
    State(desk): OrderDesk,
    Args(query): Args<ListOrders>,
) -> Result<Json<Page>, DeskError> {
    let orders = desk.orders()?;
    let first = query.after.map_or(0, |id| id.saturating_add(1));
    let mut found = orders
        .range(first..)
        .map(|(_, order)| order)
        .filter(|order| {
            let customer = query.customer.as_ref();
            query.status.is_none_or(|status| order.status == status)
                && customer.is_none_or(|text| order.customer.contains(text))
        });
    let orders: Vec<Order> = found.by_ref().take(query.limit).cloned().collect();
    let next = found.next().and(orders.last()).map(|order| order.id);
    Ok(Json(Page { orders, next }))
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct OrderId {
    id: u32,
}

/// Serves the tool `get_order` and the template `orders://{id}`.
pub(crate) async fn get_order(
    State(desk): OrderDesk,
    Args(OrderId { id }): Args<OrderId>,
) -> Result<Json<Order>, DeskError> {
    desk.get(id).map(Json)
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct PlaceOrder {
    #[schemars(length(min = 1, max = 100))]
    customer: String,
    #[schemars(length(min = 1, max = 20))]
    items: Vec<Item>,
}

pub(crate) async fn place_order(
    State(desk): OrderDesk,
    context: Context,
    Args(PlaceOrder { customer, items }): Args<PlaceOrder>,
) -> Result<Json<Order>, DeskError> {
    // The tool requires a scope, so the caller is known.
    let clerk = context.principal().map_or("nobody", Principal::subject);
    desk.place(&customer, items, clerk).map(Json)
}

#[derive(Deserialize, JsonSchema)]
struct Confirm {
    /// Whether the parcel leaves now.
    ship: bool,
}

pub(crate) async fn ship_order(
    State(desk): OrderDesk,
    context: AskingContext,
    Args(OrderId { id }): Args<OrderId>,
) -> Result<Json<Order>, DeskError> {
    let order = desk.get(id)?;
    // Clients before 2026-07-28, and others without forms, cannot be asked. They should show the user
    // each call before they make it.
    if context.can_elicit() {
        let question = format!("Ship order {id} to {}?", order.customer);
        let Elicited::Accept(Confirm { ship: true }) = context.elicit("confirm", &question)? else {
            return Ok(Json(order));
        };
    }
    desk.change(id, Status::Open, Status::Shipped).map(Json)
}

pub(crate) async fn cancel_order(
    State(desk): OrderDesk,
    Args(OrderId { id }): Args<OrderId>,
) -> Result<Json<Order>, DeskError> {
    desk.change(id, Status::Open, Status::Cancelled).map(Json)
}

pub(crate) async fn refund_order(
    State(desk): OrderDesk,
    Args(OrderId { id }): Args<OrderId>,
) -> Result<Json<Order>, DeskError> {
    desk.change(id, Status::Shipped, Status::Refunded).map(Json)
}

pub(crate) async fn catalog() -> Json<[Article; 2]> {
    Json(CATALOG)
}

pub(crate) async fn draft_reply(
    State(desk): OrderDesk,
    Args(OrderId { id }): Args<OrderId>,
) -> Result<String, DeskError> {
    let Order {
        customer, status, ..
    } = desk.get(id)?;
    Ok(format!(
        "Write a friendly message to {customer}: order {id} is {status:?}."
    ))
}

pub(crate) async fn order_ids(State(desk): OrderDesk) -> Result<Vec<String>, DeskError> {
    Ok(desk.orders()?.keys().map(u32::to_string).collect())
}
