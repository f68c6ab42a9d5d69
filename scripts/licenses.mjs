// Writes the licence texts of the packages that a bundle contains, as esbuild's metafile lists them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {import('esbuild').Metafile} metafile
 * @param {string} file
 */
export function writeLicenses({ outputs }, file) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  // A file of which tree shaking has left nothing is not in the bundle.
  const folders = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => packageFolder(path));
  const texts = [...new Set(folders)].flatMap((folder) => (folder === null ? [] : [licenseOf(join(root, folder))]));
  writeFileSync(file, texts.sort().join(`\n${'-'.repeat(80)}\n\n`));
}

/** @param {string} path of a bundled file @returns {string | null} null when the file is our own */
function packageFolder(path) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null;
}

/** @param {string} folder of a package */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n') || 'The package holds no licence text.'}\n`;
}
