// Adds an operation to a copy, by CONTRIBUTING.md: its root field, its `.graphql` file and one
// command.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'fleet-add-operation-'));
const node = (script: string, args: string[]) =>
  execFileSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: copy,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

beforeAll(() => {
  for (const name of [
    'src',
    'codegen',
    'codegen.ts',
    'operations',
    'schema.graphql',
    'package.json',
    'tsconfig.json',
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');

  const schema = readFileSync(join(copy, 'schema.graphql'), 'utf8');
  const field = '  "The depots of the fleet, by name."\n  getDepots("Only those with room." free: Boolean): [Depot!]\n';
  writeFileSync(
    join(copy, 'schema.graphql'),
    schema.replace(/^type Query \{\n/m, (start) => `${start}${field}`),
  );
  appendFileSync(join(copy, 'schema.graphql'), '\ntype Depot {\n  id: UUID\n  name: String\n  bays: Long\n}\n');
  writeFileSync(
    join(copy, 'operations/depots.graphql'),
    'query getDepots($free: Boolean) {\n  getDepots(free: $free) {\n    id\n    name\n    bays\n  }\n}\n',
  );
  node('@graphql-codegen/cli/esm/bin.js', ['--config', 'codegen.ts', '--silent']);
}, 120_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('the method is there, typed, with what the contract says of it, and answers', { timeout: 120_000 }, async () => {
  writeFileSync(
    join(copy, 'src/try.ts'),
    `import { FleetClient } from './index.js';

export async function depots(fetch: typeof globalThis.fetch): Promise<readonly string[]> {
  const fleet = new FleetClient({ baseUrl: 'http://fleet.example', credentials: { username: 'a', password: 'b' }, fetch });
  const rows = await fleet.getDepots({ free: true });
  const bays: number | null | undefined = rows[0]?.bays;
  // @ts-expect-error the argument is a boolean
  void (() => fleet.getDepots({ free: 'yes' }));
  const slim = await fleet.getDepots({}, { select: { name: true } });
  // @ts-expect-error not selected
  void slim[0]?.bays;
  return [\`\${bays}\`, ...slim.map(({ name }) => \`\${name}\`)];
}
`,
  );
  writeFileSync(
    join(copy, 'tsconfig.try.json'),
    JSON.stringify({ extends: './tsconfig.json', compilerOptions: { skipLibCheck: true }, include: ['src/try.ts'] }),
  );
  node('typescript/bin/tsc', ['-p', 'tsconfig.try.json']);
  expect(readFileSync(join(copy, 'src/generated/methods.ts'), 'utf8')).toContain('The depots of the fleet, by name.');

  const outfile = join(copy, 'try.mjs');
  await build({
    absWorkingDir: copy,
    entryPoints: ['src/try.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  const answers: Readonly<Record<string, unknown>> = {
    '/login/token': { access_token: 'a', refresh_token: 'r' },
    '/login/userinfo': [{ userId: 'u', userName: 'A', fleetName: 'F' }],
    '/graphql': { data: { getDepots: [{ id: '1', name: 'North', bays: 12 }] } },
  };
  const sent: string[] = [];
  const fetch = async (url: string, init: { body?: unknown }) => {
    const path = Object.keys(answers).find((end) => url.endsWith(end)) ?? '';
    if (path === '/graphql') sent.push(String(init.body));
    return Response.json(answers[path], { status: path === '' ? 404 : 200 });
  };
  const { depots }: { depots(fetch: unknown): Promise<string[]> } = await import(pathToFileURL(outfile).href);
  expect(await depots(fetch)).toEqual(['12', 'North']);
  expect(JSON.parse(sent[0] ?? '')).toMatchObject({
    query: expect.stringContaining('query getDepots'),
    variables: { free: true },
  });
});
