// Writes what programs see of the package into api/fleet-telematics.api.md: the declarations of every entry point, without comments. With
// --check it fails if the file is out of date. If it changes, the public API changes: docs/versioning.md says which version that needs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const declarations = join(root, 'dist/commonjs');
const report = join(root, 'api/fleet-telematics.api.md');
const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

/** @param {string} file */
function withoutComments(file) {
  const text = readFileSync(join(declarations, file), 'utf8');
  return printer.printFile(ts.createSourceFile(file, text, ts.ScriptTarget.Latest)).trim();
}

const files = readdirSync(declarations, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.d.cts'))
  .map((file) => file.replaceAll('\\', '/'))
  .sort();
const text = [
  '# Public API\n\nWritten by `npm run api`. Files without a folder are what entry points share; only what an entry point exports is public.\n',
  ...files.map((file) => `## ${file}\n\n\`\`\`ts\n${withoutComments(file)}\n\`\`\`\n`),
].join('\n');

if (!process.argv.includes('--check')) writeFileSync(report, text);
else if (readFileSync(report, 'utf8').replaceAll('\r\n', '\n') !== text) {
  process.stderr.write(
    'The public API differs from api/fleet-telematics.api.md. Run `npm run api`, read the changes, and choose the version with docs/versioning.md.\n',
  );
  process.exitCode = 1;
}
