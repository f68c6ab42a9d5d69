// `fleet map`: serves the live map until it is interrupted.
import { randomBytes } from 'node:crypto';
import type { CallOptions, FleetClient } from 'fleet-telematics';
import { Board, offlineAfterMs, staleAfterMs } from 'fleet-telematics/kit';
import {
  CliError,
  type Context,
  noPlaces,
  note,
  outageText,
  pollUntilInterrupted,
  recoveryText,
  type StatusAnswer,
  serviceNow,
  statusRequest,
  statusRows,
  write,
  zoneName,
} from 'fleet-telematics/kit/command';
import { Audience } from '../audience.js';
import { FleetState } from '../fleet-state.js';
import type { MapServerOptions } from '../map-server.js';
import type { MapTiles } from '../shapes.js';
import type { BaseMap } from './base-map.js';
import { mapDateOf } from './dates.js';
import { DayReader } from './day-reader.js';
import { mapVehicle, namingBy, type ReadChosenIds, readGeofences, readRoads } from './fleet-reads.js';
import { DayNotBegun, problemOf, problemOfWarnings } from './map-problem.js';
import { notBuiltError } from './not-built.js';
import { type OpeningFile, openBrowser, openingFile } from './opening-file.js';
import { daysAgoOf, RecentRoads } from './recent-roads.js';

const MAX_ROAD_VEHICLES = 50;

export interface LiveMapFlags {
  readonly port: number;
  readonly open: boolean;
  readonly everyMs: number;
  readonly active: boolean;
  readonly tiles: MapTiles | null;
  readonly baseMap: BaseMap | null;
  readonly chosenIds: ReadChosenIds;
}

export async function liveMap(context: Context, client: FleetClient, flags: LiveMapFlags): Promise<void> {
  const { signal } = context.io;
  const fleet = new LiveFleet(context, client, flags);
  const { serveMap } = await import('../map-server.js');
  const zone = zoneName(context.zone);
  let opening: OpeningFile | null = null;
  const server = await serveMap({
    setup: {
      kind: 'live',
      title: 'Fleet map',
      zone,
      tiles: flags.tiles,
      streets: flags.baseMap?.streets ?? null,
      everyMs: flags.everyMs,
    },
    streets: flags.baseMap?.file ?? null,
    port: flags.port,
    token: randomBytes(24).toString('base64url'),
    audience: fleet.audience,
    read: (name, query, left) => fleet.read(name, query, AbortSignal.any([left, signal])),
    problemOf: (error) => problemOf(context, error),
    onVisit: () => opening?.remove(),
  }).catch((error: unknown) => {
    throw cannotListen(error, flags.port);
  });
  if (server === null) throw notBuiltError();
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
          'If the browser shows no map, it could not read the temporary file that redirects to it: open the address yourself.',
        );
    }
    await fleet.follow();
  } catch (error) {
    if (signal.aborted) return;
    const problem = problemOf(context, error);
    fleet.audience.send({ kind: 'problem', problem, isOutage: true, waitMs: null, isEnd: true });
    throw error;
  } finally {
    opening?.remove();
    await server.close();
    // The page has already shown the partial failures.
    context.report.takePartial();
  }
}

interface FleetAnswer {
  readonly status: StatusAnswer;
  readonly ids: ReadonlySet<string> | null;
}

class LiveFleet {
  readonly #context: Context;
  readonly #client: FleetClient;
  readonly #flags: LiveMapFlags;
  readonly #state: FleetState;
  readonly #days: DayReader;
  readonly audience = new Audience(() => this.#state.greeting());
  #answer: FleetAnswer | null = null;
  readonly #roads: RecentRoads;

  constructor(context: Context, client: FleetClient, flags: LiveMapFlags) {
    this.#context = context;
    this.#client = client;
    this.#flags = flags;
    this.#state = new FleetState(() => serviceNow(context));
    this.#days = new DayReader(context, client, () =>
      namingBy(this.#answer?.status ?? { names: new Map(), places: noPlaces }),
    );
    this.#roads = new RecentRoads({
      now: () => serviceNow(context),
      vehicleIds: (now) => this.#newest(now),
      read: (ids, period, signal) => readRoads(client, ids, period, signal),
      signal: context.io.signal,
    });
  }

  /** Polls while a page is visible. Rejects with an error that a retry cannot fix. */
  async follow(): Promise<void> {
    const context = this.#context;
    const { signal } = context.io;
    const board = new Board({ staleAfterMs, offlineAfterMs, minMoveMetres: 0 });
    const needs = { active: this.#flags.active, names: true, assignments: false, places: true };
    const requestStatus = statusRequest(context, this.#client, needs, board);
    const request = async (options: CallOptions): Promise<FleetAnswer> => {
      const [status, ids] = await Promise.all([requestStatus(options), this.#flags.chosenIds(options)]);
      return { status, ids };
    };
    await this.audience.waitForPage(signal);
    for await (const event of pollUntilInterrupted(context, this.#flags.everyMs, request)) {
      if (event.kind === 'outage') {
        note(context, outageText(event, context.zone.name));
        this.audience.send(this.#state.fail(problemOf(context, event.error), event.waitMs));
      } else {
        if (event.outageMs !== null) note(context, recoveryText(event.outageMs));
        this.#answer = event.answer;
        this.audience.send(this.#state.take(this.#vehicles(event.at), event.at));
        if (event.warnings.length > 0) {
          this.audience.send(this.#state.fail(problemOfWarnings(event.warnings, event.isWhole), null));
        }
      }
      await this.audience.waitForPage(signal);
    }
  }

  read: MapServerOptions['read'] = async (name, query, signal) => {
    if (name === 'geofences') return readGeofences(this.#context, this.#client);
    if (name === 'roads') return this.#roads.day(daysAgoOf(query.get('ago')), signal);
    const vehicleId = query.get('vehicle') ?? '';
    const date = mapDateOf(query.get('day') ?? '', zoneName(this.#context.zone));
    if (date === null) {
      throw new CliError('USAGE', 'The link names no day.', { hint: 'Write it as day=2026-03-01.' });
    }
    if (date.from > serviceNow(this.#context)) {
      throw new DayNotBegun(date.day);
    }
    return this.#days.read(vehicleId, date, signal);
  };

  #newest(now: number): readonly string[] {
    const newest = [...this.#vehicles(now)].sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
    return newest.slice(0, MAX_ROAD_VEHICLES).map(({ id }) => id);
  }

  #vehicles(now: number) {
    if (this.#answer === null) return [];
    const { status, ids } = this.#answer;
    return statusRows(status, now)
      .filter(({ id }) => ids === null || ids.has(id ?? ''))
      .map(mapVehicle);
  }
}

function cannotListen(error: unknown, port: number): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const reason =
    code === 'EADDRINUSE' ? `Port ${port} is already in use.` : `You have no permission to use port ${port}.`;
  return new CliError('CONFIGURATION', reason, { hint: 'Leave out --port to use a free port.' });
}
