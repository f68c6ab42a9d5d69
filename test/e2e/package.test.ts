// The packed tarball in a project of its own: strict TypeScript under NodeNext compiles against it, and the result runs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'fleet-consumer-'));
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
let packed: string[] = [];

beforeAll(() => {
  // The build is fresh already, so packing needs no scripts.
  const report = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', project], root);
  const [entry]: { filename: string; files: { path: string }[] }[] = JSON.parse(report);
  if (!entry) throw new Error('npm pack reported nothing');
  packed = entry.files.map((file) => file.path);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  run(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', join(project, entry.filename)],
    project,
  );
  mkdirSync(join(project, 'src'));
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'ES2023',
        module: 'NodeNext',
        moduleResolution: 'NodeNext',
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        rootDir: 'src',
        outDir: 'out',
      },
      include: ['src'],
    }),
  );
}, 180_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

test('strict NodeNext TypeScript compiles against the package and runs', () => {
  writeFileSync(
    join(project, 'src/main.ts'),
    `
import { FleetClient, FleetError, type AssignDriverInput, type Snapshot, toDate, type Vehicle } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';

const service = createMockService({ vehicles: 3 });
await using fleet = new FleetClient({
  baseUrl: 'http://fleet.example',
  credentials: { username: 'demo', password: 'demo' },
  fetch: service.fetch,
});
const vehicles: Vehicle[] = await fleet.getVehicles();
const [first] = vehicles;
const name: string | null | undefined = first?.name;
const snapshots: Snapshot[] = await fleet.getLatestSnapshots({ vehicleIds: [String(first?.id)] });
const speed: number | null | undefined = snapshots[0]?.gps?.speed;
const seen: string | null | undefined = snapshots[0]?.timestamp;
const created: Date | null = toDate(first?.createdAt);
void speed;
const input: AssignDriverInput = { vehicleId: 'v', driverId: 'd' };
try {
  await fleet.assignDriver({ assignDriverInput: input });
} catch (error) {
  if (!(error instanceof FleetError)) throw error;
  console.log(JSON.stringify({ count: vehicles.length, name: typeof name, seen: typeof seen, created: created instanceof Date, code: error.code }));
}
// @ts-expect-error a required variable is missing
fleet.getVehicleById({});
// @ts-expect-error no such field in the default selection
first?.latestData;
// Members of assumed inputs are a guess, so other keys are accepted.
void (() => fleet.createGroup({ createGroupInput: { name: 'x', somethingTheServiceWants: 1 } }));
`.replace('fleet.getVehicleById({});', 'void (() => fleet.getVehicleById({}));'),
  );
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project], project);
  const printed: unknown = JSON.parse(run(process.execPath, [join(project, 'out/main.js')], project));
  expect(printed).toEqual({ count: 3, name: 'string', seen: 'string', created: true, code: 'GRAPHQL' });
});

test('the installed command line runs', () => {
  const fleet = join(project, 'node_modules/.bin/fleet');
  expect(run(fleet, ['--version'], project)).toMatch(/^\d+\.\d+\.\d+\n$/);
  const rows: unknown[] = JSON.parse(run(fleet, ['vehicles', 'list', '--demo', '-o', 'json'], project));
  expect(rows).toHaveLength(25);
});

test('the package holds what users need and nothing else', () => {
  const top = new Set(packed.map((path) => path.split('/')[0]));
  expect([...top].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'package.json',
    'schema.graphql',
  ]);
  expect(packed.filter((path) => /\.map$|\.test\.|^dist\/.*\.ts(?<!\.d\.ts)$|sha256$/.test(path))).toEqual([]);
  expect(readdirSync(join(project, 'node_modules'))).not.toContain('commander');
});
