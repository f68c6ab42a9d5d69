// `fleet map`: serves the live map until it is interrupted.
import { randomBytes } from 'node:crypto';
import { durationText } from '../../core/durations.js';
import type { FleetClient } from '../../index.js';
import { Audience } from '../../map/audience.js';
import { FleetState } from '../../map/fleet-state.js';
import type { MapServerOptions } from '../../map/map-server.js';
import type { MapProblem, MapRoads, MapTiles } from '../../map/shapes.js';
import { offlineAfterMs, staleAfterMs } from '../../telemetry/live-status.js';
import { Board } from '../../telemetry/watch/board.js';
import { type Context, note, type Run, serviceNow } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { commandFailureOf } from '../errors/exit-codes.js';
import { write } from '../io/io.js';
import { type StatusAnswer, statusRequest, statusRows } from '../watch/fleet-status.js';
import { outageText, recoveryText } from '../watch/messages.js';
import { pollUntilInterrupted } from '../watch/poll.js';
import { mapDateOf, zoneName } from './dates.js';
import { mapVehicle, readDay, readGeofences, readRoads } from './fleet-reads.js';
import { notBuilt } from './not-built.js';
import { openBrowser } from './open-browser.js';
import { type OpeningFile, openingFile } from './opening-file.js';

/** Of how many vehicles the roads are drawn. */
const MAX_ROAD_VEHICLES = 50;

/** Of how long the roads are drawn. */
const ROADS_SPAN_MS = 86_400_000;

/** How long the roads are good for. */
const ROADS_MAX_AGE_MS = 1_800_000;

export interface LiveMapFlags {
  readonly port: number;
  readonly open: boolean;
  readonly everyMs: number;
  readonly active: boolean;
  readonly tiles: MapTiles | null;
  /** The vehicles to show; null for all. */
  readonly vehicleIds: ReadonlySet<string> | null;
}

export async function liveMap(context: Context, client: FleetClient, flags: LiveMapFlags): Promise<void> {
  const { signal } = context.io;
  const fleet = new LiveFleet(context, client, flags);
  const { serveMap } = await import('../../map/map-server.js');
  const zone = zoneName(context.zone);
  let opening: OpeningFile | null = null;
  const server = await serveMap({
    setup: { kind: 'live', title: 'Fleet map', zone, tiles: flags.tiles },
    port: flags.port,
    token: randomBytes(24).toString('base64url'),
    audience: fleet.audience,
    read: (name, query, left) => fleet.read(name, query, AbortSignal.any([left, signal])),
    problemOf: (error) => problemOf(context, error),
    onVisit: () => opening?.remove(),
  }).catch((error: unknown) => {
    throw cannotListen(error, flags.port);
  });
  if (server === null) throw notBuilt();
  try {
    await write(context.io.stdout, `${server.url}\n`);
    note(context, 'Open this address in a browser of this machine. Press Ctrl-C to stop.');
    if (flags.open) {
      opening = openingFile(server.url, context.io.env);
      if (opening === null || !(await openBrowser(opening.url, process.platform, context.io.env))) {
        note(context, '! No browser could be started: open the address yourself.');
      } else
        note(
          context,
          'If the browser shows no map, it may not read the file that leads there: open the address yourself.',
        );
    }
    await fleet.follow();
  } catch (error) {
    if (signal.aborted) return;
    fleet.audience.tell({ kind: 'problem', problem: problemOf(context, error), isEnd: true });
    throw error;
  } finally {
    opening?.remove();
    await server.close();
    // The page has shown them.
    context.report.takePartial();
  }
}

class LiveFleet {
  readonly #context: Context;
  readonly #client: FleetClient;
  readonly #flags: LiveMapFlags;
  readonly #state = new FleetState();
  readonly audience = new Audience(() => this.#state.greeting());
  #answer: StatusAnswer | null = null;
  #roads: { readonly readAt: number; readonly roads: Promise<MapRoads> } | null = null;

  constructor(context: Context, client: FleetClient, flags: LiveMapFlags) {
    this.#context = context;
    this.#client = client;
    this.#flags = flags;
  }

  /** Polls while a page is visible. Ends with an error that does not go away by itself. */
  async follow(): Promise<void> {
    const context = this.#context;
    const { signal } = context.io;
    const board = new Board({ staleAfterMs, offlineAfterMs, minMoveMetres: 0 });
    const needs = { active: this.#flags.active, names: true, assignments: false, places: false };
    const request = statusRequest(context, this.#client, needs, board);
    await this.audience.present(signal);
    for await (const event of pollUntilInterrupted(context, this.#flags.everyMs, request)) {
      if (event.kind === 'outage') {
        note(context, outageText(event, context.zone.name));
        const hint = `Trying again in ${durationText(event.waitMs)}.`;
        this.audience.tell(this.#state.fail({ message: `The service does not answer. ${event.message}`, hint }));
      } else {
        if (event.outageMs !== null) note(context, recoveryText(event.outageMs));
        this.#answer = event.answer;
        this.audience.tell(this.#state.take(this.#vehicles(event.at), event.at));
        if (event.warnings.length > 0) {
          this.audience.tell(this.#state.fail({ message: event.warnings.join(' '), hint: null }));
        }
      }
      await this.audience.present(signal);
    }
  }

  read: MapServerOptions['read'] = async (name, query, signal) => {
    if (name === 'geofences') return readGeofences(this.#context, this.#client);
    if (name === 'roads') return this.#readRoads();
    const vehicleId = query.get('vehicle') ?? '';
    const date = mapDateOf(query.get('day') ?? '', zoneName(this.#context.zone));
    if (date === null) {
      throw new CliError('USAGE', 'The link names no day.', { hint: 'Write it as day=2026-03-01.' });
    }
    const now = serviceNow(this.#context);
    if (date.from > now) {
      throw new CliError('USAGE', `${date.day} has not begun yet.`, { hint: 'Choose an earlier day.' });
    }
    const { from } = date;
    const to = Math.min(date.to - 1, now);
    return readDay(this.#context, this.#client, vehicleId, { from, to }, (id) => this.#nameOf(id), signal);
  };

  /** Those of the last day, read again after a while. */
  #readRoads(): Promise<MapRoads> {
    const { signal } = this.#context.io;
    const now = serviceNow(this.#context);
    if (this.#roads === null || now - this.#roads.readAt > ROADS_MAX_AGE_MS) {
      const newest = [...this.#vehicles(now)].sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
      const ids = newest.slice(0, MAX_ROAD_VEHICLES).map(({ id }) => id);
      const roads = readRoads(this.#client, ids, { from: now - ROADS_SPAN_MS, to: now }, signal);
      this.#roads = { readAt: now, roads };
      // A failure is told once, and the next page tries again.
      roads.catch(() => {
        this.#roads = null;
      });
    }
    return this.#roads.roads;
  }

  #vehicles(now: number) {
    const { vehicleIds } = this.#flags;
    const rows = this.#answer === null ? [] : statusRows(this.#answer, now);
    return rows.filter(({ id }) => vehicleIds === null || vehicleIds.has(id ?? '')).map(mapVehicle);
  }

  #nameOf(driverId: string): string {
    return this.#answer?.names.get(driverId) ?? driverId;
  }
}

/** The words of the command line. */
function problemOf(run: Run, error: unknown): MapProblem {
  const { message, details, hint } = commandFailureOf(error, run.io.signal.aborted, run.globals.timeout);
  return { message: [message, ...details].join(' '), hint };
}

function cannotListen(error: unknown, port: number): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const reason =
    code === 'EADDRINUSE' ? `Port ${port} is already in use.` : `You have no permission to use port ${port}.`;
  return new CliError('CONFIGURATION', reason, { hint: 'Leave out --port: a free one is found.' });
}
