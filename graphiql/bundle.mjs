// Bundles GraphiQL and React for the reference service's page into src/mock/graphiql/bundle, with
// their licences. The bundle is committed, because its 100 packages would be a quarter of what each
// clone installs. With --check it writes nothing and fails when the bundle is out of date. Needs
// `npm ci` here and in the project.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { writeLicenses } from '../scripts/licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'src/mock/graphiql/bundle');

// src/mock/graphiql/browser/dom.ts uses these global variables.
const globals = `
  import 'graphiql/graphiql.css';
  import { GraphiQL } from 'graphiql';
  import { useEditorContext } from '@graphiql/react';
  import { createElement, Fragment, useEffect } from 'react';
  import { createRoot } from 'react-dom/client';
  /** Hands over the editors, which only a component within GraphiQL can have. */
  function Editors({ onEditors }) {
    const editors = useEditorContext({ nonNull: true });
    useEffect(() => {
      const named = { Query: editors.queryEditor, Variables: editors.variableEditor, Answer: editors.responseEditor };
      for (const [name, editor] of Object.entries(named)) editor?.getInputField().setAttribute('aria-label', name);
      onEditors(editors);
    });
    return null;
  }
  function Page({ onEditors, ...props }) {
    const tools = ({ prettify, copy, merge }) =>
      createElement(Fragment, null, prettify, merge, copy, createElement(Editors, { onEditors }));
    return createElement(GraphiQL, props, createElement(GraphiQL.Toolbar, null, tools));
  }
  Object.assign(globalThis, { React: { createElement }, ReactDOM: { createRoot }, GraphiQL: Page });
`;

const scratch = mkdtempSync(join(tmpdir(), 'fleet-graphiql-'));
try {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: globals, resolveDir: fileURLToPath(new URL('.', import.meta.url)), sourcefile: 'graphiql.js' },
    outfile: join(scratch, 'graphiql.js'),
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  writeLicenses(metafile, join(scratch, 'licenses.txt'));
  // The embedded fonts are most of the style sheet. page.css uses system fonts instead.
  const styles = join(scratch, 'graphiql.css');
  writeFileSync(styles, readFileSync(styles, 'utf8').replace(/@font-face\{[^}]*\}/g, ''));

  const isCheck = process.argv.includes('--check');
  for (const file of ['graphiql.js', 'graphiql.css', 'licenses.txt']) {
    const isPacked = file !== 'licenses.txt';
    const path = join(target, isPacked ? `${file}.br` : file);
    const content = readFileSync(join(scratch, file));
    // Versions of Node compress differently, so the unpacked contents are compared.
    if (!isCheck) writeFileSync(path, isPacked ? brotliCompressSync(content) : content);
    else if (!(isPacked ? brotliDecompressSync(readFileSync(path)) : readFileSync(path)).equals(content)) {
      process.stderr.write(`${path} is out of date. Run \`npm run bundle --prefix graphiql\`.\n`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
