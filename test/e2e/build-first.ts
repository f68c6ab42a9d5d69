// Builds dist/ before the tests if it is out of date: test/e2e tests the built package.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default function buildFirst(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
