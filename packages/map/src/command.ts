// `fleet map`: a live map of the fleet in the browser, or the map of a period as a file.
import type { FleetClient } from 'fleet-telematics';
import type { Context, ServiceRun } from 'fleet-telematics/kit/command';
import {
  addVehicleFlags,
  connect,
  type DefineCommand,
  endsTooEarly,
  every,
  examples,
  expandPeriodFlags,
  findIds,
  hasVehicleFlags,
  onlyVehicle,
  type PeriodExpression,
  type PeriodFlags,
  periodHelp,
  readPeriodExpression,
  refusal,
  type VehicleFlags,
  vehicleChoice,
  vehicleKind,
  vehiclesArgument,
  wholeBetween,
} from 'fleet-telematics/kit/command';
import { type BaseMapFlags, baseMapOf } from './command/base-map.js';
import type { ReadChosenIds } from './command/fleet-reads.js';
import type { TileFlags } from './command/tiles.js';
import { tilesOf } from './command/tiles.js';

const MAP_WATCH_INTERVAL_MS = 10_000;

interface MapFlags extends PeriodFlags, TileFlags, BaseMapFlags, VehicleFlags {
  readonly port?: number;
  readonly open?: true;
  readonly every?: number;
  readonly active?: true;
  readonly file?: string;
}

export const define: DefineCommand = (noun, open) => {
  const map = noun
    .summary('show the fleet on a map in the browser, live or as a file')
    .description(
      'Show the fleet on a map in the browser: live until Ctrl-C, or with --file as a page to mail (getVehicles, getGeofences, getSnapshots, getPeople, getDriverAssignments)',
    )
    .argument(...vehiclesArgument)
    .option('--open', 'start a browser')
    .option('--port <port>', 'port to listen on (default: a free one)', wholeBetween(0, 65_535))
    .option(
      '--every <duration>',
      'pause between two requests while the page is visible; at least 1s (default: 10s)',
      every,
    )
    .option('--active', 'leave out deactivated vehicles')
    .option('--file <file>', 'write the map of a period to this file (- for stdout), and start no server')
    .option('--from <time>', 'with --file, start of the period')
    .option('--to <time>', 'with --file, end of the period (default: now)')
    .option('--on <day>', 'in place of both: a whole day, such as yesterday, monday or 2026-03-01')
    .option(
      '--base-map <file>',
      "draw streets from this PMTiles archive of Protomaps' basemap, or from one at an https address (default: none)",
    )
    .option(
      '--tiles <template>',
      'address of map tiles, with {z}, {x} and {y} (default: none; no other host is contacted)',
    )
    .option('--attribution <text>', 'credit for the tiles, which the map shows');
  addVehicleFlags(map)
    .addHelpText(
      'after',
      `${examples(
        ['fleet map', 'print the address of the live map'],
        ['fleet map --open --every 5s', 'and start a browser'],
        ['fleet map --on yesterday --file map.html', 'one file: mail it, open it anywhere'],
        ['fleet map "Truck 07" "Van 02" --from -7d --file week.html', 'some vehicles'],
        ['fleet map --group "Long haul" --on yesterday --file haul.html', 'those of a group'],
        ['fleet map --base-map region.pmtiles', 'with streets, from a file'],
      )}

- Each request looks up groups, labels and filters again. Vehicles come and go as these change.
- The address of the live map holds a secret. Only browsers of this machine can open it.
- --file writes a web page. To get a printout or a PDF, print the page in a browser.${periodHelp}`,
    )
    .action((vehicles: readonly string[], flags: MapFlags) =>
      run(open({ isEndless: flags.file === undefined }), vehicles, flags),
    );
};

async function run(context: Context, vehicles: readonly string[], flags: MapFlags): Promise<void> {
  const tiles = tilesOf(flags);
  const period = periodOf(context, flags);
  const choose = idChoice(context, vehicles, flags);
  const baseMap = await baseMapOf(flags);
  try {
    const client = await connect(context);
    const chosenIds = await choose(client);
    const common = { active: flags.active === true, tiles, baseMap, chosenIds };
    if (period === null) {
      // Reports an unknown name now, not when a page is opened.
      await chosenIds({ signal: context.io.signal });
      const { liveMap } = await import('./command/live-map.js');
      const live = { port: flags.port ?? 0, open: flags.open === true, everyMs: flags.every ?? MAP_WATCH_INTERVAL_MS };
      return await liveMap(context, client, { ...common, ...live });
    }
    const { mapToFile } = await import('./command/map-to-file.js');
    await mapToFile(context, client, await period.span(context, client), { ...common, file: flags.file ?? '-' });
  } finally {
    await baseMap?.file?.close();
  }
}

/** Named vehicles are looked up once; groups, labels and filters with each request. */
function idChoice(
  context: Context,
  names: readonly string[],
  flags: VehicleFlags,
): (client: FleetClient) => Promise<ReadChosenIds> {
  onlyVehicle(names, flags);
  if (hasVehicleFlags(flags)) {
    const choose = vehicleChoice(context, [], flags);
    return async (client) => async (options) => new Set((await choose(client, {}, options)).map(({ id }) => id));
  }
  return async (client) => {
    const ids = names.length === 0 ? null : new Set(await findIds(context, client, vehicleKind, names));
    return async () => ids;
  };
}

function periodOf(run: ServiceRun, flags: MapFlags): PeriodExpression | null {
  const { from, to } = expandPeriodFlags(run, flags);
  if (flags.file === undefined) {
    if (from === undefined && to === undefined) return null;
    throw refusal('--from, --to and --on need --file.', {
      hint: 'Add --file map.html. The live map has every day: choose a vehicle, then the day.',
    });
  }
  const live = (['port', 'open', 'every'] as const).find((name) => flags[name] !== undefined);
  if (live !== undefined) {
    throw refusal(`--${live} is for the live map, not for --file.`, {
      hint: `Leave out --${live}, or --file.`,
    });
  }
  requirePage(flags.file);
  if (from === undefined) {
    throw refusal('--on or --from is missing.', {
      hint: 'Which period? Add --on today, --on yesterday, or --from -7d for the last seven days.',
    });
  }
  return readPeriodExpression(run, from, to, () => endsTooEarly(to, 'written'));
}

/** Refuses other extensions: a page named .pdf would be mailed, and nobody could open it. */
function requirePage(file: string): void {
  if (file === '-' || /\.html?$/i.test(file)) return;
  const name = file.replace(/(?<=[^./\\])\.[^./\\]*$/, '');
  throw refusal(`--file ${file} does not end in .html: a map is a web page.`, {
    hint: `Write --file ${name}.html, and print it to PDF from the browser.`,
  });
}
