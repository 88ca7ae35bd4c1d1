//! Questions of the server: answered by the client, or by the test.

use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::{Answer, TestClient};
use serde_json::{Value, json};

use super::recorded;
use crate::fixtures::{assert_refused, client, conformance};

const MODERN: ProtocolVersion = ProtocolVersion::V2026_07_28;

#[tokio::test]
async fn questions_are_answered_until_the_result_is_complete() {
    let name = Answer::accept(json!({"name": "Ada"}));
    let color = Answer::accept(json!({"color": "red"}));
    let (client, sent) = recorded(
        TestClient::new(conformance())
            .answer("step1", name.clone())
            .answer("step2", color),
    );
    let result = client
        .call("test_input_required_result_multi_round", json!({}))
        .await;
    assert_eq!(result.text(), "Ada likes red.");
    let sent = std::mem::take(&mut *sent.lock().unwrap());
    assert_eq!(sent.len(), 3, "two rounds of questions");
    let ids: Vec<&Value> = sent.iter().map(|(_, message)| &message["id"]).collect();
    assert!(
        ids[0] != ids[1] && ids[1] != ids[2],
        "each round is a request of its own"
    );
    let can = json!({"elicitation": {"form": {}, "url": {}}});
    for (_, message) in &sent {
        let declared = &message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        assert_eq!(*declared, can, "the same in each round");
    }

    let everything = client_with_everything();
    let result = everything
        .call("test_input_required_result_multiple_inputs", json!({}))
        .await;
    assert_eq!(
        result.text(),
        "Hi, Generate a greeting! What is your name? works in 2 directories."
    );
    let result = everything
        .call("test_input_required_result_url", json!({}))
        .await;
    assert_eq!(result.text(), "They went to the page.");
    let resource = TestClient::new(conformance())
        .on_elicit(|_| Answer::accept(json!({"color": "blue"})))
        .read("test://asking")
        .await;
    assert_eq!(resource.text(), "It is blue.");
}

fn client_with_everything() -> TestClient {
    client(&conformance(), MODERN)
        .on_elicit(|question| match question.url() {
            Some("https://example.com/consent") => Answer::accept_url(),
            Some(other) => panic!("{other}"),
            None => Answer::accept(json!({"name": question.message()})),
        })
        .on_sample(|question| Answer::sampled(&format!("Hi, {}!", question.message())))
        .roots(["file:///a", "file:///b"])
}

#[tokio::test]
async fn questions_without_an_answer_are_the_test_s_to_answer() {
    let can = json!({"elicitation": {}, "sampling": {}, "roots": {}});
    let client = client(&conformance(), MODERN).capabilities(can);
    let asked = client
        .call("test_input_required_result_elicitation", json!({}))
        .await;
    assert!(asked.is_input_required());
    let question = asked.question("user_name");
    assert_eq!(question.method(), "elicitation/create");
    assert_eq!(question.message(), "What is your name?");
    assert_eq!(question.schema()["required"], json!(["name"]));

    let answered = client
        .resume(&asked)
        .answer("user_name", Answer::accept(json!({"name": "Ada"})));
    assert_eq!(answered.await.text(), "Hello, Ada!");
    let declined = client
        .resume(&asked)
        .answer("user_name", Answer::decline())
        .await;
    assert_eq!(declined.text(), "Hello, whoever you are!");
    assert!(!declined.is_input_required() && declined.questions().is_empty());

    // An answer that cannot be used is not given again: the question comes back with the reason.
    let wrong = client.answer("user_name", Answer::accept(json!({"name": 5})));
    let again = wrong
        .call("test_input_required_result_elicitation", json!({}))
        .await;
    assert!(
        again
            .question("user_name")
            .message()
            .contains("must be a string")
    );

    // Answers of the client and of the test go together.
    let asked = client_with_everything()
        .call("test_input_required_result_elicitation", json!({}))
        .await;
    assert_eq!(asked.text(), "Hello, What is your name?!");
}

#[tokio::test]
async fn a_client_without_answers_cannot_be_asked() {
    let client = client(&conformance(), MODERN);
    let refused = client
        .call("test_input_required_result_elicitation", json!({}))
        .await;
    let error = assert_refused(&refused, 400, -32021);
    assert_eq!(
        error.data["requiredCapabilities"],
        json!({"elicitation": {"form": {}}})
    );
}

#[tokio::test]
async fn a_tool_that_asks_without_end_is_given_up() {
    let asking = TestClient::new(conformance()).on_elicit(|_| Answer::accept(json!({"name": 5})));
    let call = asking.call("test_input_required_result_elicitation", json!({}));
    let ended = tokio::spawn(async { call.await.text() }).await;
    let panic = ended.unwrap_err().into_panic();
    let words = panic.downcast_ref::<String>().unwrap();
    assert!(words.contains("still asks after 20 rounds"), "{words}");
}
