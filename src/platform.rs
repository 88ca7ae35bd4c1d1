//! What the process runs on.

/// Whether the process runs on AWS Lambda, and not on an emulator, which runs one instance.
///
/// Lambda sets `LAMBDA_TASK_ROOT` for every function. Emulators such as `cargo lambda watch` set
/// `AWS_LAMBDA_FUNCTION_NAME` and `AWS_LAMBDA_RUNTIME_API` as well, but not this one.
pub(crate) fn is_on_lambda() -> bool {
    std::env::var_os("LAMBDA_TASK_ROOT").is_some_and(|root| !root.is_empty())
}
