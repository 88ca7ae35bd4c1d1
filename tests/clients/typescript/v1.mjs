// The TypeScript SDK 1.x (`@modelcontextprotocol/sdk`) as a client.

import { Answers, readPlan, report, require, started, takeSteps, versionOf } from './plan.mjs';

const SDK = '@modelcontextprotocol/sdk';
const { Client } = require(`${SDK}/client/index.js`);
const { StdioClientTransport } = require(`${SDK}/client/stdio.js`);
const { StreamableHTTPClientTransport } = require(`${SDK}/client/streamableHttp.js`);
const { CreateMessageRequestSchema, ElicitRequestSchema } = require(`${SDK}/types.js`);

const plan = readPlan();
const answers = new Answers(plan.answers);
const capabilities = plan.answers ? { elicitation: {}, sampling: {} } : {};
const client = new Client({ name: plan.client, version: versionOf(SDK) }, { capabilities });
if (plan.answers) {
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answers.elicit(params));
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => answers.sample(params));
}
const transport = plan.server
  ? new StdioClientTransport(started(plan.server))
  : new StreamableHTTPClientTransport(new URL(plan.url));
let negotiated;
if (plan.server) {
  // Only the HTTP transport keeps the version.
  transport.setProtocolVersion = (version) => {
    negotiated = version;
  };
}
await client.connect(transport);
const steps = await takeSteps(client, plan.steps, (params, options) =>
  client.callTool(params, undefined, options),
);
// Ends the session with DELETE, if there is one.
await transport.terminateSession?.();
await client.close();
report({
  version: versionOf(SDK),
  protocolVersion: negotiated ?? transport.protocolVersion,
  server: client.getServerVersion(),
  capabilities: client.getServerCapabilities(),
  instructions: client.getInstructions(),
  asked: answers.asked,
  steps,
});
