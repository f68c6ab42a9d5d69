// The read tools: schema, command, columns, and a summary of the command's output.
import { didYouMean, durationText, isObject, liveStatuses, silentStatuses, timestampMs } from 'fleet-telematics/kit';
import {
  allKinds,
  distanceText,
  geofenceKind,
  groupKind,
  hoursText,
  NamedRows,
  pastMoment,
  personKind,
  placeTextIn,
  type RecordKind,
  readTime,
  recordId,
  refusal,
  textsOf,
  timestamp,
  tokenKind,
  vehicleKind,
} from 'fleet-telematics/kit/command';
import { localText } from '../answer.js';
import { type CommandWords, wordsOf } from '../command-words.js';
import type { JsonSchema, Tool, ToolInput } from '../tool.js';
import type { AnswerRow, PrintedRows, ToolCall } from '../tool-call.js';

export const textArgument = (description: string, ...examples: readonly string[]): JsonSchema => ({
  ...{ type: 'string', description },
  ...(examples.length > 0 ? { examples } : {}),
});
export const texts = (description: string, choices?: readonly string[]): JsonSchema => ({
  ...{ type: 'array', items: { type: 'string', ...(choices && { enum: choices }) }, minItems: 1, description },
});
const number = (description: string, minimum = 0): JsonSchema => ({ type: 'number', minimum, description });
const choice = (description: string, choices: readonly string[]): JsonSchema => ({
  ...{ type: 'string', enum: choices, description },
});

const vehicles = texts('whole names, licence plates, VINs or ids; default: all');
const driver = textArgument('only of this driver: whole name, e-mail or id');
const at = textArgument('a moment; default: now', 'yesterday 09:00', '-2h');
const period = {
  on: textArgument('a day, week or month, in place of from and to', 'yesterday', 'last week', '2026-03-01', '2026-03'),
  from: textArgument('start', '-2h', 'today 08:00', '2026-03-01T08:30:00Z'),
  to: textArgument('end, which is not part of the period: 2026-03-14 ends with 13 March; default: now'),
};
const groups = {
  group: textArgument('only vehicles of this group and of those below it'),
  label: textArgument('only vehicles with this label'),
};
const members = {
  ...groups,
  vehicleFilter: texts('only vehicles that fit, such as name=Van* or vehicleType.name=Truck'),
};

const sumTripsBy = ['vehicle', 'driver', 'group', 'day', 'week', 'month', 'vehicle,day', 'driver,day', 'group,day'];

interface CommandTool extends Omit<Tool, 'run' | 'hasRows'>, CommandWords {
  readonly fields: (input: ToolInput) => string;
  /** Adds defaults that differ from the command's. */
  readonly complete?: (input: ToolInput) => ToolInput;
  /** Column to sort rows that arrive unordered. */
  readonly sortedBy?: string;
  readonly rowOf?: (row: AnswerRow) => AnswerRow;
  readonly summary: (printed: PrintedRows, input: ToolInput, call: ToolCall) => string;
}

function commandTool({ fields, complete = (input) => input, sortedBy, rowOf, summary, ...tool }: CommandTool): Tool {
  return {
    ...tool,
    hasRows: true,
    async run(call, input) {
      const printed = await call.run(wordsOf(tool, complete(input)), fields(input), { rows: call.rows });
      const rows = printed.rows.map((row) => rowOf?.(row) ?? row);
      if (sortedBy !== undefined) rows.sort((a, b) => String(a[sortedBy]).localeCompare(String(b[sortedBy])));
      const { period: periodText, total } = printed;
      const facts = { ...(periodText === null ? {} : { period: periodText }), ...(isObject(total) ? { total } : {}) };
      return { summary: summary({ ...printed, rows }, input, call), facts, rows };
    },
  };
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Joins the first items: `Truck 07, Van 01 and 12 more`. */
function someOf(all: readonly unknown[], most = 5): string {
  const shown = all.slice(0, most).join(', ');
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}

/** Returns the distinct, non-empty names of a column. */
function namesIn(rows: readonly AnswerRow[], field: string, fits = (_row: AnswerRow) => true): readonly unknown[] {
  return [...new Set(rows.filter(fits).map((row) => row[field]))].filter((name) => name !== null && name !== '');
}

const inPeriod = ({ period: periodText }: PrintedRows) => (periodText === null ? '' : ` ${periodText}`);

/** Returns the row of totals; the only row when the table has one. */
const totalOf = ({ total, rows }: PrintedRows): AnswerRow =>
  isObject(total) ? total : rows.length === 1 ? Object(rows[0]) : {};

function driveText(printed: PrintedRows): string {
  const { distanceKm, movingSeconds, idleSeconds } = totalOf(printed);
  const [driving, idle] = [movingSeconds, idleSeconds].map((seconds) => hoursText(Number(seconds ?? 0)));
  return `${Number(distanceKm ?? 0).toFixed(1)} km, ${driving} driving, ${idle} idle`;
}

/** Marks a row that the period cuts: its real start, and whether it continues. */
function withCutMarks({ id, endedBy, ...row }: AnswerRow): AnswerRow {
  const beganAt = String(id).split('@')[1] ?? '';
  const isCut = Date.parse(beganAt) < Date.parse(String(row.startedAt));
  return { ...row, ...(isCut ? { beganAt } : {}), ...(endedBy === 'period' ? { goesOn: true } : {}) };
}

function valueText(key: string, value: unknown): string {
  if (typeof value !== 'number') return 'unknown';
  if (key.endsWith('Seconds')) return hoursText(value);
  return key === 'distanceKm' ? `${value.toFixed(1)} km` : String(value);
}

/** Returns the age of stale data; null for data that is recent enough for "now". */
function oldAge({ status, timestamp: seenAt }: AnswerRow, now: number): string | null {
  const seen = timestampMs(String(seenAt));
  return (status === 'stale' || status === 'offline') && seen !== null ? `${durationText(now - seen, 1)} ago` : null;
}

function whereText(row: AnswerRow, now: number): string {
  const [age, place] = [oldAge(row, now), placeTextIn(row) || 'at an unknown place'];
  return age === null ? `${row.name} is ${row.status} ${place}` : `${row.name} is ${row.status}: seen ${age} ${place}`;
}

const statusFields =
  'name,licensePlate,status,timestamp,place,nearestPlace,nearestPlaceDistanceM,nearestPlaceDirection,latitude,longitude,speed,engineStatus,deactivated,id';

export const fleetToday = commandTool({
  name: 'fleet_today',
  title: 'A day of the fleet',
  description:
    'One day in one answer: status of each vehicle now, and its kilometres, trips, driving and idle time since midnight; also of another day. A good first call for a report.',
  input: { on: textArgument('one day; default: today', 'yesterday', '2026-03-01'), ...groups },
  command: ['today'],
  fields: () =>
    'name,status,timestamp,place,distanceKm,trips,timesParked,movingSeconds,idleSeconds,topSpeedKmh,driver,deactivated',
  summary(printed) {
    const named = (...of: readonly unknown[]) => namesIn(printed.rows, 'name', ({ status }) => of.includes(status));
    const [silent, idling] = [named('stale', 'offline', 'unknown'), named('idling')];
    const live = `Moving now: ${named('moving').length}. Idling now: ${someOf(idling, 8) || 'none'}. Silent now: ${someOf(silent, 8) || 'none'}.`;
    const drove = namesIn(printed.rows, 'name', ({ trips }) => Number(trips) > 0).length;
    const isNow = named(...liveStatuses).length > 0;
    return `${drove} of ${countText(printed.rows.length, 'vehicle')} drove${inPeriod(printed)}: ${driveText(printed)}.${isNow ? ` ${live}` : ''}`;
  },
});

const commandTools: readonly Tool[] = [
  commandTool({
    name: 'where_is',
    title: 'Where vehicles are',
    description:
      'Where named vehicles are now, or were at a moment: status, place, position, speed, driver, and when they were last seen. Around a place: vehicles_near. The whole fleet: fleet_status.',
    input: { vehicles: texts('whole names, licence plates, VINs or ids'), at },
    required: ['vehicles'],
    ...{ command: ['vehicles', 'status'], names: ['vehicles'] },
    fields: (input) => (input.at === undefined ? `${statusFields},driver,identifiedDriver` : statusFields),
    summary({ rows }, input, { now, context }) {
      if (input.at === undefined) return `${someOf(rows.map((row) => whereText(row, now)))}.`;
      const past = rows.map((row) => {
        const seen = localText(String(row.timestamp), context.zone.name);
        return `${row.name} was ${row.status} ${placeTextIn(row) || 'at an unknown place'} (data of ${seen})`;
      });
      return `${someOf(past) || 'No position is known'}.`;
    },
  }),
  commandTool({
    name: 'list_trips',
    title: 'Trips of a period',
    description:
      'Each trip of vehicles over a period: when, from where to where, distance, driver, idle time, top speed, fuel, and the total of all. Only what lies inside of the period counts: beganAt and goesOn mark trips that are cut. Kilometres by vehicle, driver, day or group: sum_trips. Where a vehicle stood: list_stops.',
    input: { vehicles, ...period, ...members, driver, minDistanceKm: number('only trips of at least so many km') },
    usesCopy: true,
    ...{ command: ['trips', 'list', '--clip'], names: ['vehicles'] },
    forms: { minDistanceKm: '--filter=distanceKm>=%' },
    fields: () =>
      'id,vehicle,driver,startedAt,endedAt,startPlace,startNearestPlace,endPlace,endNearestPlace,distanceKm,movingSeconds,idleSeconds,topSpeedKmh,fuelUsed,fuelBy,endedBy,harshEvents',
    rowOf: withCutMarks,
    sortedBy: 'startedAt',
    summary(printed) {
      const of = countText(namesIn(printed.rows, 'vehicle').length, 'vehicle');
      const what = `${countText(printed.rows.length, 'trip')} of ${of}: ${driveText(printed)}`;
      return `${printed.rows.length === 0 ? 'No trip' : what}${inPeriod(printed)}.`;
    },
  }),
  commandTool({
    name: 'sum_trips',
    title: 'Sums of trips',
    description:
      'Kilometres, trips, driving time, idle time, top speed and fuel of a period for each vehicle, driver, group, day, week or month, or two of them, sorted: which vans idled most, who drove most, which vehicles have no trip (0, also without any data). With day also the first start, the last end and the time between them: the hours of each driver. A month of a large fleet takes minutes: call it again when isFinished is false.',
    input: {
      by: choice('a row for each', sumTripsBy),
      ...{ vehicles, ...period, ...members, driver },
      sort: choice(
        'a minus sign puts the largest first; default: by name or date',
        ['distanceKm', 'trips', 'movingSeconds', 'idleSeconds', 'topSpeedKmh', 'fuelUsed'].flatMap((one) => [
          `-${one}`,
          one,
        ]),
      ),
    },
    required: ['by'],
    usesCopy: true,
    ...{ command: ['trips', 'list'], names: ['vehicles'], forms: { by: '--sum-by=%' } },
    fields: ({ by }) =>
      `${by},distanceKm,trips,${String(by).includes('vehicle') ? '' : 'vehicles,'}movingSeconds,idleSeconds,topSpeedKmh,fuelUsed,fuelBy${String(by).includes('day') ? ',firstStartedAt,lastEndedAt,workSeconds' : ''}`,
    summary(printed, { by, sort }) {
      const { rows } = printed;
      const total = totalOf(printed);
      const drove =
        by === 'vehicle' ? rows.filter(({ trips }) => Number(trips) > 0).length : Number(total.vehicles ?? 0);
      const still = by === 'vehicle' ? `, ${rows.length - drove} without a trip` : '';
      const of = `${countText(Number(total.trips ?? 0), 'trip')} of ${countText(drove, 'vehicle')}${still}`;
      const key = String(sort).replace('-', '');
      const nameOf = (row: AnswerRow, part: string) =>
        String(row[part] ?? (part === 'group' ? 'no group' : 'nobody identified'));
      const first = rows.slice(0, 3).map((row) => {
        const name = String(by)
          .split(',')
          .map((part) => nameOf(row, part));
        return `${name.join(' on ')} (${valueText(key, row[key])})`;
      });
      const top = sort === undefined || first.length === 0 ? '' : ` First by ${key}: ${first.join(', ')}.`;
      return `${of}: ${driveText(printed)}${inPeriod(printed)}.${top}`;
    },
  }),
  commandTool({
    name: 'list_stops',
    title: 'Stops of a period',
    description:
      'Where and how long vehicles stood over a period, engine on or off, for at least five minutes: "where did Van 02 stop", "which stops were over 20 minutes". Counts what lies inside of the period; beganAt and goesOn mark stops that are cut. Stays in named places: place_visits.',
    input: {
      vehicles,
      ...period,
      ...members,
      driver,
      minMinutes: number('only stops of at least so many minutes, 5 or more', 5),
    },
    ...{ command: ['stops', 'list', '--clip'], names: ['vehicles'], forms: { minMinutes: '--min=%m' } },
    fields: () =>
      'id,vehicle,driver,startedAt,endedAt,durationSeconds,idleSeconds,endedBy,place,nearestPlace,position.latitude,position.longitude',
    rowOf: withCutMarks,
    sortedBy: 'startedAt',
    summary(printed) {
      const longest = [...printed.rows]
        .sort((a, b) => Number(b.durationSeconds) - Number(a.durationSeconds))
        .slice(0, 3);
      const shown = longest.map(
        (row) => `${row.vehicle} ${hoursText(Number(row.durationSeconds))}${row.place ? ` in ${row.place}` : ''}`,
      );
      const of = countText(namesIn(printed.rows, 'vehicle').length, 'vehicle');
      const what = `${countText(printed.rows.length, 'stop')} of ${of}${inPeriod(printed)}`;
      return printed.rows.length === 0 ? `No stop${inPeriod(printed)}.` : `${what}. Longest: ${shown.join(', ')}.`;
    },
  }),
  commandTool({
    name: 'place_visits',
    title: 'Visits of places',
    description:
      'Which vehicles were in geofences over a period, when they came and left, how long they stayed, and who drove: "who was at the depot yesterday". enteredAt null: it was there before the period; leftAt null: still there. lastSeenAt: its last data. It knows only geofences: list_stops has all places where a vehicle stood.',
    input: { places: texts('geofences by whole name or id; default: all'), vehicles, ...period, ...members, driver },
    ...{ command: ['geofences', 'visits'], names: ['places'], forms: { vehicles: '--vehicle=%' } },
    fields: () => 'geofence,vehicle,licensePlate,driver,enteredAt,leftAt,dwellSeconds,lastSeenAt',
    summary(printed) {
      const [visitors, places] = [namesIn(printed.rows, 'vehicle'), namesIn(printed.rows, 'geofence')];
      const what = `${countText(printed.rows.length, 'visit')} of ${countText(visitors.length, 'vehicle')} (${someOf(visitors)}) in ${someOf(places)}`;
      return `${visitors.length === 0 ? 'No visit' : what}${inPeriod(printed)}.`;
    },
  }),
  commandTool({
    name: 'vehicles_near',
    title: 'Vehicles near a place',
    description:
      'The vehicles around a geofence or a position by straight line, not by road, the nearest first, silent and deactivated ones last; now or at a moment. Who came and left over a period: place_visits.',
    input: {
      place: textArgument('whole name or id of a geofence, or latitude,longitude', 'Depot Tartu', '58.38,26.72'),
      radius: textArgument('only within this distance; metres without a unit', '500m', '5km'),
      ...{ at, ...members },
    },
    required: ['place'],
    ...{ command: ['vehicles', 'near'], names: ['place'] },
    fields: () => 'name,licensePlate,distanceM,direction,status,deactivated,place,timestamp,latitude,longitude,id',
    summary({ rows }, { place, radius, at: moment }, { now }) {
      const nearest = rows.map((row) => {
        const age = moment === undefined ? oldAge(row, now) : null;
        const silent = `, ${row.status}${age === null ? '' : `: seen ${age}`}`;
        const mark =
          row.deactivated === true ? ', deactivated' : silentStatuses.some((one) => one === row.status) ? silent : '';
        return `${row.name} (${distanceText(Number(row.distanceM))}${mark})`;
      });
      const within = /^[\d.]+$/.test(String(radius)) ? `${radius} m` : radius;
      const where = radius === undefined ? `around ${place}` : `within ${within} of ${place}`;
      return `${countText(rows.length, 'vehicle')} ${where} by straight line${rows.length > 0 ? `: ${someOf(nearest)}` : ''}.`;
    },
  }),
  commandTool({
    name: 'fleet_status',
    title: 'Status of the fleet now',
    description:
      'Which vehicles are moving, idling (engine on, standing), stopped, stale (no data for 90 minutes) or offline (6 hours) right now, and how many. silent: stale, offline or unknown. Not for the past.',
    input: {
      status: texts('only these', [...liveStatuses, 'silent']),
      speedOverKmh: number('only vehicles that are faster'),
      silentForMinutes: number('only vehicles without data for longer'),
      withDrivers: { type: 'boolean', description: 'name assigned drivers; slower in a large fleet' },
      ...groups,
    },
    command: ['vehicles', 'status'],
    complete: ({ status, ...input }) =>
      status === undefined
        ? input
        : {
            ...input,
            status: [status].flat().flatMap((one) => (one === 'silent' ? silentStatuses : one)),
          },
    forms: {
      status: '--filter=status=%|',
      speedOverKmh: '--filter=speed>%',
      silentForMinutes: '--filter=seen>%m',
      withDrivers: null,
    },
    fields: ({ withDrivers }) => (withDrivers === true ? `${statusFields},driver` : statusFields),
    summary({ rows }) {
      const counts = liveStatuses.map((one) => ({ one, names: namesIn(rows, 'id', ({ status }) => status === one) }));
      const shown = counts.filter(({ names }) => names.length > 0).map(({ one, names }) => `${names.length} ${one}`);
      const which = rows.length > 0 && rows.length <= 10 ? `: ${someOf(namesIn(rows, 'name'), 10)}` : '';
      return `${countText(rows.length, 'vehicle')}${shown.length > 0 ? ` (${shown.join(', ')})` : ''}${which}.`;
    },
  }),
  fleetToday,
  commandTool({
    name: 'driver_assignments',
    title: 'Driver assignments',
    description:
      'Which drivers are assigned to which vehicles now, or were over a period. Who really drove: who_drove.',
    input: { vehicles, drivers: texts('drivers by whole name, e-mail or id'), ...period },
    ...{ command: ['drivers', 'assignments'], names: ['vehicles'], forms: { drivers: '--driver=%' } },
    complete: (input) => ((input.on ?? input.from ?? input.to) === undefined ? { ...input, from: '-1s' } : input),
    fields: () => 'vehicle,driver,startedAt,endedAt',
    summary(printed) {
      const { rows } = printed;
      const shown = rows.map((row) => `${row.driver} on ${row.vehicle}${row.endedAt === null ? '' : ' (ended)'}`);
      return `${countText(rows.length, 'assignment')}${inPeriod(printed)}${rows.length === 0 ? '' : `: ${someOf(shown)}`}.`;
    },
  }),
];

const whoDrove: Tool = {
  name: 'who_drove',
  title: 'Who drove a vehicle',
  description:
    'Who drove one vehicle at a moment or over a period: drivers identified on its trips (evidence), and drivers assigned to it (a plan).',
  input: {
    vehicle: textArgument('whole name, licence plate, VIN or id'),
    at: textArgument('in place of a period', '-2h'),
    ...period,
  },
  required: ['vehicle'],
  hasRows: true,
  async run(call, { vehicle, at: inputText, ...periodInput }) {
    if ((inputText === undefined) === (Object.keys(periodInput).length === 0)) {
      throw refusal('Give either a moment, or a period.', { hint: 'Give at, or on, or from and to.' });
    }
    const time = inputText === undefined ? null : readTime(call.context, String(inputText), 'at');
    if (time !== null && time.lastMoment !== null) throw refusal(`at "${inputText}" is more than a moment.`);
    const moment = time === null ? null : await pastMoment(call.context, await call.client, time, 'at');
    // A trip in progress at the moment ends some hours later.
    const until = moment === null ? 0 : Math.min(moment + LONGEST_TRIP_MS, call.now);
    const when =
      moment === null ? periodInput : { from: timestamp(moment), to: timestamp(Math.max(until, moment + 1_000)) };
    const trips = ['trips', 'list', ...(moment === null ? ['--clip'] : [])];
    const [driven, assigned] = await call.runAll([
      [wordsOf({ command: trips, names: ['vehicle'] }, { vehicle, ...when }), 'driver,startedAt,endedAt,distanceKm'],
      [
        wordsOf({ command: ['drivers', 'assignments'], names: ['vehicle'] }, { vehicle, ...when }),
        'driver,startedAt,endedAt',
      ],
    ]);
    // Without an end the comparison is with NaN, which is never before the moment.
    const isThen = ({ startedAt, endedAt }: AnswerRow) =>
      moment === null || (Date.parse(String(startedAt)) <= moment && !(Date.parse(String(endedAt)) < moment));
    const drove = (driven?.rows ?? [])
      .filter(isThen)
      .map((row) => ({ ...row, basis: row.driver ? 'identified on a trip' : 'a trip, nobody identified' }));
    const planned = (assigned?.rows ?? []).filter(isThen).map((row) => ({ ...row, basis: 'assigned' }));
    const [identified, plan] = [someOf(namesIn(drove, 'driver')), someOf(namesIn(planned, 'driver'))];
    const noTrip = `no trip is known ${moment === null ? '' : 'then'}`.trim();
    const who = identified ? `driven by ${identified} (identified)` : drove.length > 0 ? 'nobody identified' : noTrip;
    const periodText =
      moment === null && driven ? inPeriod(driven) : ` at ${localText(timestamp(moment ?? 0), call.context.zone.name)}`;
    return { summary: `${vehicle}${periodText}: ${who}; assigned: ${plan || 'nobody'}.`, rows: [...drove, ...planned] };
  },
};

const LONGEST_TRIP_MS = 12 * 3_600_000;

/** Record kinds to look up by name. Values of driver tokens are secrets. */
const kinds = allKinds.filter((kind) => kind !== tokenKind);
const usualKinds: readonly RecordKind<never>[] = [vehicleKind, personKind, geofenceKind, groupKind];

const findRecord: Tool = {
  name: 'find_record',
  title: 'Find records by name',
  description:
    'Finds vehicles, people, geofences, groups, labels and others by a name, a part of it, a licence plate, VIN or e-mail; without text lists all of a kind. Other tools need whole names: this one finds them.',
  input: {
    text: textArgument('a name or a part of one; default: all', '510 JDR', 'Anna'),
    kind: choice(
      'default: vehicle, person, geofence, group',
      kinds.map(({ noun }) => noun),
    ),
  },
  hasRows: true,
  async run(call, { text: inputText, kind }) {
    const searchText = String(inputText ?? '').trim();
    const searchedKinds = kinds.filter((one) => (kind === undefined ? usualKinds.includes(one) : one.noun === kind));
    const lists = await call.runAll(
      searchedKinds.map((one) => [one.listCommand.split(' ').slice(1), Object.keys(one.identity).join(',')] as const),
    );
    const kindRows = searchedKinds.map((kind, index) => ({ kind, all: lists[index]?.rows ?? [] }));
    const rows = kindRows.flatMap(({ kind: of, all }) => {
      const named = new NamedRows(of, all);
      const found =
        searchText === '' ? all : [...new Set([...named.matches(searchText), ...named.withPart(searchText)])];
      return found.map((row) => {
        const [name = null, ...others] = textsOf(of, row);
        return { kind: of.noun, name, id: recordId(row), also: others.join(', ') || null };
      });
    });
    const what =
      kind === undefined
        ? countText(rows.length, 'record')
        : countText(rows.length, String(kind), searchedKinds[0]?.plural);
    const near =
      rows.length > 0
        ? null
        : didYouMean(
            searchText,
            kindRows.flatMap(({ kind: of, all }) => all.flatMap((row) => textsOf(of, row))),
          );
    const shown = rows.length === 0 ? '' : `: ${someOf(rows.map(({ name, id }) => name ?? id))}`;
    return {
      summary: `${what}${searchText === '' ? '' : ` for "${searchText}"`}${shown}.${near ? ` ${near}` : ''}`,
      rows,
    };
  },
};

const details: Readonly<Record<string, readonly [noun: string, fields: string]>> = {
  vehicle: [
    'vehicles',
    'id,name,licensePlate,vin,make,model,year,deactivated,lastOdometer,lastWorkingHours,vehicleType.name,workSchedule.name,assignedGroups.name,assignedLabels.name,customFields,assignedDevices,lastData.timestamp,lastData.gps,lastData.ignition,lastData.fuel',
  ],
  person: [
    'people',
    'id,firstName,lastName,email,phone,employeeId,isDriver,isUser,licenseNumber,roles.name,customFields',
  ],
};

const recordDetails: Tool = {
  name: 'record_details',
  title: 'One vehicle or person in full',
  description:
    'The data of one vehicle (make, VIN, type, groups, labels, custom fields, odometer, fuel, last position) or one person (contact, licence, roles, custom fields).',
  input: {
    kind: choice('of the record', Object.keys(details)),
    name: textArgument('whole name, plate, VIN, e-mail or id'),
  },
  required: ['kind', 'name'],
  hasRows: false,
  async run(call, { kind, name }) {
    const [noun = '', fields = ''] = details[String(kind)] ?? [];
    const [row = {}] = (await call.run([noun, 'get', '--', String(name)], fields)).rows;
    const record = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== ''));
    const seen = timestampMs(String(Object(row.lastData).timestamp));
    const age = seen === null ? '' : `, last data ${durationText(Math.max(1_000, call.now - seen), 1)} ago`;
    return {
      summary: `${row.name ?? [row.firstName, row.lastName].filter(Boolean).join(' ')}${age}.`,
      facts: { record },
    };
  },
};

const runReport: Tool = {
  name: 'run_report',
  title: 'Reports of the service',
  description:
    "Runs one of the service's own reports (speeding, safety events, maintenance, emissions …) and returns its rows; without report lists them with their inputs. Trips, stops, sums and visits have tools of their own.",
  input: {
    report: textArgument('id or title; without it the reports are listed', 'vehicle-speeding'),
    ...{ ...period, vehicles, ...members },
    inputs: { type: 'object', description: 'other inputs of the report, as the list names them' },
  },
  hasRows: true,
  async run(call, { report, inputs, ...input }) {
    if (report === undefined) {
      const { rows } = await call.run(['reports', 'list'], 'id,title,description,inputs');
      return { summary: `${countText(rows.length, 'report')}: ${someOf(namesIn(rows, 'id'), 30)}.`, rows };
    }
    const command = ['reports', 'run', ...(inputs === undefined ? [] : ['--input=-'])];
    const words = wordsOf({ command, names: ['report'], forms: { vehicles: '--vehicle=%' } }, { report, ...input });
    const { rows, total } = await call.run(
      words,
      undefined,
      inputs === undefined ? {} : { input: JSON.stringify(inputs) },
    );
    return { summary: `${report}: ${countText(rows.length, 'row')}.`, facts: isObject(total) ? { total } : {}, rows };
  },
};

export const readTools: readonly Tool[] = [...commandTools, whoDrove, findRecord, recordDetails, runReport];
