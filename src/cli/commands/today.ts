// `fleet today`: one day of the fleet on one screen, once or with --watch.
import { DEFAULT_SPEED_LIMIT_KMH } from '../../telemetry/events/event-rule.js';
import { connect } from '../connection/connect.js';
import { type Context, serviceNow } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { formatOf, printRows, renderOptions } from '../context/print.js';
import { refusal } from '../errors/cli-error.js';
import { driverOption } from '../find/driver.js';
import { addMemberFlags, hasMemberFlags } from '../find/membership.js';
import { terminalRows } from '../io/io.js';
import { addWatchFlags, refuseWordOfWatch, type WatchFlags, watchPause } from '../live/flags.js';
import { watch, watchFormat } from '../live/watch.js';
import type { WatchSource } from '../live/watch-source.js';
import type { View } from '../output/view.js';
import { addressHelp } from '../places/addresses.js';
import { listShape } from '../shape/list-shape.js';
import { localDate, localTimeOfDay } from '../time/format-time.js';
import { periodText, withWeekday } from '../time/period-text.js';
import { daySummary, type FleetDayRow, fleetDayView } from '../views/fleet-day.js';
import { countsText } from '../views/status.js';
import { type DayAnswer, type DayFlags, dayPeriod, dayRequest, dayRows } from './today/read-day.js';

interface TodayFlags extends WatchFlags, DayFlags {
  readonly on?: string;
}

/** Lines of the screen for heading, remarks and prompt. */
const OTHER_LINES = 5;
/** Age from which the time of the trips is shown. */
const STALE_TRIPS_MS = 60_000;
const MIN_ROWS = 3;

export const define: DefineCommand = (noun, open) => {
  noun.option('--on <day>', 'another day, such as yesterday, monday or 2026-03-01 (default: today)');
  addWatchFlags(addMemberFlags(noun))
    .option(...driverOption('trips'))
    .addHelpText(
      'after',
      `${examples(
        ['fleet today', 'the day so far'],
        ['fleet today --watch', 'redrawn every 30 seconds; Ctrl-C to stop'],
        ['fleet today --group "Long haul"', 'of a group and those below it'],
        ['fleet today --driver "Anna Lind"', 'the trips of a driver'],
        ['fleet today --on yesterday', 'a past day, without the live status'],
        ['fleet today --filter trips=0', 'the vehicles that have not driven'],
        ['fleet today --sort -idleSeconds --limit 5', 'those that idled most'],
        ['fleet today -o xlsx > today.xlsx', 'every vehicle, with a total'],
      )}

- The lines above the table are about all vehicles, or those of --group and --label. --filter
  chooses rows of the table only.
- Silent: no data for 90 minutes. Too fast now: faster than ${DEFAULT_SPEED_LIMIT_KMH} km/h in the last snapshot.
- Moving vehicles come first, then those that have driven most. A terminal shows as many as fit its
  screen. --limit shows more.
- The strip has a character for each hour, for the share of the hour on a trip. Bars need a wide
  terminal.
- A stop is the end of a trip, unless the next trip begins within 3 minutes.
- Each day has its part of a trip over midnight, as in \`fleet trips list --sum-by vehicle\`.
- DRIVER is the driver identified in the last snapshot.
- ${addressHelp}
- With --driver there are only the vehicles of this driver, with the driver's part of each trip.
- With --watch, the status is requested at each interval, and the trips only every 5 minutes.`,
    )
    .action((flags: TodayFlags) => today(open({ isEndless: flags.watch !== undefined }), flags));
};

async function today(context: Context, flags: TodayFlags): Promise<void> {
  refuseWordOfWatch(flags);
  const pause = watchPause(flags);
  if (pause !== null && flags.on !== undefined) {
    throw refusal('--watch shows today, and --on another day.', { hint: 'Leave out one of them.' });
  }
  if (pause !== null) watchFormat(context);
  const day = dayPeriod(context, flags.on ?? 'today');
  const isScreen = formatOf(context).redrawable && context.io.stdout.isTTY === true;
  // On a screen, the lines above the table show the totals.
  const view = isScreen ? { ...fleetDayView, total: undefined } : fleetDayView;
  const shape = listShape(context, view, 'view');
  const client = await connect(context);
  const emptyText =
    flags.driver !== undefined
      ? 'No trip of this driver on this day.'
      : hasMemberFlags(flags)
        ? 'There is no such vehicle.'
        : 'No vehicle is visible to this user.';
  if (pause !== null) {
    // Progress lines would overwrite the screen.
    const silent = { ...context, globals: { ...context.globals, quiet: true as const } };
    let latest: DayAnswer | null = null;
    const request = dayRequest(silent, client, { day, flags });
    const source: WatchSource<DayAnswer, FleetDayRow> = {
      title: 'fleet today',
      request: async (options) => {
        latest = await request(options);
        return latest;
      },
      rows: dayRows,
      shape: (target) => listShape(target, view, 'view'),
      key: ({ id }) => id ?? '',
      name: ({ name, id }) => name ?? id ?? '',
      emptyText,
      summary: liveText,
      above: (rows, now) => aboveOf(context, latest, rows, { now, live: '' }),
    };
    return watch(context, pause, source);
  }
  const answer = await dayRequest(context, client, { day, flags })({});
  const now = serviceNow(context);
  const rows = dayRows(answer, now);
  const period = answer.trips === null ? undefined : periodText(answer.trips.sums.span, context.zone.name);
  const above = isScreen ? aboveOf(context, answer, rows, { now, live: liveText(rows) }) : undefined;
  const shown: FleetDayRow[] = [];
  for await (const row of shape.rows(rows)) shown.push(row);
  let lines = 0;
  for await (const text of above?.(renderOptions(context)) ?? []) lines += text.split('\n').length - 1;
  const room = Math.max(MIN_ROWS, terminalRows(context.io.stdout) - lines - OTHER_LINES);
  const fitting = isScreen && context.globals.limit === undefined ? shown.slice(0, room) : shown;
  const more = shown.length - fitting.length;
  if (more > 0) {
    const few = more === 1 ? '1 more vehicle does' : `${more} more vehicles do`;
    context.report.remark(`${few} not fit the screen; --limit ${shown.length} shows all of them.`);
  }
  await printRows(context, fitting, { ...shape.view, period, above }, emptyText);
}

/** Returns text such as `25 vehicles: 9 moving, 16 stopped`; empty for a past day. */
function liveText(rows: readonly FleetDayRow[]): string {
  const live = rows.flatMap(({ status }) => (status === null ? [] : [{ status }]));
  return live.length === 0 ? '' : countsText(live);
}

/** Returns the lines above the table; undefined when there are no trips. */
function aboveOf(
  { zone }: Context,
  answer: DayAnswer | null,
  rows: readonly FleetDayRow[],
  { now, live }: { readonly now: number; readonly live: string },
): View<FleetDayRow>['above'] {
  const trips = answer?.trips ?? null;
  if (trips === null) return undefined;
  const { span, whole } = trips.sums;
  const until = (moment: number) => `until ${localTimeOfDay(moment, zone.name)}`;
  const date = withWeekday(localDate(span.from, zone.name));
  const isLate = now - trips.readAt >= STALE_TRIPS_MS;
  const day = [date, ...(now < span.end ? [until(now)] : []), ...(isLate ? [`trips ${until(trips.readAt)}`] : [])];
  return daySummary({ day: day.join(', '), live, rows, whole, speedLimitKmh: DEFAULT_SPEED_LIMIT_KMH, now });
}
