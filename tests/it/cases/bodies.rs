//! Creates the requests that the table describes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use super::table::HttpSpec;
use super::tokens;
use harness::HttpRequest;

/// Creates an HTTP request.
pub(crate) fn request(spec: &HttpSpec) -> Result<HttpRequest, String> {
    let mut request = HttpRequest::new(&spec.method, &spec.path);
    for (name, value) in &spec.headers {
        let value = value
            .as_str()
            .ok_or_else(|| format!("the header {name} is no text"))?;
        let value = tokens::signed(value)?;
        request.headers.push((name.clone(), value));
    }
    request.body = body(spec)?;
    Ok(request)
}

fn body(spec: &HttpSpec) -> Result<Option<Vec<u8>>, String> {
    if let Some(body) = &spec.body {
        return Ok(Some(body.to_string().into_bytes()));
    }
    if let Some(raw) = &spec.body_raw {
        return Ok(Some(raw.clone().into_bytes()));
    }
    if let Some(base64) = &spec.body_base64 {
        return BASE64
            .decode(base64)
            .map(Some)
            .map_err(|error| error.to_string());
    }
    spec.body_generator.as_deref().map(generate).transpose()
}

/// Generates a large body from its description.
fn generate(description: &str) -> Result<Vec<u8>, String> {
    let call = |id: u32, name: &str, arguments: Value| {
        let params = json!({"name": name, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    match description {
        "tools/call demo_read with q = 'a' * 2*1024*1024" => {
            let q = "a".repeat(2 * 1024 * 1024);
            Ok(call(1, "demo_read", json!({"q": q}))
                .to_string()
                .into_bytes())
        }
        "array of 500 x tools/call demo_read (ids 1..500) plus one tools/call demo_write (id 501); \
         no Authorization" => {
            let reads = (1..=500).map(|id| call(id, "demo_read", json!({"q": "a"})));
            let write = call(501, "demo_write", json!({"text": "x"}));
            let batch: Value = reads.chain([write]).collect();
            Ok(batch.to_string().into_bytes())
        }
        python if python.contains("'['*50000 + ']'*50000") => {
            // A concatenation of strings in Python syntax.
            let nested = "[".repeat(50_000) + &"]".repeat(50_000);
            let text = python
                .replace(" + '['*50000 + ']'*50000 + ", &nested)
                .replace('\'', "");
            Ok(text.into_bytes())
        }
        other => Err(format!("there is no generator for {other:?}")),
    }
}
