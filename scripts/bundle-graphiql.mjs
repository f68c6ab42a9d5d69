// Brings together the files of the GraphiQL page: GraphiQL and React as graphiql/ has bundled them, the page, and the menu of operations.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { readExamples } from './graphiql-examples.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'src/mock/graphiql');
const copied = [
  ...['bundle/graphiql.js.br', 'bundle/graphiql.css.br', 'bundle/licenses.txt'],
  ...['browser/page.html', 'browser/page.css'],
];

/** @param {string} target the folder that becomes dist/mock/graphiql/assets */
export function bundleGraphiql(target) {
  mkdirSync(target, { recursive: true });
  for (const file of copied) copyFileSync(join(sources, file), join(target, file.replace(/^.*\//, '')));
  // The examples are long. The service unpacks them when the page asks for them.
  const examples = JSON.stringify(readExamples(join(root, 'operations')));
  writeFileSync(join(target, 'operations.json.br'), brotliCompressSync(Buffer.from(examples)));
}
