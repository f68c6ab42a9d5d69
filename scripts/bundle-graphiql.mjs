// Bundles GraphiQL and React for the page of the reference service, so that the page works without internet.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { readExamples } from './graphiql-examples.mjs';
import { writeLicenses } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'src/mock/graphiql/browser');

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

/**
 * @param {string} target the folder that becomes dist/mock/graphiql/assets
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export async function bundleGraphiql(target) {
  mkdirSync(target, { recursive: true });
  for (const file of ['page.html', 'page.css']) copyFileSync(join(page, file), join(target, file));
  const examples = join(target, 'operations.json');
  writeFileSync(examples, JSON.stringify(readExamples(join(root, 'operations'))));
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: globals, resolveDir: root, sourcefile: 'graphiql.js' },
    outfile: join(target, 'graphiql.js'),
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
  writeLicenses(metafile, join(target, 'licenses.txt'));
  // The embedded fonts are most of the style sheet. page.css uses the fonts of the system instead.
  const styles = join(target, 'graphiql.css');
  writeFileSync(styles, readFileSync(styles, 'utf8').replace(/@font-face\{[^}]*\}/g, ''));
  // Installed, the script would be a tenth of the whole package, and the examples are long. The service unpacks these files when the page asks for them.
  for (const file of [join(target, 'graphiql.js'), styles, examples]) {
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
    rmSync(file);
  }
  return metafile;
}
