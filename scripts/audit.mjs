// Asks the registry for known vulnerabilities. One in what users install fails; one in a tool of ours is shown; a registry
// that does not answer such questions fails nothing, because a run must not depend on it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {string[]} options
 * @returns {{ name: string, severity: string }[] | null} null when the registry did not answer
 */
function vulnerable(options) {
  const { stdout } = spawnSync('npm', ['audit', '--json', ...options], { cwd: root, encoding: 'utf8' });
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
  process.stdout.write('The registry does not answer questions about vulnerabilities: nothing was audited.\n');
} else if (installed.length > 0) {
  process.stderr.write(`Known vulnerabilities in what users install; \`npm audit\` says more:\n${listed(installed)}`);
  process.exitCode = 1;
} else {
  process.stdout.write('No known vulnerability in what users install.\n');
  if (all.length > 0) process.stdout.write(`In our tools:\n${listed(all)}`);
}
