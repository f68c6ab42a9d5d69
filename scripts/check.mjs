// Runs everything that CI runs, step by step, fast steps first. It stops at the first step that fails.
// `npm run check -- lint test` runs only these steps.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @type {Readonly<Record<string, readonly string[]>>} */
const steps = {
  build: ['run', 'build'],
  lint: ['run', 'lint'],
  typecheck: ['run', 'typecheck'],
  'codegen:check': ['run', 'codegen:check'],
  'docs:check': ['run', 'docs:check'],
  'docs:api': ['run', 'docs:api'],
  'api:check': ['run', 'api:check'],
  unused: ['run', 'unused'],
  audit: ['run', 'audit'],
  test: ['test'],
  'test:heavy': ['run', 'test:heavy'],
  'test:any-day': ['run', 'test:any-day', '--', '--time-only', '--rotate'],
  'test:browser': ['run', 'test:browser'],
  consumers: ['run', 'consumers'],
  // GraphQL clients of other projects against the reference service.
  'bench: install': ['ci', '--prefix', 'bench', '--no-audit', '--no-fund', '--prefer-offline'],
  'bench: typecheck': ['run', 'typecheck', '--prefix', 'bench'],
  'bench: clients': ['run', 'clients', '--prefix', 'bench'],
};

const root = fileURLToPath(new URL('..', import.meta.url));
const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !(name in steps));
if (unknown.length > 0) {
  process.stderr.write(`Unknown step: ${unknown.join(', ')}. The steps are: ${Object.keys(steps).join(', ')}.\n`);
  process.exit(2);
}

/** @type {string[]} */
const done = [];
for (const [name, args] of Object.entries(steps)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  process.stdout.write(`\n── ${name}\n`);
  const start = performance.now();
  const { status } = spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  done.push(
    `${((performance.now() - start) / 1000).toFixed(1).padStart(7)} s  ${name}${status === 0 ? '' : ': failed'}`,
  );
  if (status !== 0) {
    process.exitCode = 1;
    break;
  }
}
process.stdout.write(`\n${done.join('\n')}\n`);
