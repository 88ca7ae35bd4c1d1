//! An order desk: a whole server in one file. Staff of a shop work with its orders through agents: clerks
//! read and change them, only a manager refunds.
//!
//! Tools with filters, pages, nested arguments and structured results; a tool that asks the user first; a
//! resource, a template and a prompt with completion; a verifier of sign-ins; scopes that include others; an
//! error type; a limit over several tools; tests.
//!
//! Run the tests with `cargo test --example order_desk`, the server with
//! `make run-example EXAMPLE=order_desk`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -H 'Authorization: Bearer desk-clerk' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_orders","arguments":{"status":"open"}}}'
//! ```
//!
//! Orders, sign-ins and counts are kept in memory, so each instance has its own. On AWS, read them from a
//! database, and count in a `DynamoDbLimiter`.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use lambda_mcp::auth::{ApiKeys, Auth, BearerToken, InvalidToken, Principal, Verdict, Verifier};
use lambda_mcp::handler::{Elicited, IntoRequestError, IntoToolError, NeedsInput, RequestError};
use lambda_mcp::limit::{Limits, MemoryLimiter};
use lambda_mcp::server::{RequestStateKey, Tool};
use lambda_mcp::{
    Args, AskingContext, BoxFuture, Context, Json, Server, State, ToolError, prompt, resource,
    resource_template, tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// The orders. Nothing here knows of the protocol, except the two conversions of errors.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Open,
    Shipped,
    Cancelled,
    Refunded,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Item {
    /// The number of an article of `desk://catalog`.
    #[schemars(regex(pattern = "^[A-Z]{3}-[0-9]{3}$"))]
    article: String,
    /// How many pieces.
    #[schemars(range(min = 1, max = 99))]
    quantity: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Order {
    id: u32,
    customer: String,
    status: Status,
    items: Vec<Item>,
    total_cents: u64,
    /// The clerk who placed the order.
    placed_by: String,
}

#[derive(Serialize)]
struct Article {
    number: &'static str,
    price_cents: u64,
}

const CATALOG: [Article; 2] = [
    Article {
        number: "MUG-001",
        price_cents: 900,
    },
    Article {
        number: "PEN-001",
        price_cents: 250,
    },
];

#[derive(Debug, thiserror::Error)]
enum DeskError {
    #[error("order {0} does not exist; call `list_orders` for the ids")]
    UnknownOrder(u32),
    #[error("article {0} does not exist; read `desk://catalog` for the numbers")]
    UnknownArticle(String),
    #[error("order {0} is {1:?}, and this takes an order that is {2:?}")]
    WrongStatus(u32, Status, Status),
    #[error("a call panicked while it changed the orders")]
    Poisoned,
    /// A question to the user that is not answered yet.
    #[error(transparent)]
    Ask(#[from] NeedsInput),
}

impl<T> From<PoisonError<T>> for DeskError {
    fn from(_: PoisonError<T>) -> Self {
        Self::Poisoned
    }
}

impl IntoToolError for DeskError {
    fn into_tool_error(self) -> ToolError {
        match self {
            Self::UnknownOrder(_) | Self::UnknownArticle(_) | Self::WrongStatus(..) => {
                ToolError::new(self.to_string())
            }
            // An internal error: the model does not read it. `NeedsInput` within it becomes the question.
            Self::Poisoned | Self::Ask(_) => self.into(),
        }
    }
}

impl IntoRequestError for DeskError {
    fn into_request_error(self) -> RequestError {
        match self {
            Self::UnknownOrder(_) => RequestError::not_found(),
            Self::UnknownArticle(_) | Self::WrongStatus(..) | Self::Poisoned | Self::Ask(_) => {
                self.into()
            }
        }
    }
}

#[derive(Debug, Default)]
struct Desk(Mutex<BTreeMap<u32, Order>>);

impl Desk {
    fn orders(&self) -> Result<MutexGuard<'_, BTreeMap<u32, Order>>, DeskError> {
        Ok(self.0.lock()?)
    }

    fn get(&self, id: u32) -> Result<Order, DeskError> {
        let found = self.orders()?.get(&id).cloned();
        found.ok_or(DeskError::UnknownOrder(id))
    }

    fn place(&self, customer: &str, items: Vec<Item>, clerk: &str) -> Result<Order, DeskError> {
        let total_cents = items.iter().map(price).sum::<Result<_, _>>()?;
        let mut orders = self.orders()?;
        let id = orders.last_key_value().map_or(1, |(last, _)| last + 1);
        let order = Order {
            id,
            customer: customer.to_owned(),
            status: Status::Open,
            items,
            total_cents,
            placed_by: clerk.to_owned(),
        };
        orders.insert(id, order.clone());
        Ok(order)
    }

    fn change(&self, id: u32, from: Status, to: Status) -> Result<Order, DeskError> {
        let mut orders = self.orders()?;
        let order = orders.get_mut(&id).ok_or(DeskError::UnknownOrder(id))?;
        if order.status != from {
            return Err(DeskError::WrongStatus(id, order.status, from));
        }
        order.status = to;
        Ok(order.clone())
    }
}

fn price(item: &Item) -> Result<u64, DeskError> {
    let article = CATALOG.iter().find(|known| known.number == item.article);
    let article = article.ok_or_else(|| DeskError::UnknownArticle(item.article.clone()))?;
    Ok(article.price_cents * u64::from(item.quantity))
}

// The handlers.

type OrderDesk = State<Arc<Desk>>;

#[derive(Deserialize, JsonSchema)]
struct ListOrders {
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
struct Page {
    orders: Vec<Order>,
    /// `after` of the next page; null on the last page.
    next: Option<u32>,
}

async fn list_orders(
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
struct OrderId {
    id: u32,
}

/// Serves the tool `get_order` and the template `orders://{id}`.
async fn get_order(
    State(desk): OrderDesk,
    Args(OrderId { id }): Args<OrderId>,
) -> Result<Json<Order>, DeskError> {
    desk.get(id).map(Json)
}

#[derive(Deserialize, JsonSchema)]
struct PlaceOrder {
    #[schemars(length(min = 1, max = 100))]
    customer: String,
    #[schemars(length(min = 1, max = 20))]
    items: Vec<Item>,
}

async fn place_order(
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

async fn ship_order(
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

async fn cancel_order(
    State(desk): OrderDesk,
    Args(OrderId { id }): Args<OrderId>,
) -> Result<Json<Order>, DeskError> {
    desk.change(id, Status::Open, Status::Cancelled).map(Json)
}

async fn refund_order(
    State(desk): OrderDesk,
    Args(OrderId { id }): Args<OrderId>,
) -> Result<Json<Order>, DeskError> {
    desk.change(id, Status::Shipped, Status::Refunded).map(Json)
}

async fn catalog() -> Json<[Article; 2]> {
    Json(CATALOG)
}

async fn draft_reply(
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

async fn order_ids(State(desk): OrderDesk) -> Result<Vec<String>, DeskError> {
    Ok(desk.orders()?.keys().map(u32::to_string).collect())
}

// Who calls.

/// Opaque tokens `desk-…` that expire, by their digests.
#[derive(Debug, Default)]
struct SignIns(HashMap<String, (Principal, SystemTime)>);

impl Verifier for SignIns {
    fn verify<'a>(&'a self, bearer: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        Box::pin(async move {
            if !bearer.token.starts_with("desk-") {
                return Verdict::Unrecognized;
            }
            match self.0.get(&ApiKeys::digest(bearer.token)) {
                Some((who, until)) if bearer.now < *until => Verdict::Accepted(who.clone()),
                Some(_) => Verdict::Invalid(InvalidToken::Expired),
                None => Verdict::Invalid(InvalidToken::Unknown),
            }
        })
    }
}

// The server.

type Fault = Box<dyn Error + Send + Sync>;

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

fn server(desk: Desk, sign_ins: SignIns) -> Result<Server, Fault> {
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
fn sample() -> Result<(Desk, SignIns), Fault> {
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

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Fault> {
    let (desk, sign_ins) = sample()?;
    lambda_mcp::run(server(desk, sign_ins)?).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda_mcp::protocol::ProtocolVersion;
    use lambda_mcp::testing::{Answer, TestClient};
    use serde_json::json;

    /// A clerk at a desk of its own.
    fn clerk() -> TestClient {
        let (desk, sign_ins) = sample().unwrap();
        TestClient::new(server(desk, sign_ins).unwrap()).bearer("desk-clerk")
    }

    #[tokio::test]
    async fn orders_are_filtered_and_come_in_pages_in_every_version() {
        for version in ProtocolVersion::ALL {
            let client = clerk().version(version);
            let list = async |query| {
                let listed = client.call("list_orders", query).await;
                let page: Page = serde_json::from_str(&listed.text()).unwrap();
                let ids: Vec<u32> = page.orders.iter().map(|order| order.id).collect();
                (ids, page.next)
            };
            assert_eq!(list(json!({"limit": 1})).await, (vec![1], Some(1)));
            assert_eq!(list(json!({"after": 1})).await, (vec![2], None));
            assert_eq!(list(json!({"customer": "Char"})).await, (vec![2], None));
            assert_eq!(list(json!({"status": "shipped"})).await, (vec![], None));
        }
    }

    #[tokio::test]
    async fn the_model_reads_what_is_wrong_with_an_order() {
        let client = clerk();
        let place = |item| {
            let arguments = json!({"customer": "Mary", "items": [item]});
            client.call("place_order", arguments)
        };
        let placed = place(json!({"article": "MUG-001", "quantity": 3})).await;
        let order: Order = placed.structured();
        assert_eq!((order.id, order.total_cents), (3, 2_700));
        assert_eq!(order.placed_by, "clara");
        let refused = [
            (
                json!({"article": "MUG-001", "quantity": 0}),
                "`items[0].quantity`",
            ),
            (
                json!({"article": "mug", "quantity": 1}),
                "`items[0].article`",
            ),
            (
                json!({"article": "MUG-001", "quantity": 1, "colour": "red"}),
                "colour",
            ),
            (
                json!({"article": "CUP-001", "quantity": 1}),
                "`desk://catalog`",
            ),
        ];
        for (item, words) in refused {
            let result = place(item).await;
            assert!(
                result.is_error() && result.text().contains(words),
                "{result}"
            );
        }
    }

    #[tokio::test]
    async fn a_parcel_leaves_after_the_user_confirmed() {
        let ask = |answer| clerk().answer("confirm", answer);
        let ship = async |client: TestClient| {
            let shipped = client.call("ship_order", json!({"id": 1})).await;
            shipped.structured::<Order>().status
        };
        assert_eq!(ship(ask(Answer::decline())).await, Status::Open);
        let no = Answer::accept(json!({"ship": false}));
        assert_eq!(ship(ask(no)).await, Status::Open);
        let yes = Answer::accept(json!({"ship": true}));
        assert_eq!(ship(ask(yes)).await, Status::Shipped);
        let older = clerk().legacy(ProtocolVersion::V2025_11_25);
        assert_eq!(ship(older).await, Status::Shipped);
    }

    #[tokio::test]
    async fn only_a_manager_refunds() {
        let client = clerk();
        let refund = || client.call("refund_order", json!({"id": 1}));
        assert_eq!(refund().await.status(), 403);
        assert_eq!(refund().bearer("desk-stranger").await.status(), 401);
        let early = refund().bearer("desk-manager").await;
        assert!(early.text().contains("order 1 is Open"), "{early}");
        // A manager may do what a clerk may.
        let ship = client.call("ship_order", json!({"id": 1}));
        assert!(!ship.bearer("desk-manager").await.is_error());
        let refunded = refund().bearer("desk-manager").await;
        assert_eq!(refunded.structured::<Order>().status, Status::Refunded);
    }

    #[tokio::test]
    async fn a_sign_in_ends() {
        let (_, sign_ins) = sample().unwrap();
        let later = SystemTime::now() + Duration::from_secs(48 * 60 * 60);
        let verdict = sign_ins
            .verify(BearerToken::new("desk-clerk", None, later))
            .await;
        assert_eq!(verdict, Verdict::Invalid(InvalidToken::Expired));
    }

    #[tokio::test]
    async fn changes_share_a_limit() {
        let client = clerk().bearer("desk-manager");
        let tools = ["cancel_order", "ship_order", "refund_order"];
        let mut statuses = Vec::new();
        // One more than two windows allow, as the calls can begin at the end of one; no tool alone is
        // called more than its limit.
        for tool in tools.iter().cycle().take(11) {
            statuses.push(client.call(tool, json!({"id": 9})).await.status());
        }
        assert_eq!(statuses[..5], [200; 5]);
        assert!(statuses[5..].contains(&429), "{statuses:?}");
        assert_eq!(
            client.call("get_order", json!({"id": 1})).await.status(),
            200
        );
    }

    #[tokio::test]
    async fn resources_and_the_prompt_show_the_same_orders() {
        let client = clerk();
        assert!(
            client
                .read("desk://catalog")
                .await
                .text()
                .contains("MUG-001")
        );
        assert!(client.read("orders://2").await.text().contains("Charles"));
        let absent = client.read("orders://9").await.expect_protocol_error();
        assert_eq!(absent.code, -32602);
        let drafted = client.prompt("draft_reply", json!({"id": "1"})).await;
        assert!(
            drafted.text().ends_with("Ada: order 1 is Open."),
            "{drafted}"
        );
        let ids = client.complete_prompt("draft_reply", "id", "2").await;
        assert_eq!(ids.completion().values, ["2"]);
    }
}
