//! The orders. Nothing here knows of the protocol, except the two conversions of errors.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lambda_mcp::ToolError;
use lambda_mcp::handler::{IntoRequestError, IntoToolError, NeedsInput, RequestError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Open,
    Shipped,
    Cancelled,
    Refunded,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Item {
    /// The number of an article of `desk://catalog`.
    #[schemars(regex(pattern = "^[A-Z]{3}-[0-9]{3}$"))]
    pub(crate) article: String,
    /// How many pieces.
    #[schemars(range(min = 1, max = 99))]
    pub(crate) quantity: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Order {
    pub(crate) id: u32,
    pub(crate) customer: String,
    pub(crate) status: Status,
    pub(crate) items: Vec<Item>,
    pub(crate) total_cents: u64,
    /// The clerk who placed the order.
    pub(crate) placed_by: String,
}

#[derive(Serialize)]
pub(crate) struct Article {
    number: &'static str,
    price_cents: u64,
}

pub(crate) const CATALOG: [Article; 2] = [
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
pub(crate) enum DeskError {
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
pub(crate) struct Desk(Mutex<BTreeMap<u32, Order>>);

impl Desk {
    pub(crate) fn orders(&self) -> Result<MutexGuard<'_, BTreeMap<u32, Order>>, DeskError> {
        Ok(self.0.lock()?)
    }

    pub(crate) fn get(&self, id: u32) -> Result<Order, DeskError> {
        let found = self.orders()?.get(&id).cloned();
        found.ok_or(DeskError::UnknownOrder(id))
    }

    pub(crate) fn place(
        &self,
        customer: &str,
        items: Vec<Item>,
        clerk: &str,
    ) -> Result<Order, DeskError> {
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

    pub(crate) fn change(&self, id: u32, from: Status, to: Status) -> Result<Order, DeskError> {
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
