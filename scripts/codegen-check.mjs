// Fails if src/generated is out of date. It runs codegen, compares, and restores the committed files.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'src/generated');
const read = () => new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

const committed = read();
execFileSync(
  process.execPath,
  [join(root, 'node_modules/@graphql-codegen/cli/esm/bin.js'), '--config', 'codegen.ts', '--silent'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
const fresh = read();
for (const [name, text] of committed) writeFileSync(join(folder, name), text);

const stale = [...new Set([...committed.keys(), ...fresh.keys()])].filter(
  (name) => committed.get(name) !== fresh.get(name),
);
if (stale.length > 0) {
  process.stderr.write(`src/generated is stale: ${stale.join(', ')}. Run \`npm run codegen\` and commit the result.\n`);
  process.exitCode = 1;
}
