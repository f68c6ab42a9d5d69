// @ts-check
// Lists the names that src/ and the packages export with several meanings: a name is exported by one file only, so that it has one meaning wherever it is
// read. The client and the command line are one world. The reference service and the page of the map are worlds of their own, because they
// share no code with the rest. And each kind of record is described once. `npm run lint` runs this.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root, sourceFiles } from './source-files.mjs';

const files = sourceFiles();

/** Names by convention: each of these files has one, with the same meaning, for its noun. */
const conventions = new Set(['define', 'rootResolvers', 'typeResolvers']);

/** Names that still have several meanings. @type {Set<string>} */
const notYet = new Set();

/** Worlds of their own. Each but the generated code is checked for itself. */
const apart = ['src/generated', 'src/mock/graphiql/browser', 'src/mock', 'packages/map/src/page'];

/** @type {Map<string, string[]>} */
const definitions = new Map();
for (const path of files) {
  const world = apart.find((folder) => path.startsWith(`${folder}/`)) ?? '';
  if (world === 'src/generated') continue;
  for (const name of exportedNames(path)) {
    const key = `${world} ${name}`;
    definitions.set(key, [...(definitions.get(key) ?? []), path]);
  }
}

/** What the file itself defines; what it only passes on has its meaning elsewhere. @param {string} file */
function exportedNames(file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  /** @type {Set<string>} */
  const names = new Set();
  for (const statement of source.statements) {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) if (ts.isIdentifier(name)) names.add(name.text);
    } else if ('name' in statement && statement.name) {
      // Functions, classes, interfaces and types: their name is an identifier.
      names.add(/** @type {ts.Identifier} */ (statement.name).text);
    }
  }
  return names;
}

const several = [...definitions].flatMap(([key, files]) => {
  const name = key.slice(key.indexOf(' ') + 1);
  return files.length > 1 && !conventions.has(name) ? [{ name, files }] : [];
});
const found = several.filter(({ name }) => !notYet.has(name));
for (const { name, files } of found) process.stdout.write(`${name}: ${files.join(', ')}\n`);
const done = [...notYet].filter((name) => several.every((one) => one.name !== name));
for (const name of done)
  process.stdout.write(`${name} has one meaning now: take it out of the list in scripts/names.mjs.\n`);
if (found.length > 0)
  process.stdout.write('Each of these names has several meanings. Give each meaning its own name.\n');

// A kind of record is described once, in src/cli/records: its plural stands nowhere else in the command line.
/** @type {Map<string, string[]>} */
const plurals = new Map();
for (const path of files.filter((each) => /^(src\/cli|packages)\//.test(each))) {
  for (const [, plural = ''] of readFileSync(join(root, path), 'utf8').matchAll(/\bplural: '([^']+)'/g))
    plurals.set(plural, [...(plurals.get(plural) ?? []), path]);
}
const twice = [...plurals].filter(
  ([, paths]) => paths.length > 1 || paths.some((path) => !path.startsWith('src/cli/records/')),
);
for (const [plural, paths] of twice)
  process.stdout.write(
    `The kind "${plural}" is described in ${paths.join(' and ')}: describe it once, in src/cli/records.\n`,
  );
process.exitCode = found.length + done.length + twice.length > 0 ? 1 : 0;
