// Writes the public API of the packages into api/: the declarations of every entry point, without
// comments. With --check it fails if a file is out of date. Changes affect the version: see
// docs/versioning.md. The kit has a separate report, because only the packages of this project may
// use it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './source-files.mjs';

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
const [core, sync] = ['dist/commonjs', 'packages/sync/dist/commonjs'];

/** @param {string} folder @returns {readonly string[]} the files of declarations below it */
const declarationsIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.cts'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();

/** @param {string} heading @param {string} code */
const section = (heading, code) => `## ${heading}\n\n\`\`\`ts\n${code}\n\`\`\`\n`;

/** @param {string} folder @param {string} file */
function declarations(folder, file) {
  const text = readFileSync(join(root, folder, file), 'utf8');
  return section(file, printer.printFile(ts.createSourceFile(file, text, ts.ScriptTarget.Latest)).trim());
}

/** @returns {readonly string[]} the command line's declarations for package commands */
function declarationsOfCommands() {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const entry = join(root, 'src/kit/command.ts');
  const program = ts.createProgram([entry], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error('src/kit/command.ts was not found');
  /** @type {Map<string, string[]>} names by their file */
  const byFile = new Map();
  for (const symbol of checker.getExportsOfModule(module)) {
    const named = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const path = relative(root, named.declarations?.[0]?.getSourceFile().fileName ?? '').replaceAll('\\', '/');
    if (/^src\/(cli\/|generated\/contract-text)/.test(path))
      byFile.set(path, [...(byFile.get(path) ?? []), named.name]);
  }
  return [...byFile]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, names]) => {
      let text = '';
      program.emit(program.getSourceFile(join(root, path)), (_, written) => (text = written), undefined, true);
      const written = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      const lines = written.statements
        .filter((one) => namesOf(one).some((name) => names.includes(name)))
        .map((one) => printer.printNode(ts.EmitHint.Unspecified, one, written));
      return section(path, lines.join('\n'));
    });
}

/** @param {ts.Statement} statement @returns {readonly string[]} the names that it declares */
function namesOf(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  return 'name' in statement && statement.name ? [/** @type {ts.Identifier} */ (statement.name).text] : [];
}

const note = 'Files without a folder are what entry points share; only what an entry point exports is public.';
const ofKit = (/** @type {string} */ file) => file.startsWith('kit/');
const reports = {
  'fleet-telematics.api.md': [
    `# Public API of fleet-telematics\n\nWritten by \`npm run api\`. ${note}\n`,
    ...declarationsIn(core)
      .filter((file) => !ofKit(file))
      .map((file) => declarations(core, file)),
  ],
  'fleet-telematics-sync.api.md': [
    `# Public API of fleet-telematics-sync\n\nWritten by \`npm run api\`. ${note}\n`,
    ...declarationsIn(sync).map((file) => declarations(sync, file)),
  ],
  'fleet-telematics-kit.api.md': [
    '# The kit of fleet-telematics\n\nWritten by `npm run api`. `fleet-telematics/kit` and `fleet-telematics/kit/command` are for the packages of this project, which are released with it. Any version may change them: no other program may import them.\n',
    ...declarationsIn(core)
      .filter(ofKit)
      .map((file) => declarations(core, file)),
    ...declarationsOfCommands(),
  ],
};

for (const [name, sections] of Object.entries(reports)) {
  const file = join(root, 'api', name);
  const text = sections.join('\n');
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8').replaceAll('\r\n', '\n') !== text) {
    process.stderr.write(
      `The public API differs from api/${name}. Run \`npm run api\`, read the changes, and choose the version with docs/versioning.md.\n`,
    );
    process.exitCode = 1;
  }
}
