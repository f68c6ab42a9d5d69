// Bundles the library's declarations into a few files, without unreachable parts. They are written
// once, for CommonJS: an ES module may import types from CommonJS in every TypeScript version, but
// not the reverse. The ES modules' declarations refer to them, so `import` and `require()` share
// types, as they share classes.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';

/**
 * @param {string} declarations the folder with the output of tsc
 * @param {string} target the folder that becomes dist
 * @param {Readonly<Record<string, string>>} entryPoints the sources of the entry points by their
 * names in dist
 */
export async function bundleDeclarations(declarations, target, entryPoints) {
  const [{ rollup }, { dts }] = await Promise.all([import('rollup'), import('rollup-plugin-dts')]);
  const written = Object.entries(entryPoints).map(([name, source]) => ({
    name,
    module: resolve(declarations, source.replace(/ts$/, 'd.ts')),
  }));
  const bundle = await rollup({
    input: Object.fromEntries(written.map(({ name, module }) => [name, module])),
    external: (id) => id.startsWith('fleet-telematics/') || (/^[^./]/.test(id) && !id.includes(sep)),
    plugins: [dts(), { name: 'export-where-declared', renderChunk: exportWhereDeclared }],
    onwarn: ({ plugin, message }) => {
      // The plugin reports unexported types of methods. test/consumers checks that programs do not
      // need their names.
      if (plugin !== 'dts') throw new Error(message);
    },
  });
  await bundle.write({
    dir: join(target, 'commonjs'),
    format: 'es',
    entryFileNames: '[name].d.cts',
    // A file that entry points share is named by its first module, which is `client.d`.
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, '')}.d.cts`,
    // A separate file keeps the names apart: record types have names of contract types.
    manualChunks: (id) => (id.endsWith('contract-types.d.ts') ? 'contract' : undefined),
    hoistTransitiveImports: false,
    minifyInternalExports: false,
  });
  await bundle.close();

  for (const { name } of written) {
    const file = join(target, 'esm', `${name}.d.ts`);
    const path = relative(dirname(file), join(target, 'commonjs', `${name}.cjs`)).replaceAll(sep, posix.sep);
    // msw's types differ by kind of module, so declarations with them are written twice.
    const text =
      name === 'mock/msw'
        ? readFileSync(join(target, 'commonjs', `${name}.d.cts`), 'utf8').replaceAll("'./", `'${posix.dirname(path)}/`)
        : `export * from '${path}';\n`;
    writeFileSync(file, text);
  }
}

/**
 * Writes `export` before a declaration instead of a list at the end. TypeScript before 5.4 does not
 * find a name from that list when it writes declarations of a program that exports the type
 * (TS2742).
 * @param {string} code of a file of declarations
 */
function exportWhereDeclared(code) {
  /** @type {string[]} */
  const declared = [];
  const withoutLists = code.replace(/^export (?:type )?\{([^}]*)\};$/gm, (_, /** @type {string} */ list) => {
    const names = list.split(',').map((name) => name.trim());
    const isHere = (/** @type {string} */ name) => declarationOf(name).test(code);
    declared.push(...names.filter(isHere));
    // An `export {}` always stays: a declaration file without one exports everything.
    return `export { ${names.filter((name) => !isHere(name)).join(', ')} };`;
  });
  return declared.reduce((text, name) => text.replace(declarationOf(name), 'export $&'), withoutLists);
}

/** @param {string} name */
const declarationOf = (name) =>
  new RegExp(`^(?:declare (?:abstract )?(?:class|const|function) |interface |type )${name}\\b`, 'gm');
