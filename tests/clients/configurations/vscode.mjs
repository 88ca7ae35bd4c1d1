// Validates a configuration on standard input as VS Code does: with the schema in its source, which the package
// `@codingame/monaco-vscode-api` has as it is.
//
//     vscode.mjs NODE_MODULES < mcp.json
//
// Prints a line for each fault.

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const installed = resolve(process.argv[2]);
const Ajv = createRequire(`${installed}/`)('ajv');
const source = 'vscode/src/vs/workbench/contrib/mcp/common/mcpConfiguration.js';
const { mcpServerSchema } = await import(pathToFileURL(`${installed}/@codingame/monaco-vscode-api/${source}`));
// The schema has keywords of VS Code's editor. `format` is checked by a pattern beside it.
const { id, ...schema } = JSON.parse(JSON.stringify(mcpServerSchema));
if (!schema.properties?.servers) {
  throw new Error(`${source} has no schema of servers`);
}
const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
const configuration = JSON.parse(await text(process.stdin));
if (!validate(configuration)) {
  for (const { instancePath, message, params } of validate.errors) {
    console.log(`${instancePath || '/'} ${message} ${JSON.stringify(params)}`);
  }
}
