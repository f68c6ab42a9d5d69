// Queries the registry for known vulnerabilities. One in an installed package fails; one in a
// development tool is only printed. A registry without an audit service causes no failure.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { npmCommand } from './npm.mjs';
import { root } from './source-files.mjs';

/** Separate packages whose dependencies the build bundles or the tests use. */
const folders = ['graphiql', 'test/consumers/loggers', 'test/consumers/types-wrong', 'test/docs/libraries'];

/**
 * @param {string[]} options @param {string} [folder]
 * @returns {{ name: string, severity: string }[] | null} null when the registry did not answer
 */
function vulnerable(options, folder = '.') {
  const cwd = join(root, folder);
  const { stdout } = spawnSync(...npmCommand('audit', '--json', '--package-lock-only', ...options), {
    cwd,
    encoding: 'utf8',
  });
  try {
    /** @type {{ vulnerabilities?: Record<string, { name: string, severity: string }> }} */
    const { vulnerabilities } = JSON.parse(stdout);
    return vulnerabilities ? Object.values(vulnerabilities) : null;
  } catch {
    return null;
  }
}

/** @param {{ name: string, severity: string }[]} found */
const listed = (found) => found.map(({ name, severity }) => `  ${name}: ${severity}\n`).join('');

const installed = vulnerable(['--omit=dev']);
const all = installed && vulnerable([]);
if (!installed || !all) {
  process.stdout.write('The registry has no audit service. Nothing was audited.\n');
} else if (installed.length > 0) {
  process.stderr.write(
    `Known vulnerabilities in packages that users install (details: \`npm audit\`):\n${listed(installed)}`,
  );
  process.exitCode = 1;
} else {
  process.stdout.write('No known vulnerabilities in packages that users install.\n');
  if (all.length > 0) process.stdout.write(`In development tools:\n${listed(all)}`);
  for (const folder of folders) {
    const found = vulnerable([], folder) ?? [];
    if (found.length > 0) process.stdout.write(`In ${folder}:\n${listed(found)}`);
  }
}
