//! The order desk as its staff use it.

use std::time::{Duration, SystemTime};

use lambda_mcp::auth::{BearerToken, InvalidToken, Verdict, Verifier};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::{Answer, TestClient};
use serde_json::json;

use super::desk::{Order, Status};
use super::handlers::Page;
use super::server::{sample, server};

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
