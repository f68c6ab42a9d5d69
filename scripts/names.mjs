// @ts-check
// Lists names that several files of src/ and the packages export: an exported name has one meaning
// in the repository. Also checks that each kind of record is described once. `npm run lint` runs
// this.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root, sourceFiles } from './source-files.mjs';

const files = sourceFiles();

/** Names by convention: each of these files has one, with the same meaning, for its noun. */
const conventions = new Set(['define', 'rootResolvers', 'typeResolvers']);

/** @type {Map<string, string[]>} */
const definitions = new Map();
for (const path of files) {
  if (path.startsWith('src/generated/')) continue;
  for (const name of exportedNames(path)) definitions.set(name, [...(definitions.get(name) ?? []), path]);
}

/**
 * Returns the names that a file defines and exports; re-exports are not counted.
 * @param {string} file
 */
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

const several = [...definitions].filter(([name, paths]) => paths.length > 1 && !conventions.has(name));
for (const [name, paths] of several) process.stdout.write(`${name}: ${paths.join(', ')}\n`);
if (several.length > 0)
  process.stdout.write('Each of these names has several meanings. Give each meaning its own name.\n');

// A kind of record is described once, in src/cli/records: no other file has its plural.
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
process.exitCode = several.length + twice.length > 0 ? 1 : 0;
