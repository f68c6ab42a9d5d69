// Texts of errors are for people. What a program has to know of an error are its code and its facts, so nothing in src/ searches or cuts a
// message or a hint that this project has written.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** Files that read the words of somebody else, who gives no code for them. */
const foreignWords: Readonly<Record<string, string>> = {
  'transport/transport-fault.ts': 'what a fetch threw, in any library',
  'cli/errors/exit-codes.ts': 'commander, and the engine at the end of its stack',
  'contract/selection/merge.ts': 'the service, which names an alias',
  'core/token-refusal.ts': 'the service, which refuses a token',
  'request/contract-drift.ts': 'the service, which refuses a document',
  'telemetry/streams/accepted-length.ts': 'the service, which refuses a period',
  'mock/graphql/response-errors.ts': 'graphql-js',
  'mock/graphql/variables.ts': 'graphql-js',
  'transport/proxy-refusal.ts': 'undici, of what a proxy answered',
  'redis/presence.ts': 'Redis',
  'redis/redis-gate.ts': 'a message that Redis passes on',
  'redis/redis-link.ts': 'Redis',
  'cli/connection/redis-sharing.ts': 'Redis',
  'sync/sqlite/lock-wait.ts': 'SQLite',
  'sync/sqlite/wasm-file-system.ts': 'SQLite',
};

const searching =
  /^(includes|startsWith|endsWith|match|matchAll|search|replace|replaceAll|split|slice|substring|substr)$/;

/** Whether an expression is a text for people: `error.message`, `hint` and the like. */
function isText(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return /^(message|hint|problem)$/.test(node.name.text);
  return ts.isIdentifier(node) && /^(message|hint)$/.test(node.text);
}

/** The calls in a source text that search or cut such a text. */
function searches(text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
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

test.each([
  "error.message.includes('https')",
  "hint?.replace('a', 'b')",
  'const text = message.slice(0, 3)',
  '/schema check/.test(error.message)',
])('a search is found: %s', (text) => {
  expect(searches(text)).toHaveLength(1);
});

test('no code searches or cuts a text of this project', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file));
  const found = files.flatMap((file) =>
    searches(readFileSync(join(src, file), 'utf8')).map((search) => ({ file, search })),
  );
  expect(found.filter(({ file }) => !(file in foreignWords))).toEqual([]);
  // What is no longer needed is not allowed.
  expect(Object.keys(foreignWords).filter((file) => !found.some((one) => one.file === file))).toEqual([]);
});

test('the sentence about what was not done is written once for programs and once for people', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const found = files.flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    return [...text.matchAll(/\bNothing was (sent\b|\$\{)/g)].map(() => file.replaceAll('\\', '/'));
  });
  expect(found.sort()).toEqual(['cli/errors/cli-error.ts', 'core/error-messages.ts']);
});
