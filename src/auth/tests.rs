//! Authentication as a whole, with verifiers that return what a test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::header::AUTHORIZATION;

use std::time::SystemTime;

use http::HeaderMap;
use http::request::Parts;

use super::*;
use crate::future::BoxFuture;

const BASE: &str = "https://mcp.example.com";

/// Returns one verdict for every token, and counts its calls.
#[derive(Debug, Clone)]
struct Fixed {
    verdict: Verdict,
    calls: Arc<AtomicUsize>,
}

impl Verifier for Fixed {
    fn verify<'a>(&'a self, _: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::ready(self.verdict.clone()))
    }
}

fn fixed(verdict: Verdict) -> Fixed {
    Fixed {
        verdict,
        calls: Arc::default(),
    }
}

fn auth(verdicts: &[Verdict]) -> Auth {
    verdicts.iter().fold(Auth::new(), |auth, verdict| {
        auth.verifier(fixed(verdict.clone()))
    })
}

fn accepted(scopes: &str) -> Verdict {
    Verdict::Accepted(Principal::new("ada", scopes.parse().unwrap()))
}

fn parts(headers: HeaderMap) -> Parts {
    let (mut parts, ()) = http::Request::post("/mcp").body(()).unwrap().into_parts();
    parts.headers = headers;
    parts
}

fn bearer(value: &'static str) -> Parts {
    let header = (AUTHORIZATION, http::HeaderValue::from_static(value));
    parts([header].into_iter().collect())
}

fn nothing() -> Parts {
    parts(HeaderMap::new())
}

fn arrival<'a>(request: &'a Parts, base_url: Option<&'a str>) -> Arrival<'a> {
    Arrival {
        request,
        request_id: None,
        all_headers: None,
        authorizer: None,
        source_ip: None,
        base_url,
        path: "/mcp",
        at: SystemTime::UNIX_EPOCH,
    }
}

fn caller<'a>(auth: &'a Auth, request: &'a Parts) -> Caller<'a> {
    Caller::new(auth, arrival(request, Some(BASE)))
}

async fn outcome(auth: &Auth, request: &Parts, required: &str) -> &'static str {
    let required = required.parse().unwrap();
    match caller(auth, request)
        .authorize(Requirement::Scopes(&required))
        .await
    {
        Ok(Some(_)) => "authorized",
        Ok(None) => "anonymous",
        Err(challenge) => challenge.as_str(),
    }
}

#[tokio::test]
async fn the_first_verifier_that_accepts_or_finds_invalid_decides() {
    let (valid, expired) = (accepted("a"), Verdict::Invalid(InvalidToken::Expired));
    let rows: [(&[Verdict], &str); 8] = [
        (&[], "unknown"),
        (&[Verdict::Unrecognized], "unknown"),
        (&[Verdict::Unrecognized, valid.clone()], "authorized"),
        (&[valid.clone(), expired.clone()], "authorized"),
        (&[expired.clone(), valid.clone()], "expired"),
        (
            &[Verdict::Unavailable, Verdict::Unrecognized],
            "unavailable",
        ),
        (&[Verdict::Unavailable, valid.clone()], "authorized"),
        (&[Verdict::Unavailable, expired.clone()], "expired"),
    ];
    for (verdicts, expected) in rows {
        let outcome = outcome(&auth(verdicts), &bearer("Bearer x"), "a").await;
        assert_eq!(outcome, expected, "{verdicts:?}");
    }
}

#[tokio::test]
async fn a_credential_needs_the_required_scopes() {
    let auth = auth(&[accepted("a b")]);
    for (required, expected) in [
        ("", "authorized"),
        ("a", "authorized"),
        ("b a", "authorized"),
        ("a c", "insufficient_scope"),
    ] {
        let outcome = outcome(&auth, &bearer("bearer x"), required).await;
        assert_eq!(outcome, expected, "{required}");
    }
    assert_eq!(outcome(&auth, &nothing(), "").await, "missing");
    assert_eq!(outcome(&auth, &bearer("Basic x"), "").await, "scheme");
}

#[tokio::test]
async fn a_credential_is_checked_on_need_and_once() {
    let verifier = fixed(accepted("a"));
    let auth = Auth::new().verifier(verifier.clone());
    let calls = || verifier.calls.load(Ordering::Relaxed);
    let request = bearer("Bearer x");
    let caller = caller(&auth, &request);
    assert_eq!(caller.authorize(Requirement::Nothing).await, Ok(None));
    assert_eq!(calls(), 0, "a public call checks nothing");
    let required = "a".parse().unwrap();
    assert!(
        caller
            .authorize(Requirement::Scopes(&required))
            .await
            .is_ok()
    );
    assert!(
        caller
            .authorize(Requirement::Scopes(&Scopes::none()))
            .await
            .is_ok()
    );
    assert_eq!(calls(), 1);
}

#[tokio::test]
async fn a_malformed_header_reaches_no_verifier() {
    let verifier = fixed(accepted(""));
    let auth = Auth::new().verifier(verifier.clone());
    for value in [
        "Bearer",
        "Bearer null",
        "Bearer undefined",
        "Bearer ${API_KEY}",
        "Basic dXNlcjpwYXNz",
        "test-key-valid",
        "Bearer a, Bearer b",
    ] {
        let request = bearer(value);
        let caller = caller(&auth, &request);
        let challenge = caller
            .authorize(Requirement::Scopes(&Scopes::none()))
            .await
            .unwrap_err();
        assert_eq!(challenge.status(), 401, "{value}");
        assert_eq!(
            caller.authorize(Requirement::Nothing).await,
            Ok(None),
            "{value}"
        );
    }
    assert_eq!(verifier.calls.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn the_challenge_names_the_metadata_only_if_there_is_an_authorization_server() {
    let login = "https://login.example.com".parse().unwrap();
    let with = Auth::new().authorization_server(login);
    let (request, required) = (nothing(), "a".parse::<Scopes>().unwrap());
    let challenge = |auth, base_url| {
        let caller = Caller::new(auth, arrival(&request, base_url));
        let required = &required;
        async move {
            format!(
                "{:?}",
                caller.authorize(Requirement::Scopes(required)).await
            )
        }
    };
    let expected = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
    assert!(challenge(&with, Some(BASE)).await.contains(expected));
    assert!(!challenge(&with, None).await.contains("https://"));
    assert!(
        !challenge(&Auth::new(), Some(BASE))
            .await
            .contains("https://")
    );
    assert!(with.metadata(BASE, "x", &required).is_some());
    assert!(Auth::new().metadata(BASE, "x", &required).is_none());
}

#[tokio::test]
async fn verifiers_see_the_endpoint_and_debug_output_hides_the_token() {
    #[derive(Debug)]
    struct Shows;
    impl Verifier for Shows {
        fn verify<'a>(&'a self, bearer: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
            let subject = format!("{bearer:?}");
            Box::pin(async { Verdict::Accepted(Principal::new(subject, Scopes::none())) })
        }
    }
    let auth = Auth::new().verifier(Shows);
    let request = bearer("Bearer secret-token");
    let caller = caller(&auth, &request);
    let required = Scopes::none();
    let principal = caller
        .authorize(Requirement::Scopes(&required))
        .await
        .unwrap();
    let shown = principal.unwrap().subject();
    assert!(shown.contains("https://mcp.example.com/mcp"), "{shown}");
    assert!(!shown.contains("secret-token"), "{shown}");
}

/// A verifier that does not return a verdict.
#[derive(Debug)]
enum Broken {
    Hangs,
    Panics,
    PanicsAtOnce,
}

impl Verifier for Broken {
    fn verify<'a>(&'a self, _: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        match self {
            Self::Hangs => Box::pin(std::future::pending()),
            Self::Panics => Box::pin(async { panic!("planted") }),
            Self::PanicsAtOnce => panic!("planted"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_verifier_that_hangs_or_panics_makes_the_credential_unavailable() {
    for broken in [Broken::Hangs, Broken::Panics, Broken::PanicsAtOnce] {
        let shown = format!("{broken:?}");
        let auth = Auth::new().verifier(broken);
        let started = tokio::time::Instant::now();
        let outcome = outcome(&auth, &bearer("Bearer x"), "a").await;
        assert_eq!(outcome, "unavailable", "{shown}");
        assert!(started.elapsed().as_millis() <= 5001, "{shown}");
    }
}

#[tokio::test(start_paused = true)]
async fn all_verifiers_together_have_the_timeout() {
    let auth = Auth::new()
        .verifier(Broken::Hangs)
        .verifier(Broken::Hangs)
        .verifier(fixed(accepted("a")))
        .verifier_timeout(std::time::Duration::from_millis(100));
    let started = tokio::time::Instant::now();
    let first = outcome(&auth, &bearer("Bearer x"), "a").await;
    // One that answers at once still decides after the time is used up.
    assert_eq!(first, "authorized");
    assert!(started.elapsed().as_millis() <= 101);
    // A panic leaves the time to the verifiers after it.
    let auth = Auth::new()
        .verifier(Broken::Panics)
        .verifier(fixed(accepted("a")));
    let second = outcome(&auth, &bearer("Bearer x"), "a").await;
    assert_eq!(second, "authorized");
}
