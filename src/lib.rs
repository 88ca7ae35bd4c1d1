//! A stateless Model Context Protocol (MCP) server for AWS Lambda.
