//! Keys at a URL that is slow, down, rotating, or answers with something else.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use lambda_mcp::BoxFuture;
use lambda_mcp::auth::{FetchError, FetchJwks, HttpsJwks, HttpsUrl, Jwt, JwtKeys};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::mint::{Signer, claims_with, ed25519_jwk, p256_jwk, published, token};
use super::{ISSUER, NOW_S, at, check, check_at, outcome};

/// What the issuer answers.
#[derive(Debug, Clone)]
enum Answer {
    Document(String),
    Down,
    /// It answers after a day.
    NoReply,
    /// It answers after a second.
    Slow(String),
}

/// An issuer whose answer a test can change, and which counts how often it was asked.
#[derive(Debug, Clone)]
struct Issuer {
    answer: Arc<Mutex<Answer>>,
    asked: Arc<AtomicUsize>,
}

impl Issuer {
    fn new(answer: Answer) -> Self {
        Self {
            answer: Arc::new(Mutex::new(answer)),
            asked: Arc::default(),
        }
    }

    fn set(&self, answer: Answer) {
        *self.answer.lock().unwrap() = answer;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    fn tokens(&self) -> Jwt {
        let url = "https://login.example.com/jwks".parse().unwrap();
        Jwt::new(ISSUER, JwtKeys::jwks_url(url, self.clone()))
    }
}

impl FetchJwks for Issuer {
    fn fetch<'a>(&'a self, _: &'a HttpsUrl) -> BoxFuture<'a, Result<Bytes, FetchError>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let answer = self.answer.lock().unwrap().clone();
        Box::pin(async move {
            match answer {
                Answer::Document(text) => Ok(Bytes::from(text)),
                Answer::Down => Err(FetchError::new("connection refused")),
                Answer::NoReply => {
                    tokio::time::sleep(Duration::from_secs(24 * 60 * 60)).await;
                    Err(FetchError::new("waited for too long"))
                }
                Answer::Slow(text) => {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    Ok(Bytes::from(text))
                }
            }
        })
    }
}

fn document(keys: &[Value]) -> Answer {
    Answer::Document(json!({ "keys": keys }).to_string())
}

/// A token that outlives every test, by a key of this name.
fn lasting(kid: &str, signer: Signer) -> String {
    let alg = match signer {
        Signer::EdDsa => "EdDSA",
        _ => "ES256",
    };
    let claims = claims_with("exp", json!(NOW_S + 1_000_000));
    token(&json!({"alg": alg, "kid": kid}), &claims, signer)
}

fn p256() -> String {
    lasting("p256", Signer::Es256)
}

#[tokio::test]
async fn keys_are_fetched_on_the_first_need_and_kept_for_ten_minutes() {
    let issuer = Issuer::new(document(&[p256_jwk()]));
    let (tokens, good) = (issuer.tokens(), p256());
    assert_eq!(outcome(&check(&tokens, "lmk_key").await), "unrecognized");
    assert_eq!(
        issuer.asked(),
        0,
        "what is no token of the issuer asks for nothing"
    );
    for (seconds, asked) in [(0, 1), (1, 1), (599, 1), (600, 2), (601, 2), (1200, 3)] {
        let verdict = check_at(&tokens, &good, at(seconds)).await;
        assert_eq!(outcome(&verdict), "ada", "{seconds}");
        assert_eq!(issuer.asked(), asked, "{seconds}");
    }
}

#[tokio::test]
async fn an_unknown_key_is_asked_for_once_a_minute_at_most() {
    let issuer = Issuer::new(document(&[p256_jwk()]));
    let tokens = issuer.tokens();
    for (seconds, asked) in [(0, 1), (1, 1), (59, 1), (60, 2), (61, 2), (120, 3)] {
        let made_up = lasting(&format!("made-up-{seconds}"), Signer::OtherEs256);
        let verdict = check_at(&tokens, &made_up, at(seconds)).await;
        assert_eq!(outcome(&verdict), "signature", "{seconds}");
        assert_eq!(issuer.asked(), asked, "{seconds}");
    }
}

#[tokio::test]
async fn a_rotated_key_is_found_and_the_old_one_is_gone() {
    let issuer = Issuer::new(document(&[p256_jwk()]));
    let tokens = issuer.tokens();
    let (old, new) = (p256(), lasting("ed", Signer::EdDsa));
    assert_eq!(outcome(&check(&tokens, &old).await), "ada");
    issuer.set(document(&[ed25519_jwk()]));
    let soon = check_at(&tokens, &new, at(30)).await;
    assert_eq!(outcome(&soon), "signature", "asked a moment ago");
    assert_eq!(outcome(&check_at(&tokens, &new, at(60)).await), "ada");
    assert_eq!(outcome(&check_at(&tokens, &old, at(60)).await), "signature");
    assert_eq!(issuer.asked(), 2);
}

#[tokio::test]
async fn the_last_keys_serve_for_a_day_while_the_issuer_is_down() {
    let day_s = 24 * 60 * 60;
    for trouble in [
        Answer::Down,
        Answer::Document("<html>502</html>".to_owned()),
        Answer::Document(r#"{"keys":[]}"#.to_owned()),
        Answer::Document(format!("{}{}", published(), " ".repeat(64 * 1024))),
    ] {
        let issuer = Issuer::new(document(&[p256_jwk()]));
        let (tokens, good) = (issuer.tokens(), p256());
        assert_eq!(outcome(&check(&tokens, &good).await), "ada");
        issuer.set(trouble.clone());
        let rows = [
            (600, "ada", 2),
            (601, "ada", 2),
            (659, "ada", 2),
            (660, "ada", 3),
            (day_s - 1, "ada", 4),
            (day_s, "unavailable", 4),
            (day_s + 59, "unavailable", 5),
        ];
        for (seconds, expected, asked) in rows {
            let verdict = check_at(&tokens, &good, at(seconds)).await;
            assert_eq!(outcome(&verdict), expected, "{seconds} {trouble:?}");
            assert_eq!(issuer.asked(), asked, "{seconds} {trouble:?}");
        }
        issuer.set(document(&[p256_jwk()]));
        let verdict = check_at(&tokens, &good, at(day_s + 200)).await;
        assert_eq!(outcome(&verdict), "ada", "it comes back");
    }
}

#[tokio::test]
async fn without_any_keys_nobody_is_known_and_the_issuer_is_not_hammered() {
    let issuer = Issuer::new(Answer::Down);
    let (tokens, good) = (issuer.tokens(), p256());
    for (seconds, asked) in [(0, 1), (0, 1), (4, 1), (5, 2), (9, 2), (10, 3)] {
        let verdict = check_at(&tokens, &good, at(seconds)).await;
        assert_eq!(outcome(&verdict), "unavailable", "{seconds}");
        assert_eq!(issuer.asked(), asked, "{seconds}");
    }
    issuer.set(document(&[p256_jwk()]));
    assert_eq!(outcome(&check_at(&tokens, &good, at(15)).await), "ada");
}

#[tokio::test(start_paused = true)]
async fn a_silent_issuer_costs_two_seconds_and_then_nothing() {
    let issuer = Issuer::new(Answer::NoReply);
    let (tokens, good) = (issuer.tokens(), p256());
    let began = tokio::time::Instant::now();
    assert_eq!(outcome(&check(&tokens, &good).await), "unavailable");
    assert_eq!(began.elapsed().as_secs(), 2);
    assert_eq!(
        outcome(&check_at(&tokens, &good, at(3)).await),
        "unavailable"
    );
    assert_eq!(
        began.elapsed().as_secs(),
        2,
        "it is not asked again at once"
    );
    assert_eq!(issuer.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_while_it_waits_leaves_no_lock_and_counts() {
    let issuer = Issuer::new(Answer::NoReply);
    let (tokens, good) = (issuer.tokens(), p256());
    let given_up = tokio::time::timeout(Duration::from_millis(100), check(&tokens, &good)).await;
    assert!(given_up.is_err());
    assert_eq!(
        outcome(&check_at(&tokens, &good, at(1)).await),
        "unavailable"
    );
    assert_eq!(issuer.asked(), 1);
    issuer.set(document(&[p256_jwk()]));
    assert_eq!(outcome(&check_at(&tokens, &good, at(5)).await), "ada");
}

#[tokio::test(start_paused = true)]
async fn many_callers_share_one_fetch() {
    let keys = json!({"keys": [p256_jwk()]}).to_string();
    let issuer = Issuer::new(Answer::Slow(keys));
    let (tokens, good) = (issuer.tokens(), p256());
    let calls = (0..20).map(|_| check(&tokens, &good));
    for verdict in futures_util::future::join_all(calls).await {
        assert_eq!(outcome(&verdict), "ada");
    }
    assert_eq!(issuer.asked(), 1);
    // When the set is old, one waits for the new one and the others are served meanwhile.
    let began = tokio::time::Instant::now();
    let waits = check_at(&tokens, &good, at(700));
    let served = async {
        let verdict = check_at(&tokens, &good, at(700)).await;
        (outcome(&verdict).to_owned(), began.elapsed().as_millis())
    };
    let (waited, served) = tokio::join!(waits, served);
    assert_eq!(outcome(&waited), "ada");
    assert_eq!(served, ("ada".to_owned(), 0));
    assert_eq!(issuer.asked(), 2);
}

/// Answers each connection with this text, as it stands.
async fn server(answer: String) -> HttpsUrl {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/jwks", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let read = stream.read(&mut request).await.unwrap();
            assert!(request[..read].starts_with(b"GET /jwks HTTP/1.1\r\n"));
            // A client that has read enough may be gone.
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    url.parse().unwrap()
}

fn response(status: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

#[tokio::test]
async fn keys_come_over_http_and_nothing_else_does() {
    let keys = published().to_string();
    let large = format!("{keys}{}", " ".repeat(64 * 1024));
    let rows = [
        (response("200 OK", &keys), "ada"),
        (response("404 Not Found", &keys), "unavailable"),
        (response("500 Oops", &keys), "unavailable"),
        (
            format!(
                "HTTP/1.1 302 Found\r\nlocation: /other\r\n{}",
                &response("", &keys)[10..]
            ),
            "unavailable",
        ),
        (response("200 OK", &large), "unavailable"),
        (response("200 OK", "<html>"), "unavailable"),
        (response("200 OK", &keys)[..200].to_owned(), "unavailable"),
        (String::new(), "unavailable"),
    ];
    for (answer, expected) in rows {
        let url = server(answer.clone()).await;
        let tokens = Jwt::new(ISSUER, JwtKeys::jwks_url(url, HttpsJwks::new()));
        let start: String = answer.chars().take(40).collect();
        assert_eq!(outcome(&check(&tokens, &p256()).await), expected, "{start}");
    }
}

#[tokio::test]
async fn an_issuer_that_is_not_there_is_unavailable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/jwks", listener.local_addr().unwrap());
    drop(listener);
    let url = url.parse().unwrap();
    let tokens = Jwt::new(ISSUER, JwtKeys::jwks_url(url, HttpsJwks::new()));
    assert_eq!(outcome(&check(&tokens, &p256()).await), "unavailable");
}
