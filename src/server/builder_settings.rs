//! The settings of a [`ServerBuilder`]: identity, endpoint, limits, credentials and tasks.

use std::time::Duration;

use crate::auth::Auth;
use crate::era::HeaderOnlyRequests;
use crate::gate::{Hosts, Origins};
use crate::limit::Limits;
use crate::server::builder::ServerBuilder;
use crate::tasks::Tasks;
use crate::wire::annotations::Icon;

impl<S> ServerBuilder<S> {
    /// Sets the display name of the server. Defaults to none: user interfaces show the name.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.settings.identity.title = Some(title.into());
        self
    }

    /// Sets what the server is, in one sentence. Defaults to none.
    ///
    /// User interfaces show it; [`instructions`](Self::instructions) are for the model.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.settings.identity.description = Some(description.into());
        self
    }

    /// Sets the URL of a web page about the server. Defaults to none.
    pub fn website_url(mut self, url: impl Into<String>) -> Self {
        self.settings.identity.website_url = Some(url.into());
        self
    }

    /// Adds an icon of the server. Clients before revision 2025-11-25 do not get icons.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::Server;
    /// use lambda_mcp::content::Icon;
    ///
    /// let icon = Icon::new("https://example.com/icon.png").mime_type("image/png").size("96x96");
    /// assert!(Server::builder("example", "1.0.0").icon(icon).build().is_ok());
    /// ```
    pub fn icon(mut self, icon: Icon) -> Self {
        self.settings.identity.icons.push(icon);
        self
    }

    /// Sets how a model should use the server as a whole. Defaults to none.
    ///
    /// Clients may add it to the system prompt: keep it short, and describe each tool in its own
    /// description.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::Server;
    ///
    /// let server = Server::builder("orders", "1.0.0")
    ///     .instructions("Find an order with `find_orders` before you change it.")
    ///     .build();
    /// assert!(server.is_ok());
    /// ```
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.settings.instructions = Some(instructions.into());
        self
    }

    /// Sets the path of the endpoint. Defaults to `/mcp`.
    ///
    /// [`build`](Self::build) fails unless it begins with `/`, has something behind that, and does
    /// not end with `/`.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::Server;
    ///
    /// assert!(Server::builder("example", "1.0.0").endpoint("/api/mcp").build().is_ok());
    /// assert!(Server::builder("example", "1.0.0").endpoint("mcp").build().is_err());
    /// ```
    pub fn endpoint(mut self, path: impl Into<String>) -> Self {
        self.settings.gate.endpoint = path.into();
        self
    }

    /// Sets the web origins that may call the server. Requests of other origins get 403, and CORS
    /// headers name the allowed ones. Defaults to [`Origins::loopback`]: pages on the caller's own
    /// machine. With [`Origins::any`], pages that are not named can only read.
    ///
    /// Requests without `Origin`, such as those of desktop clients, are always allowed.
    pub fn origins(mut self, origins: Origins) -> Self {
        self.settings.gate.origins = origins;
        self
    }

    /// Sets the host names that the server answers to. Requests with another `Host` get 403. Defaults
    /// to any host.
    ///
    /// Set [`Hosts::loopback`] for a server on a developer's machine, against DNS rebinding.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::Server;
    /// use lambda_mcp::server::{Hosts, Origins};
    ///
    /// let server = Server::builder("local", "1.0.0")
    ///     .hosts(Hosts::loopback())
    ///     .origins(Origins::loopback())
    ///     .build();
    /// assert!(server.is_ok());
    /// ```
    pub fn hosts(mut self, hosts: Hosts) -> Self {
        self.settings.gate.hosts = hosts;
        self
    }

    /// Sets the maximum size of a request body in bytes. Larger requests get 413 before they are
    /// parsed. Defaults to 1 MiB; Lambda itself accepts up to 6 MB.
    pub const fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.settings.gate.max_body_bytes = bytes;
        self
    }

    /// Sets how long one call may take. Defaults to 25 s, below API Gateway's 29 s.
    ///
    /// A call also ends half a second before the function's own timeout. A tool that is stopped
    /// answers with a tool error, a resource or prompt with `-32603`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use lambda_mcp::Server;
    ///
    /// let server = Server::builder("example", "1.0.0").call_timeout(Duration::from_secs(5)).build();
    /// assert!(server.is_ok());
    /// ```
    pub const fn call_timeout(mut self, timeout: Duration) -> Self {
        self.settings.call_timeout = timeout;
        self
    }

    /// Sets the number of entries in one page of a list. Defaults to 100. [`build`](Self::build) fails
    /// if it is 0.
    ///
    /// Some clients read only the first page. Specification: *Pagination*.
    pub const fn page_size(mut self, entries: usize) -> Self {
        self.settings.page_size = entries;
        self
    }

    /// Sets how long clients may cache lists, resources and the discovery (`ttlMs`). Defaults to 5
    /// minutes. Only revision 2026-07-28 knows it. Specification: *Caching*.
    ///
    /// A client may show contents that are so old: set a shorter time for resources that change, with
    /// [`Resource::cache_ttl`](crate::server::Resource::cache_ttl).
    pub const fn cache_ttl(mut self, ttl: Duration) -> Self {
        self.settings.cache_ttl = ttl;
        self
    }

    /// Sets how requests of revision 2026-07-28 are treated that have the headers but no `_meta`.
    /// Defaults to [`HeaderOnlyRequests::Reject`], as the specification requires.
    pub const fn header_only_requests(mut self, policy: HeaderOnlyRequests) -> Self {
        self.settings.header_only = policy;
        self
    }

    /// Declares the logging capability, so that [`Context::log`] sends messages to clients. Off by
    /// default.
    ///
    /// **Deprecated in revision 2026-07-28** with all of logging; clients keep support until at least
    /// 2027-07-28.
    ///
    /// [`Context::log`]: crate::Context::log
    pub const fn log_notifications(mut self) -> Self {
        self.settings.log_notifications = true;
        self
    }

    /// Sets the credentials that the server accepts. Defaults to none.
    ///
    /// Tools, resources and prompts are public, and ignore credentials, unless they
    /// [require one](crate::server::Tool::requires_scope) or the server is
    /// [closed](crate::auth::Auth::required). The module [`auth`](crate::auth) has a table of the rules.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::{ApiKeys, Auth};
    /// use lambda_mcp::{Server, tool};
    ///
    /// async fn restart() -> &'static str {
    ///     "Restarted."
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let keys = format!("ada {} ops:write", ApiKeys::digest("a key of at least 20 characters"));
    /// let server = Server::builder("operations", "1.0.0")
    ///     .auth(Auth::new().verifier(keys.parse::<ApiKeys>()?))
    ///     .tool(tool("restart", restart).requires_scope("ops:write"))
    ///     .build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn auth(mut self, auth: Auth) -> Self {
        self.settings.gate.names_token_issuers = auth.has_authorization_servers();
        self.settings.auth = auth;
        self
    }

    /// Sets how often tools, resources and prompts may be called, and where calls are counted.
    /// Defaults to no limits.
    ///
    /// A call counts right before its handler runs: one that is refused for its headers, its
    /// credential or its arguments does not. A call that asks its client [counts
    /// once](crate::limit#how-a-caller-is-counted).
    /// [`build`](Self::build) fails if a limit names a tool, resource or prompt that does not exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::limit::{Limits, MemoryLimiter};
    /// use lambda_mcp::{Server, tool};
    ///
    /// async fn send() -> &'static str {
    ///     "Sent."
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("mail", "1.0.0")
    ///     .limits(Limits::new("send=3/1h".parse()?, MemoryLimiter::new()))
    ///     .tool(tool("send", send))
    ///     .build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = Some(limits);
        self
    }

    /// Takes the client's address from `X-Forwarded-For` behind an Application Load Balancer: the last
    /// element, which the load balancer appends itself. Off by default; other fronts state the address
    /// in their events, and are not affected.
    ///
    /// Call it only if the load balancer's attribute `routing.http.xff_header_processing.mode` is
    /// `append`, its default. With `preserve` clients could choose their address, and with it avoid
    /// limits. If a CDN is in front of the load balancer, the address is the CDN's: all its clients
    /// count as one.
    ///
    /// Without this setting the events of a load balancer have no address. Then calls that a limit
    /// counts by address are refused with 503, and the log names this setting: otherwise all clients
    /// would share one limit.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::limit::{Limits, MemoryLimiter};
    /// use lambda_mcp::{Server, tool};
    ///
    /// async fn send() -> &'static str {
    ///     "Sent."
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("mail", "1.0.0")
    ///     .limits(Limits::new("send=3/1h".parse()?, MemoryLimiter::new()))
    ///     .trust_load_balancer_client_address()
    ///     .tool(tool("send", send))
    ///     .build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub const fn trust_load_balancer_client_address(mut self) -> Self {
        self.settings.trusts_load_balancer = true;
        self
    }

    /// Sets where tasks run. Defaults to none: tools made by [`task_tool`](crate::task_tool) run within
    /// the call, and the extension *Tasks* is not declared.
    ///
    /// Task ids are signed with the [`request_state_key`](Self::request_state_key). Specification:
    /// extension *Tasks*.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::tasks::Tasks;
    /// use lambda_mcp::{Server, Task, task_tool};
    ///
    /// async fn export(_task: Task) -> &'static str {
    ///     "Exported."
    /// }
    ///
    /// let server = Server::builder("reports", "1.0.0")
    ///     .tasks(Tasks::local())
    ///     .tool(task_tool("export", export))
    ///     .build();
    /// assert!(server.is_ok());
    /// ```
    pub fn tasks(mut self, tasks: Tasks) -> Self {
        self.settings.tasks = Some(tasks);
        self
    }

    /// Sets the public URL in front of the endpoint's path, such as `https://mcp.example.com`, for
    /// published documents and challenges. Defaults to the URL in the platform's event; the `Host`
    /// header is never used.
    pub fn public_url(mut self, url: impl Into<String>) -> Self {
        self.settings.public_url = Some(url.into().trim_end_matches('/').to_owned());
        self
    }
}
