// The TypeScript SDK 2.x (`@modelcontextprotocol/client`) as a client, in the era the plan names.

import { Answers, readPlan, report, require, started, takeSteps, versionOf } from './plan.mjs';

const SDK = '@modelcontextprotocol/client';
const { Client, StreamableHTTPClientTransport } = require(SDK);
const { StdioClientTransport } = require(`${SDK}/stdio`);

const plan = readPlan();
const answers = new Answers(plan.answers);
const mode = plan.era === 'modern' ? 'auto' : 'legacy';
const capabilities = plan.answers ? { elicitation: { form: {} }, sampling: {} } : {};
const client = new Client(
  { name: plan.client, version: versionOf(SDK) },
  { capabilities, versionNegotiation: { mode } },
);
if (plan.answers) {
  client.setRequestHandler('elicitation/create', ({ params }) => answers.elicit(params));
  client.setRequestHandler('sampling/createMessage', ({ params }) => answers.sample(params));
}
const transport = plan.server
  ? new StdioClientTransport(started(plan.server))
  : new StreamableHTTPClientTransport(new URL(plan.url));
await client.connect(transport);
const steps = await takeSteps(client, plan.steps, (params, options) =>
  client.callTool(params, options),
);
await transport.terminateSession?.();
const seen = {
  version: versionOf(SDK),
  protocolVersion: client.getNegotiatedProtocolVersion(),
  server: client.getServerVersion(),
  capabilities: client.getServerCapabilities(),
  instructions: client.getInstructions(),
  asked: answers.asked,
  steps,
};
await client.close();
report(seen);
