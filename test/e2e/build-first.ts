// Builds dist/ before the tests when it is not fresh: test/e2e drives what users install, not the sources.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default function buildFirst(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
