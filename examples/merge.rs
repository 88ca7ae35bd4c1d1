//! A server made of parts that are written apart, each with a state of its own.
//!
//! Run it with `make run-example EXAMPLE=merge`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_orders"}}'
//! ```

use std::sync::Arc;

use lambda_mcp::handler::FromRef;
use lambda_mcp::server::ServerBuilder;
use lambda_mcp::{Server, State, prompt, resource, tool};

/// The state of the orders. Its parts are taken by themselves.
#[derive(Clone)]
struct Orders {
    open: Arc<[&'static str]>,
    currency: Currency,
}

#[derive(Clone, Copy)]
struct Currency(&'static str);

impl FromRef<Orders> for Currency {
    fn from_ref(orders: &Orders) -> Self {
        orders.currency
    }
}

async fn open_orders(State(orders): State<Orders>) -> String {
    orders.open.join(", ")
}

async fn currency(State(Currency(currency)): State<Currency>) -> &'static str {
    currency
}

fn orders() -> ServerBuilder<Orders> {
    let open: Arc<[_]> = Arc::from(["3 apples", "1 pear"]);
    let currency_of = Currency("EUR");
    Server::builder("orders", "1.0.0")
        .state(Orders {
            open,
            currency: currency_of,
        })
        .tool(tool("open_orders", open_orders).read_only())
        .resource(resource("orders:currency", "currency", currency))
}

/// The state of the stock.
type Stock = Arc<Vec<(&'static str, u32)>>;

async fn stock(State(stock): State<Stock>) -> String {
    let lines = stock
        .iter()
        .map(|(fruit, pieces)| format!("{pieces} {fruit}"));
    lines.collect::<Vec<_>>().join("\n")
}

async fn reorder(State(stock): State<Stock>) -> String {
    let few = stock.iter().filter(|(_, pieces)| *pieces < 5);
    let few: Vec<&str> = few.map(|(fruit, _)| *fruit).collect();
    format!("Write an order for: {}.", few.join(", "))
}

fn warehouse() -> ServerBuilder<Stock> {
    Server::builder("warehouse", "1.0.0")
        .state(Arc::new(vec![("apples", 7), ("pears", 2)]))
        .tool(tool("stock", stock).read_only())
        .prompt(prompt("reorder", reorder))
}

pub(crate) fn server() -> Result<Server, lambda_mcp::Error> {
    let shop = Server::builder("shop", "1.0.0").instructions("Look at the stock first.");
    Ok(shop.merge(orders()).merge(warehouse()).build()?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    lambda_mcp::run(server()?).await
}
