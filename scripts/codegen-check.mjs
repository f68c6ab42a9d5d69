// Fails if src/generated is out of date. It writes nothing, so other checks can run at that time.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generate, loadContext } from '@graphql-codegen/cli';
import { root } from './source-files.mjs';

const folder = join(root, 'src/generated');

process.chdir(root);
const context = await loadContext('codegen.ts');
context.updateConfig({ silent: true });
/** @type {{ filename: string, content: string }[]} */
const generated = await generate(context, false);
const fresh = new Map(generated.map(({ filename, content }) => [basename(filename), content]));
const committed = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

const stale = [...new Set([...committed.keys(), ...fresh.keys()])].filter(
  (name) => committed.get(name) !== fresh.get(name),
);
if (stale.length > 0) {
  process.stderr.write(`src/generated is stale: ${stale.join(', ')}. Run \`npm run codegen\` and commit the result.\n`);
  process.exitCode = 1;
}
