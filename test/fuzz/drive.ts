// Sends attempts to a service and checks the answers.
import { request as httpRequest } from 'node:http';
import type { MockService } from '../../src/mock/service.js';
import { caller, noon, tokens } from '../mock/caller.js';
import { Random } from './random.js';
import { type Attempt, anyAttempt, controlAttempt } from './requests.js';
import type { World } from './values.js';
import { fault, type Seen } from './verdict.js';

export interface Finding {
  readonly seed: number;
  readonly index: number;
  readonly problem: string;
  readonly attempt: Attempt;
}

export interface Tally {
  readonly findings: Finding[];
  readonly statuses: Record<string, number>;
  readonly kinds: Record<string, number>;
  /** GraphQL answers with data. */
  withData: number;
  /** Milliseconds of processor time, including the client. */
  slowest: { readonly ms: number; readonly index: number; readonly kind: string };
}

export const newTally = (): Tally => ({
  findings: [],
  statuses: {},
  kinds: {},
  withData: 0,
  slowest: { ms: 0, index: -1, kind: '' },
});

const longestRead = 16 * 1024 * 1024;

/** Resets the service to its initial state at a frozen time, with a new login. */
export async function freshWorld(service: MockService): Promise<World> {
  service.reset();
  service.clock.freeze(true);
  service.clock.set(noon);
  const demo = await caller(service.fetch);
  const { access_token: token, refresh_token: refreshToken } = await tokens(service.fetch);
  const data = await demo.data(
    '{ getVehicles { id name vin licensePlate } getPeople { id email } getGroups { id name } getGeofences { id } getRoles { id } getRules { id } getLabels { id } getWorkSchedules { id } getVehicleTypes { id } getWrappedReportInputs { id } getMetaSensors { name } }',
  );
  const ids = new Set<string>();
  const texts = new Set<string>();
  for (const rows of Object.values<Record<string, string>[]>(data)) {
    for (const row of rows) {
      for (const [key, value] of Object.entries(row)) (key === 'id' && value.length === 36 ? ids : texts).add(value);
    }
  }
  const { userId, fleetId } = demo.user;
  return { token, refreshToken, userId, fleetId, ids: [...ids], texts: [...texts], now: noon };
}

/** Sends through `service.fetch`. Null when the fetch API refuses the request. */
export async function byFetch(service: MockService, attempt: Attempt): Promise<Seen | null> {
  let request: Request;
  try {
    const headers = new Headers();
    for (const [name, value] of attempt.headers) headers.append(name, value);
    // Not a view of shared memory, which its type would allow.
    const body = attempt.body as string | Uint8Array<ArrayBuffer> | null;
    request = new Request(`http://mock.test${attempt.path}`, { method: attempt.method, headers, body });
  } catch {
    return null;
  }
  const response = await service.fetch(request);
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await upTo(response) };
}

async function upTo(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    // Leaving the loop cancels the stream, and the user's turn must end with it.
    if (size > longestRead) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Sends over HTTP. Null when Node's client refuses the request. */
export function byHttp(url: string, attempt: Attempt, patienceMs: number): Promise<Seen | null> {
  return new Promise((resolve, reject) => {
    let outgoing: ReturnType<typeof httpRequest>;
    const { method, path } = attempt;
    try {
      const list: Record<string, string[]> = Object.create(null);
      for (const [name, value] of attempt.headers) list[name] = [...(list[name] ?? []), value];
      outgoing = httpRequest(`${url}/`, { method, path, headers: list, timeout: patienceMs }, (incoming) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const seen = (text: string | null): void =>
          resolve({ status: incoming.statusCode ?? 0, type: incoming.headers['content-type'] ?? '', text });
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size <= longestRead) return;
          seen(null);
          incoming.destroy();
        });
        // An encoded answer is not checked.
        incoming.on('end', () =>
          seen(incoming.headers['content-encoding'] === undefined ? Buffer.concat(chunks).toString() : null),
        );
        incoming.on('error', reject);
      });
    } catch {
      resolve(null);
      return;
    }
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${patienceMs} ms`)));
    // The service may refuse a too large body before it is complete.
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      (attempt.body?.length ?? 0) > 8_000_000 && (error.code === 'EPIPE' || error.code === 'ECONNRESET')
        ? resolve(null)
        : reject(error),
    );
    outgoing.end(attempt.body ?? undefined);
  });
}

export type Send = (attempt: Attempt) => Promise<Seen | null>;

export async function tryOne(tally: Tally, seed: number, index: number, world: World, send: Send): Promise<void> {
  await judgeAttempt(tally, seed, index, anyAttempt(new Random(seed, index), world), send);
}

async function judgeAttempt(tally: Tally, seed: number, index: number, attempt: Attempt, send: Send): Promise<void> {
  const begun = process.cpuUsage();
  let problem: string | null;
  try {
    const seen = await send(attempt);
    const status = String(seen?.status ?? 'not sendable');
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    if (attempt.path === '/graphql' && seen?.text?.startsWith('{"data":{')) tally.withData += 1;
    problem = seen === null ? null : fault(seen, attempt.path);
  } catch (error) {
    problem = `rejected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
  // Processor time, so that a busy machine makes no case slow.
  const { user, system } = process.cpuUsage(begun);
  const ms = Math.round((user + system) / 1000);
  tally.kinds[attempt.kind] = (tally.kinds[attempt.kind] ?? 0) + 1;
  if (ms > tally.slowest.ms) tally.slowest = { ms, index, kind: attempt.kind };
  if (problem !== null && tally.findings.length < 50) tally.findings.push({ seed, index, problem, attempt });
}

const everything =
  '{ getVehicles { id lastOdometer latestData { timestamp address { city } driverData { driverId } } lastData { timestamp driver { driverId } } assignedGroups { id vehicleIds } assignedDevices { id } assignedLabels { id name } vehicleType { name } workSchedule { id periods { begin } } customFields { name value } createdAt } getPeople { id createdAt driverTokens { value lastScanTimestamp } roles { name } customFields { name value } } getGroups { id parentId assignedVehicles { id } updatedAt } getGeofences { id geojson address { city } } getRules { id vehicles { assignedVehicleIds } geofenceIds } getLabels { id } getRoles { id } getWorkSchedules { id periods { weekday begin duration } } getMetaSensors { key } getUserInfo { userId } getWrappedReportInputs { id inputs } }';

/** Controls the service over /__mock/, then checks that everything can still be read. */
export async function tryControl(
  tally: Tally,
  seed: number,
  index: number,
  service: MockService,
  send: Send,
): Promise<void> {
  const world = await freshWorld(service);
  const snapshot = JSON.stringify(service.snapshot());
  const random = new Random(seed, index);
  const attempt = controlAttempt(random, world, snapshot);
  await judgeAttempt(tally, seed, index, attempt, send);
  service.faults.clear();
  const { access_token: token } = await tokens(service.fetch);
  const reading: Attempt = {
    kind: `${attempt.kind}, then everything read`,
    method: 'POST',
    path: '/graphql',
    headers: [
      ['authorization', `Bearer ${token}`],
      ['userid', world.userId],
      ['content-type', 'application/json'],
    ],
    body: JSON.stringify({ query: everything }),
  };
  const findingsBefore = tally.findings.length;
  await judgeAttempt(tally, seed, index, reading, send);
  const found = tally.findings[findingsBefore];
  // The cause is the attempt before.
  if (found !== undefined)
    tally.findings[findingsBefore] = { ...found, attempt, problem: `${found.problem}, after it` };
}

export function described(findings: readonly Finding[]): string {
  return findings
    .map(({ seed, index, problem, attempt: { kind, method, path, headers, body } }) => {
      const shown = typeof body === 'string' ? body : Buffer.from(body ?? []).toString('latin1');
      const headerTexts = headers.map(([name, value]) => `${name}: ${value.slice(0, 120)}`).join(' | ');
      return `case ${index} of seed ${seed} (${kind}): ${problem}\n  ${method} ${path.slice(0, 200)}\n  ${headerTexts}\n  ${shown.slice(0, 1500)}`;
    })
    .join('\n');
}
