//! The methods of the protocol, one file each.
//!
//! [`Target::resolve`] finds out what a request addresses, [`dispatch`] serves it.

mod answer;
mod completion_complete;
mod context;
mod initialize;
mod invoke;
mod layers;
mod listing;
mod lists;
mod logging_set_level;
mod multi_round_trip;
mod output_schema;
mod params;
mod ping;
mod prepared;
mod prompts_get;
mod request_state;
mod resources_read;
mod result;
mod server_discover;
mod target;
mod task_answer;
mod task_background;
mod task_create;
mod task_request;
mod tasks_busy;
mod tasks_cancel;
mod tasks_get;
mod tasks_update;
mod too_large;
mod tools_call;

use http::HeaderMap;

pub(crate) use self::answer::{Answer, Failure};
pub(crate) use self::context::MethodContext;
use self::context::Request;
pub(crate) use self::prepared::Prepared;
pub(crate) use self::target::Target;
pub(crate) use self::too_large::{not_processed, too_large};
use crate::era::Call;
use crate::future::BoxFuture;

/// Serves a request, inside the layers of the server if it has any.
pub(crate) async fn dispatch(
    context: &MethodContext<'_>,
    call: &Call<'_>,
    target: Box<Target<'_>>,
) -> Answer {
    if context.registry.settings.layers.is_empty() {
        return serve(context, call, target).await;
    }
    let serve = |target| Box::pin(serve(context, call, target)) as BoxFuture<'_, Answer>;
    layers::around(context, call, target, serve).await
}

/// Serves a request.
async fn serve(context: &MethodContext<'_>, call: &Call<'_>, target: Box<Target<'_>>) -> Answer {
    let request = Request {
        context,
        call,
        limit_target: target.limit_target(),
    };
    let mut headers = HeaderMap::new();
    let answer: Answer = match *target {
        Target::Initialize => initialize::answer(context, call).into(),
        Target::Ping => ping::answer().into(),
        Target::SetLogLevel => logging_set_level::answer(call).into(),
        Target::Discover => server_discover::answer(context.prepared).into(),
        Target::List(list) => lists::answer(&request, list).into(),
        Target::Tool(tool) => tools_call::answer(&request, tool, &mut headers)
            .await
            .into(),
        Target::Prompt(prompt) => prompts_get::answer(&request, prompt, &mut headers)
            .await
            .into(),
        Target::Resource(resource) => resources_read::answer(&request, resource, &mut headers)
            .await
            .into(),
        Target::Task(task) => task_answer::answer(&request, &task).await.into(),
        Target::Completion(completion) => {
            completion_complete::answer(&request, completion, &mut headers)
                .await
                .into()
        }
    };
    Answer { headers, ..answer }
}
