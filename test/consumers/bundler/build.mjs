// Bundles src/main.ts, or its output of tsc, with each bundler, completely unless the name says
// otherwise.
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import resolve from '@rollup/plugin-node-resolve';
import { build as esbuild } from 'esbuild';
import { rollup } from 'rollup';
import { build as tsup } from 'tsup';
import webpack from 'webpack';

// An ES module has no require(), which undici needs for Node's own modules.
const require = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

const source = { entryPoints: ['src/main.ts'], bundle: true, platform: 'node', logLevel: 'warning' };
await esbuild({ ...source, format: 'cjs', outfile: 'alone/esbuild-commonjs/main.cjs' });
await esbuild({ ...source, format: 'esm', outfile: 'alone/esbuild-esm/main.mjs', banner: { js: require } });
// They cannot load undici, and send through node:http.
await esbuild({ ...source, format: 'esm', outfile: 'alone/without-require/main.mjs' });
await esbuild({ ...source, format: 'cjs', outfile: 'alone/without-undici/main.cjs', external: ['undici'] });
await esbuild({ ...source, format: 'esm', outfile: 'beside/esbuild-external.mjs', packages: 'external' });
// SQLite as WebAssembly has a file beside its code, which a bundle does not contain.
const copy = { ...source, entryPoints: ['src/sync.ts'], format: 'cjs' };
await esbuild({ ...copy, outfile: 'beside/sync.cjs', external: ['node-sqlite3-wasm'] });
await esbuild({ ...copy, outfile: 'refused/sync.cjs' });
await esbuild({ ...source, entryPoints: ['src/tree.ts'], format: 'esm', outfile: 'alone/tree/main.mjs' });

const ours = { entry: ['src/main.ts'], platform: 'node', silent: true, config: false };
await tsup({ ...ours, format: 'esm', outDir: 'beside/tsup' });
await tsup({ ...ours, format: 'cjs', outDir: 'alone/tsup', noExternal: [/./], outExtension: () => ({ js: '.cjs' }) });

const rolled = await rollup({
  input: 'out/main.js',
  // Node 20 has no node:sqlite. undici requires it for an unused cache.
  plugins: [resolve({ exportConditions: ['node'] }), commonjs({ ignore: ['node:sqlite'] }), json()],
  onwarn: () => undefined,
});
await rolled.write({ dir: 'alone/rollup', format: 'es', entryFileNames: 'main.mjs', chunkFileNames: '[name].mjs' });

const packed = { target: 'node20', mode: 'production', entry: './out/main.js', optimization: { minimize: false } };
for (const config of [
  { ...packed, output: { path: `${import.meta.dirname}/alone/webpack-commonjs`, filename: 'main.cjs' } },
  {
    ...packed,
    experiments: { outputModule: true },
    output: { path: `${import.meta.dirname}/alone/webpack-esm`, filename: 'main.mjs', module: true },
  },
]) {
  await new Promise((done, fail) => {
    webpack(config, (error, stats) => {
      if (error ?? stats.hasErrors()) fail(error ?? new Error(stats.toString('errors-only')));
      else done();
    });
  });
}
