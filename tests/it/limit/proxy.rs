//! A listener in front of DynamoDB that counts requests and breaks them to order.
//!
//! It speaks just enough HTTP to know where a message ends, so that every fault is what it would be
//! on a wire: a reset is a reset, a silence is a silence.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What becomes of a request.
#[derive(Debug, Clone)]
pub(super) enum Fault {
    /// It is answered by the store.
    None,
    /// It never reaches the store, which seems to answer this.
    Answer(u16, String),
    /// The connection is reset instead of an answer.
    Reset,
    /// The connection is closed instead of an answer.
    Close,
    /// No answer comes, and the connection stays.
    Hang,
    /// The store does what is asked, and its answer is lost.
    LoseReply,
}

#[derive(Debug)]
pub(super) struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    store: SocketAddr,
    connections: AtomicUsize,
    requests: AtomicUsize,
    /// What becomes of the next requests, then of all others.
    faults: Mutex<(VecDeque<Fault>, Fault)>,
}

impl Proxy {
    /// Begins to listen in front of `store`.
    pub(super) async fn start(store: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            store,
            connections: AtomicUsize::new(0),
            requests: AtomicUsize::new(0),
            faults: Mutex::new((VecDeque::new(), Fault::None)),
        });
        let serving = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                serving.connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(Arc::clone(&serving), client));
            }
        });
        Self { address, shared }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Plans what becomes of the next requests, and of all after them.
    pub(super) fn plan(&self, next: &[Fault], then: Fault) {
        *self.shared.faults.lock().unwrap() = (next.iter().cloned().collect(), then);
    }

    /// The requests since it was asked last.
    pub(super) fn requests(&self) -> usize {
        self.shared.requests.swap(0, Ordering::SeqCst)
    }

    /// The connections since it was asked last.
    pub(super) fn connections(&self) -> usize {
        self.shared.connections.swap(0, Ordering::SeqCst)
    }
}

async fn serve(shared: Arc<Shared>, mut client: TcpStream) {
    let mut store = TcpStream::connect(shared.store).await.unwrap();
    while let Some(request) = read_message(&mut client).await {
        shared.requests.fetch_add(1, Ordering::SeqCst);
        let fault = {
            let mut faults = shared.faults.lock().unwrap();
            let planned = faults.0.pop_front();
            planned.unwrap_or_else(|| faults.1.clone())
        };
        let answer = match fault {
            Fault::None | Fault::LoseReply => {
                store.write_all(&request).await.unwrap();
                read_message(&mut store).await.unwrap()
            }
            Fault::Answer(status, ref body) => format!(
                "HTTP/1.1 {status} Planted\r\ncontent-type: application/x-amz-json-1.0\r\n\
                 content-length: {}\r\n\r\n{body}",
                body.len()
            )
            .into_bytes(),
            Fault::Reset | Fault::Close | Fault::Hang => Vec::new(),
        };
        match fault {
            Fault::None | Fault::Answer(..) => client.write_all(&answer).await.unwrap(),
            Fault::Close | Fault::LoseReply => return,
            Fault::Reset => return client.set_zero_linger().unwrap(),
            Fault::Hang => {
                // Until the client gives up.
                while client.read(&mut [0; 64]).await.is_ok_and(|n| n > 0) {}
                return;
            }
        }
    }
}

/// One whole HTTP message; `None` at the end of the connection.
async fn read_message(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let n = stream.read(&mut chunk).await.ok()?;
        if n == 0 {
            return None;
        }
        message.extend_from_slice(&chunk[..n]);
        let Some(head) = message.windows(4).position(|end| end == b"\r\n\r\n") else {
            continue;
        };
        let text = String::from_utf8_lossy(&message[..head]).to_ascii_lowercase();
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.unwrap_or("0").trim().parse().unwrap();
        if message.len() >= head + 4 + length {
            return Some(message);
        }
    }
}
