// Collects the files of the GraphiQL page: the bundle of graphiql/, the page, and the menu of
// operations.
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { readExamples } from './graphiql-examples.mjs';
import { root } from './source-files.mjs';

const sources = join(root, 'src/mock/graphiql');
const copied = [
  ...['bundle/graphiql.js.br', 'bundle/graphiql.css.br', 'bundle/licenses.txt'],
  ...['browser/page.html', 'browser/page.css'],
];

/** @param {string} folder the one that becomes dist/mock/graphiql */
export async function bundleGraphiql(folder) {
  const target = join(folder, 'assets');
  mkdirSync(target, { recursive: true });
  for (const file of copied) copyFileSync(join(sources, file), join(target, file.replace(/^.*\//, '')));
  const { build } = await import('esbuild');
  const scripts = readdirSync(join(sources, 'browser')).filter((file) => file.endsWith('.ts'));
  await build({
    entryPoints: scripts.map((file) => join(sources, 'browser', file)),
    outdir: join(folder, 'browser'),
    target: 'es2022',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  // The examples are long. The service unpacks them on request of the page.
  const examples = JSON.stringify(readExamples(join(root, 'operations')));
  writeFileSync(join(target, 'operations.json.br'), brotliCompressSync(Buffer.from(examples)));
}
