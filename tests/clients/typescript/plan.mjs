// What the TypeScript clients share: reading the plan, taking its steps and writing the report.
// ../README.md describes both.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Resolves packages in the working directory, where npm installed them. */
export const require = createRequire(`${process.cwd()}/`);

/** The version of an installed package, for the report. */
export function versionOf(name) {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
}

export function readPlan() {
  return JSON.parse(readFileSync(0, 'utf8'));
}

/** The answers of the user and the model, and the questions that they received. */
export class Answers {
  constructor(answers) {
    this.answers = answers;
    this.asked = [];
  }

  elicit({ message, requestedSchema }) {
    const fields = Object.keys(requestedSchema.properties);
    this.asked.push({ kind: 'elicit', message, fields });
    const { action, content } = this.answers.elicit;
    if (action !== 'accept') return { action };
    return { action, content: Object.fromEntries(fields.map((field) => [field, content[field]])) };
  }

  sample({ messages, maxTokens }) {
    // One block or a list, depending on the revision.
    const text = [messages[0].content].flat()[0].text;
    this.asked.push({ kind: 'sample', message: text, maxTokens });
    const content = { type: 'text', text: this.answers.sample };
    return { role: 'assistant', model: 'none', stopReason: 'endTurn', content };
  }
}

/**
 * Takes the steps of the plan in order, and continues after a failed step. `call` calls a tool, which
 * differs between the versions of the SDK.
 */
export async function takeSteps(client, steps, call) {
  const seen = [];
  for (const step of steps) {
    const progress = [];
    try {
      const result = await take(client, step, call, ({ progress: done, total, message }) =>
        progress.push({ progress: done, total, message }),
      );
      seen.push(step.progress ? { result, progress } : { result });
    } catch (error) {
      const { code, message, data } = error;
      seen.push({ error: { kind: error.constructor.name, code, message, data } });
    }
  }
  return seen;
}

function take(client, step, call, onprogress) {
  const { name, arguments: given, uri } = step;
  switch (step.do) {
    case 'tools':
      return client.listTools();
    case 'resources':
      return client.listResources();
    case 'templates':
      return client.listResourceTemplates();
    case 'prompts':
      return client.listPrompts();
    case 'call':
      return call({ name, arguments: given }, step.progress ? { onprogress } : {});
    case 'read':
      return client.readResource({ uri });
    case 'prompt':
      return client.getPrompt({ name, arguments: given });
    case 'complete':
      return client.complete({ ref: step.ref, argument: step.argument });
    default:
      throw new Error(`no such step: ${step.do}`);
  }
}

/** The parameters of a transport that starts the server. Its log does not mix with the report. */
export function started({ command, args }) {
  return { command, args, stderr: 'ignore' };
}

export function report(seen) {
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}
