// Writes a report of the public API of each entry point into api/. With --check it fails if api/ is out of date.
// If a report changes, the public API changes: docs/versioning.md says which version that needs.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const folder = join(root, 'api');
/** @type {{ exports: Record<string, { types?: { default: string } }> }} */
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @param {string} entry such as `./mock/msw` @returns {string} the report's file name */
const reportName = (entry) => `${['fleet-telematics', ...entry.split('/').slice(1)].join('-')}.api.md`;

/**
 * @param {string} entry
 * @param {string} types
 * @returns {boolean} whether the report in api/ is up to date
 */
function report(entry, types) {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, types),
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'ES2022',
            lib: ['ES2022', 'ESNext.Disposable'],
            module: 'NodeNext',
            moduleResolution: 'NodeNext',
            types: ['node'],
            strict: true,
            skipLibCheck: true,
          },
          files: [join(root, types)],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: reportName(entry),
        reportFolder: folder,
        reportTempFolder: join(root, 'node_modules/.cache/api'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: join(root, 'api-extractor.json'),
    packageJsonFullPath: join(root, 'package.json'),
  });
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !check,
    // Only compiler errors matter; messages about comments and tags are ignored.
    messageCallback(message) {
      if (message.category === 'Compiler') {
        throw new Error(`${message.sourceFilePath}:${message.sourceFileLine}: ${message.text}`);
      }
      message.handled = true;
    },
  });
  return !apiReportChanged;
}

mkdirSync(folder, { recursive: true });
const entries = Object.entries(manifest.exports).flatMap(([entry, { types }]) =>
  types ? [{ entry, types: types.default }] : [],
);
const expected = new Set(entries.map(({ entry }) => reportName(entry)));
const stale = [
  ...readdirSync(folder).filter((name) => !expected.has(name)),
  ...entries.filter(({ entry, types }) => !report(entry, types)).map(({ entry }) => reportName(entry)),
];
if (check && stale.length > 0) {
  process.stderr.write(
    `The public API differs from api/: ${stale.join(', ')}. Run \`npm run api\`, read the changes, and choose the version with docs/versioning.md.\n`,
  );
  process.exitCode = 1;
}
if (!check) for (const name of stale.filter((file) => !expected.has(file))) rmSync(join(folder, name));
