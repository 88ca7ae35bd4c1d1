//! The client's address behind an Application Load Balancer, whose events have no source address.
//!
//! In its mode `append`, the default, a load balancer appends the address from which it accepted the
//! connection to `X-Forwarded-For`. So the last element is its own, and those before it are the
//! client's to choose. In the modes `preserve` and `remove` it writes nothing. Events do not tell the
//! mode, so the author of a server has to.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address that a load balancer appended: the last element of the last line of the header, with
/// or without a port (`routing.http.xff_client_port.enabled`).
pub(super) fn appended_address(headers: &HeaderMap) -> Option<IpAddr> {
    let lines = headers.get_all(FORWARDED_FOR);
    let last = lines.iter().next_back()?.to_str().ok()?;
    let last = last.rsplit(',').next()?.trim();
    address(last)
}

/// An address, with or without a port.
pub(super) fn address(text: &str) -> Option<IpAddr> {
    let without_port = || Some(text.parse::<SocketAddr>().ok()?.ip());
    text.parse().ok().or_else(without_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_element_is_the_load_balancer_s() {
        let rows: [(&[&str], Option<&str>); 10] = [
            (&["198.51.100.9"], Some("198.51.100.9")),
            (&["203.0.113.1, 198.51.100.9"], Some("198.51.100.9")),
            (
                &["203.0.113.1", "10.0.0.1,198.51.100.9"],
                Some("198.51.100.9"),
            ),
            (&["203.0.113.1,198.51.100.9:47652"], Some("198.51.100.9")),
            (&["203.0.113.1,[2001:db8::1]:443"], Some("2001:db8::1")),
            (&["2001:db8::1"], Some("2001:db8::1")),
            (&["198.51.100.9, unknown"], None),
            (&["198.51.100.9,"], None),
            (&[""], None),
            (&[], None),
        ];
        for (lines, expected) in rows {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(FORWARDED_FOR, line.parse().unwrap());
            }
            let address = appended_address(&headers).map(|address| address.to_string());
            assert_eq!(address.as_deref(), expected, "{lines:?}");
        }
    }
}
