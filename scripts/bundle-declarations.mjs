// Rolls the declarations of the library up into a few files, without anything that no entry point leads to. They are written once, as those
// of the CommonJS files: an ES module may import types from CommonJS in every TypeScript, and not the other way round. The ES modules'
// declarations name them, so a type is the same one for `import` and for `require()`, as the classes are.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';

/**
 * @param {string} declarations the folder with the output of tsc
 * @param {string} target the folder that becomes dist
 * @param {Readonly<Record<string, string>>} entryPoints the sources of the entry points by their names in dist
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
      // The plugin tells which types a method takes and no entry point exports. test/consumers finds where a program would have to name one.
      if (plugin !== 'dts') throw new Error(message);
    },
  });
  await bundle.write({
    dir: join(target, 'commonjs'),
    format: 'es',
    entryFileNames: '[name].d.cts',
    // A file that entry points share is named by its first module, which is `client.d`.
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, '')}.d.cts`,
    // A file of its own keeps the names apart: record types are called like those of the contract.
    manualChunks: (id) => (id.endsWith('contract-types.d.ts') ? 'contract' : undefined),
    hoistTransitiveImports: false,
    minifyInternalExports: false,
  });
  await bundle.close();

  for (const { name } of written) {
    const file = join(target, 'esm', `${name}.d.ts`);
    const path = relative(dirname(file), join(target, 'commonjs', `${name}.cjs`)).replaceAll(sep, posix.sep);
    // msw has types of its own for each kind of module, which do not fit each other: what names them is written twice.
    const text =
      name === 'mock/msw'
        ? readFileSync(join(target, 'commonjs', `${name}.d.cts`), 'utf8').replaceAll("'./", `'${posix.dirname(path)}/`)
        : `export * from '${path}';\n`;
    writeFileSync(file, text);
  }
}

/**
 * Writes `export` before a declaration instead of naming it in a list at the end. TypeScript before 5.4 does not find a name from such a list
 * when it writes declarations of a program that passes the type on (TS2742).
 * @param {string} code of a file of declarations
 */
function exportWhereDeclared(code) {
  /** @type {string[]} */
  const declared = [];
  const withoutLists = code.replace(/^export (?:type )?\{([^}]*)\};$/gm, (_, /** @type {string} */ list) => {
    const names = list.split(',').map((name) => name.trim());
    const isHere = (/** @type {string} */ name) => declarationOf(name).test(code);
    declared.push(...names.filter(isHere));
    // An `export {}` stays in any case: a file of declarations without one exports all that it declares.
    return `export { ${names.filter((name) => !isHere(name)).join(', ')} };`;
  });
  return declared.reduce((text, name) => text.replace(declarationOf(name), 'export $&'), withoutLists);
}

/** @param {string} name */
const declarationOf = (name) =>
  new RegExp(`^(?:declare (?:abstract )?(?:class|const|function) |interface |type )${name}\\b`, 'gm');
