// Writes docs/cli.md, docs/methods.md and man/fleet.1 from the definitions of the commands and
// operations/. With --check it fails if these files are out of date.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './source-files.mjs';

// Inside the project, so that Node finds the imported packages.
const bundle = join(root, 'node_modules/.cache', `cli-docs-${process.pid}.mjs`);

/** @returns {Promise<Record<string, string>>} */
async function freshPages() {
  try {
    await build({
      absWorkingDir: root,
      entryPoints: ['codegen/cli-docs/pages.ts'],
      outfile: bundle,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'warning',
    });
    const { pages } = await import(pathToFileURL(bundle).href);
    return await pages(root);
  } finally {
    rmSync(bundle, { force: true });
  }
}

/** @param {string} file */
function committed(file) {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return null;
  }
}

const fresh = Object.entries(await freshPages());
if (process.argv.includes('--check')) {
  const stale = fresh.filter(([file, text]) => committed(file) !== text).map(([file]) => file);
  if (stale.length > 0) {
    process.stderr.write(`${stale.join(' and ')} stale. Run \`npm run docs:cli\` and commit the result.\n`);
    process.exitCode = 1;
  }
} else {
  for (const [file, text] of fresh) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}
