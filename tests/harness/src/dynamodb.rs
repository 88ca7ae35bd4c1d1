//! A DynamoDB in the process of the test, and the table of the template in it.

use std::net::SocketAddr;
use std::sync::Arc;

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType,
    ScalarAttributeType, TimeToLiveSpecification,
};
use dynoxide::Database;
use dynoxide::storage_backend::{Clock, ManualClock};
use tokio::net::TcpListener;

/// The name of the table.
pub const TABLE: &str = "limits";

/// What a function would read from its environment.
pub fn config(url: &str) -> SdkConfig {
    let credentials = Credentials::new("test", "test", None, None, "test");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("eu-central-1"))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .endpoint_url(url)
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build()
}

/// The table as the template makes it.
pub async fn create_table(client: &Client, table: &str) {
    let key = KeySchemaElement::builder()
        .attribute_name("pk")
        .key_type(KeyType::Hash);
    let attribute = AttributeDefinition::builder()
        .attribute_name("pk")
        .attribute_type(ScalarAttributeType::S);
    client
        .create_table()
        .table_name(table)
        .key_schema(key.build().unwrap())
        .attribute_definitions(attribute.build().unwrap())
        .billing_mode(BillingMode::PayPerRequest)
        .send()
        .await
        .unwrap();
    let ttl = TimeToLiveSpecification::builder()
        .attribute_name("expires_at")
        .enabled(true);
    client
        .update_time_to_live()
        .table_name(table)
        .time_to_live_specification(ttl.build().unwrap())
        .send()
        .await
        .unwrap();
}

/// An empty DynamoDB with the table, for one test.
pub struct Store {
    /// Where it listens.
    pub address: SocketAddr,
    client: Client,
    database: Database,
    clock: Arc<ManualClock>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Store {
    /// Starts it with its clock at `now_s`, in seconds since 1970.
    pub async fn start(now_s: u64) -> Self {
        let clock = Arc::new(ManualClock::new(now_s));
        let told: Arc<dyn Clock> = Arc::<ManualClock>::clone(&clock);
        let database = Database::memory_with_clock(told).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(dynoxide::server::serve_on(listener, database.clone()));
        let client = Client::new(&config(&format!("http://{address}")));
        create_table(&client, TABLE).await;
        Self {
            address,
            client,
            database,
            clock,
        }
    }

    /// All items, as `name=value` in the order of the names.
    pub async fn items(&self) -> Vec<String> {
        let scan = self.client.scan().table_name(TABLE).send().await.unwrap();
        let text = |value: &AttributeValue| match value {
            AttributeValue::S(text) | AttributeValue::N(text) => text.clone(),
            AttributeValue::B(bytes) => format!("{} bytes", bytes.as_ref().len()),
            other => panic!("{other:?}"),
        };
        let mut items: Vec<_> = scan
            .items()
            .iter()
            .map(|item| {
                let mut item: Vec<_> = item
                    .iter()
                    .map(|(name, v)| format!("{name}={}", text(v)))
                    .collect();
                item.sort_unstable();
                item.join(" ")
            })
            .collect();
        items.sort_unstable();
        items
    }

    /// Moves the clock of the database and deletes what has expired by then; returns how many items.
    pub fn sweep_at(&self, now_s: u64) -> usize {
        self.clock.set(now_s);
        self.database.sweep_ttl().unwrap()
    }
}
