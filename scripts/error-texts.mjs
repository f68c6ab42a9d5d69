// Checks that no code in src/ searches or cuts a message or hint of this project: programs
// recognise errors by code and facts. `npm run lint` runs this.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root, sourceFiles } from './source-files.mjs';

/** @type {Readonly<Record<string, string>>} files that read texts of other software */
const foreignWords = {
  'src/request/failure.ts': 'what a fetch threw, in any library',
  'src/cli/errors/exit-codes.ts': 'commander, and the engine at the end of its stack',
  'src/contract/selection/merge.ts': 'the service, which names an alias',
  'src/core/token-refusal.ts': 'the service, which refuses a token',
  'src/request/failure-error.ts': 'the service, which refuses a document',
  'src/telemetry/streams/window-limit.ts': 'the service, which refuses a period',
  'src/mock/graphql/response-errors.ts': 'graphql-js',
  'src/mock/graphql/variables.ts': 'graphql-js',
  'src/transport/undici-transport.ts': 'undici, of what a proxy answered',
  'src/redis/presence.ts': 'Redis',
  'src/redis/redis-gate.ts': 'a message that Redis passes on',
  'src/redis/redis-link.ts': 'Redis',
  'src/cli/connection/redis-sharing.ts': 'Redis',
  'packages/sync/src/sqlite/lock-wait.ts': 'SQLite',
  'packages/sync/src/sqlite/wasm-file-system.ts': 'SQLite',
};

const searching =
  /^(includes|startsWith|endsWith|match|matchAll|search|replace|replaceAll|split|slice|substring|substr)$/;

/** @param {ts.Node} node such as `error.message` or `hint` */
function isText(node) {
  if (ts.isPropertyAccessExpression(node)) return /^(message|hint|problem)$/.test(node.name.text);
  return ts.isIdentifier(node) && /^(message|hint)$/.test(node.text);
}

/**
 * Returns the calls in a source text that search or cut these texts.
 * @param {string} text
 * @returns {readonly string[]}
 */
function searches(text) {
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      const isMethod = searching.test(name.text) && isText(expression);
      const isPattern = /^(test|exec)$/.test(name.text) && node.arguments.some(isText);
      if (isMethod || isPattern) found.push(node.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('', text, ts.ScriptTarget.Latest, true));
  return found;
}

/** @param {string} problem */
function fail(problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

for (const example of [
  "error.message.includes('https')",
  "hint?.replace('a', 'b')",
  'const text = message.slice(0, 3)',
  '/schema check/.test(error.message)',
]) {
  if (searches(example).length !== 1) fail(`scripts/error-texts.mjs no longer finds a search: ${example}`);
}

const needed = new Set();
/** @type {string[]} */
const sentences = [];
for (const file of sourceFiles()) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const _ of text.matchAll(/\bNothing was (sent\b|\$\{)/g)) sentences.push(file);
  for (const search of searches(text)) {
    needed.add(file);
    if (!(file in foreignWords))
      fail(`${file} searches a text for people: ${search}. Use the code or a fact of the error.`);
  }
}
for (const file of Object.keys(foreignWords)) {
  if (!needed.has(file)) fail(`${file} searches no text any more: remove it from scripts/error-texts.mjs.`);
}
// Written once for programs and once for people.
const expected = ['src/cli/errors/cli-error.ts', 'src/core/error-messages.ts'];
if (sentences.sort().join() !== expected.join()) {
  fail(`"Nothing was sent" is written in ${sentences.join(', ')}, and belongs into ${expected.join(' and ')} only.`);
}
