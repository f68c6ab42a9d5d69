// The tools that answer questions: each is a schema, the words of a command, its columns, and a sentence
// that sums up what the command printed.
import { durationText } from '../../../core/durations.js';
import { isObject } from '../../../core/json.js';
import { liveStatuses } from '../../../telemetry/live-status.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import { refusal } from '../../errors/cli-error.js';
import { NamedRows } from '../../find/match.js';
import type { JsonSchema, Tool, ToolInput } from '../../mcp/tool.js';
import type { AnswerRow, PrintedRows, ToolCall } from '../../mcp/tool-call.js';
import { readTime, timestamp } from '../../parse/time.js';
import { allKinds } from '../../records/all-kinds.js';
import { tokenKind } from '../../records/driver-token.js';
import { geofenceKind } from '../../records/geofence.js';
import { groupKind } from '../../records/group.js';
import { personKind } from '../../records/person.js';
import { type RecordKind, recordId, textsOf } from '../../records/record-kind.js';
import { vehicleKind } from '../../records/vehicle.js';
import { hoursText } from '../../views/humanize.js';
import { distanceText, placeTextIn } from '../../views/place.js';

const text = (description: string, ...examples: readonly string[]): JsonSchema => ({
  ...{ type: 'string', description },
  ...(examples.length > 0 ? { examples } : {}),
});
const number = (description: string): JsonSchema => ({ type: 'number', minimum: 0, description });
export const texts = (description: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  description,
});

const vehicle = text('whole name, licence plate, VIN or id', 'Truck 07', '510 JDR');
const vehicles = texts('whole names, licence plates, VINs or ids; default: all');
const period = {
  on: text(
    'a day, week or month, in place of from and to',
    'yesterday',
    'monday',
    'last week',
    '2026-03-01',
    '2026-03',
  ),
  from: text('start', '-2h', 'today 08:00', '2026-03-01T08:30:00Z'),
  to: text('end, which is not part of the period: 2026-03-14 ends with 13 March; default: now'),
};
const members = {
  group: text('only vehicles of this group and of those below it'),
  label: text('only vehicles with this label'),
  vehicleFilter: texts('only vehicles that fit, such as name=Van* or vehicleType.name=Truck'),
};

export function optionWords(name: string, value: string | number | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return (typeof value === 'object' ? value : [value]).map((one) => `--${name}=${one}`);
}

const periodFlags = ({ on, from, to }: ToolInput) => [
  ...optionWords('on', on),
  ...optionWords('from', from),
  ...optionWords('to', to),
];

const memberFlags = ({ group, label, vehicleFilter }: ToolInput) => [
  ...optionWords('group', group),
  ...optionWords('label', label),
  ...optionWords('vehicle-filter', vehicleFilter),
];

/** A tool that runs one command. */
interface CommandTool extends Omit<Tool, 'run' | 'hasRows'> {
  readonly words: (input: ToolInput) => readonly string[];
  /** The columns of the rows, separated by commas. */
  readonly fields: string | ((input: ToolInput) => string);
  /** Chooses and orders rows where the command has no flag for it. */
  readonly rows?: (rows: readonly AnswerRow[], input: ToolInput, now: number) => readonly AnswerRow[];
  readonly summary: (printed: PrintedRows, input: ToolInput, now: number) => string;
  readonly facts?: (printed: PrintedRows) => AnswerRow;
}

function commandTool({ words, fields, rows, summary, facts, ...tool }: CommandTool): Tool {
  return {
    ...tool,
    hasRows: true,
    async run(call, input) {
      const columns = typeof fields === 'string' ? fields : fields(input);
      const printed = await call.run(words(input), columns, { rows: call.rows });
      const shown = { ...printed, rows: rows?.(printed.rows, input, call.now) ?? printed.rows };
      return { summary: summary(shown, input, call.now), facts: facts?.(printed) ?? {}, rows: shown.rows };
    },
  };
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Joins the first ones: `Truck 07, Van 01 and 12 more`. */
function someOf(all: readonly unknown[], most = 5, between = ', '): string {
  const shown = all.slice(0, most).join(between);
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}

const namesIn = (rows: readonly AnswerRow[], field: string) => [
  ...new Set(rows.map((row) => row[field]).filter((name) => name !== null && name !== '')),
];

const inPeriod = (told: string | null) => (told === null ? '' : ` ${told}`);

/** Returns the total of the table, which a single row needs not. */
function totalOf({ total, rows }: PrintedRows): AnswerRow {
  return isObject(total) ? total : rows.length === 1 ? Object(rows[0]) : {};
}

const periodAndTotal = (printed: PrintedRows) => ({ period: printed.period ?? undefined, total: totalOf(printed) });

function driveText(printed: PrintedRows): string {
  const { distanceKm, movingSeconds, idleSeconds } = totalOf(printed);
  return `${Number(distanceKm ?? 0).toFixed(1)} km, ${hoursText(Number(movingSeconds ?? 0))} driving, ${hoursText(Number(idleSeconds ?? 0))} idle`;
}

/** Returns where a vehicle is, and first of all what decides whether that still holds. */
function whereText(row: AnswerRow, now: number): string {
  const place = placeTextIn(row) || 'at an unknown place';
  const seen = timestampMs(String(row.timestamp));
  const isOld = row.status === 'stale' || row.status === 'offline';
  const age = seen === null ? '' : ` ${durationText(Math.max(1_000, now - seen), 1)} ago`;
  if (isOld) return `${row.name} is ${row.status}: last seen${age} ${place}`;
  return `${row.name} is ${row.status} ${place}${row.deactivated === true ? ' (deactivated)' : ''}`;
}

const statusFields =
  'name,licensePlate,status,timestamp,place,nearestPlace,nearestPlaceDistanceM,nearestPlaceDirection,latitude,longitude,speed,engineStatus,deactivated,id';

const whereIs = commandTool({
  name: 'where_is',
  title: 'Where vehicles are',
  description:
    'Where named vehicles are now, or were at a time: status, place, position, speed, driver, and when they were last seen. Around a place: vehicles_near. The whole fleet: fleet_status.',
  input: {
    vehicles: texts('whole names, licence plates, VINs or ids'),
    at: text('default: now', 'yesterday 09:00', '-2h'),
  },
  required: ['vehicles'],
  fields: ({ at }) => (at === undefined ? `${statusFields},driver,identifiedDriver` : statusFields),
  words: ({ vehicles: names = [], at }) => ['vehicles', 'status', ...optionWords('at', at), '--', ...names],
  summary: ({ rows }, { at }, now) =>
    at === undefined
      ? `${someOf(
          rows.map((row) => whereText(row, now)),
          5,
          '; ',
        )}.`
      : `At that time: ${someOf(rows.map((row) => `${row.name} was ${row.status} ${placeTextIn(row) || 'at an unknown place'}`)) || 'no position is known'}.`,
});

const conditions = [...liveStatuses, 'silent'];

const fleetStatus = commandTool({
  name: 'fleet_status',
  title: 'Status of the fleet now',
  description:
    'Which vehicles are moving, idling (engine on, standing), stopped, stale (no data for 90 minutes) or offline (6 hours) right now, and how many; also silent ones and fast ones. Not for the past.',
  input: {
    status: {
      ...{ type: 'array', items: { type: 'string', enum: conditions }, minItems: 1 },
      description: 'only these; silent: stale, offline or unknown',
    },
    speedOverKmh: number('only vehicles that are faster'),
    silentForMinutes: number('only vehicles without data for longer'),
    withDrivers: { type: 'boolean', description: 'name assigned drivers; slower in a large fleet' },
    ...members,
  },
  fields: ({ withDrivers }) => (withDrivers ? `${statusFields},driver` : statusFields),
  words: ({ status, speedOverKmh, silentForMinutes, ...input }) => [
    ...['vehicles', 'status', ...memberFlags(input)],
    ...optionWords('filter', status && `status=${status.join('|').replace('silent', 'stale|offline|unknown')}`),
    ...optionWords('filter', speedOverKmh === undefined ? undefined : `speed>${speedOverKmh}`),
    ...optionWords('filter', silentForMinutes === undefined ? undefined : `seen>${silentForMinutes}m`),
  ],
  summary({ rows }, { status, speedOverKmh }) {
    const asked = [...(status ?? []), ...(speedOverKmh === undefined ? [] : [`over ${speedOverKmh} km/h`])].join(
      ' or ',
    );
    const counts = liveStatuses.map((one) => [one, rows.filter((row) => row.status === one).length] as const);
    const shown = counts.filter(([, count]) => count > 0).map(([one, count]) => `${count} ${one}`);
    const which = asked === '' || rows.length === 0 ? '' : `: ${someOf(namesIn(rows, 'name'))}`;
    return `${counted(rows.length, 'vehicle')}${asked && ` ${asked}`}${shown.length > 0 ? ` (${shown.join(', ')})` : ''}${which}.`;
  },
});

const vehiclesNear = commandTool({
  name: 'vehicles_near',
  title: 'Vehicles near a place',
  description:
    'The vehicles around a geofence or a position by straight line, not by road, the nearest first; now or at a time. Who came and left over a period: place_visits.',
  input: {
    place: text('whole name or id of a geofence, or latitude,longitude', 'Depot Tartu', '58.38,26.72'),
    radius: text('only within this distance', '500m', '5km'),
    at: text('default: now', 'yesterday 09:00'),
    ...members,
  },
  required: ['place'],
  fields: 'name,licensePlate,distanceM,direction,status,place,timestamp,latitude,longitude,id',
  words: (input) => [
    ...[
      'vehicles',
      'near',
      ...optionWords('radius', input.radius),
      ...optionWords('at', input.at),
      ...memberFlags(input),
    ],
    ...['--', input.place ?? ''],
  ],
  summary({ rows }, { place, radius, at }, now) {
    const nearest = rows.map((row) => {
      const seen = timestampMs(String(row.timestamp));
      const isOld = at === undefined && (row.status === 'stale' || row.status === 'offline') && seen !== null;
      const age = isOld ? `, ${row.status}: seen ${durationText(now - seen, 1)} ago` : '';
      return `${row.name} (${distanceText(Number(row.distanceM))}${age})`;
    });
    const where = radius === undefined ? `around ${place}` : `within ${radius} of ${place}`;
    return `${counted(rows.length, 'vehicle')} ${where} by straight line${nearest.length > 0 ? `: ${someOf(nearest)}` : ''}.`;
  },
});

const listTrips = commandTool({
  name: 'list_trips',
  title: 'Trips of a period',
  description:
    'Each trip of vehicles over a period: when, from where to where, distance, driver, idle time, top speed, fuel, and the total of all. Kilometres by vehicle, driver, day or group: sum_trips. ',
  input: {
    vehicles,
    ...period,
    ...members,
    minDistanceKm: number('only trips of at least so many kilometres'),
  },
  usesCopy: true,
  fields:
    'vehicle,driver,startedAt,endedAt,startPlace,startNearestPlace,endPlace,endNearestPlace,distanceKm,movingSeconds,idleSeconds,topSpeedKmh,fuelUsed,fuelBy,endedBy,harshEvents',
  words: (input) => [
    ...['trips', 'list', '--clip', ...periodFlags(input), ...memberFlags(input)],
    ...optionWords('filter', input.minDistanceKm === undefined ? undefined : `distanceKm>=${input.minDistanceKm}`),
    ...['--', ...(input.vehicles ?? [])],
  ],
  rows: (rows) => [...rows].sort((a, b) => String(a.startedAt).localeCompare(String(b.startedAt))),
  summary(printed) {
    const of = counted(namesIn(printed.rows, 'vehicle').length, 'vehicle');
    const what =
      printed.rows.length === 0 ? 'No trip' : `${counted(printed.rows.length, 'trip')} of ${of}: ${driveText(printed)}`;
    return `${what}${inPeriod(printed.period)}.`;
  },
  facts: periodAndTotal,
});

const sumKeys = ['distanceKm', 'trips', 'movingSeconds', 'idleSeconds', 'topSpeedKmh', 'fuelUsed'];

const sumTrips = commandTool({
  name: 'sum_trips',
  title: 'Sums of trips',
  description:
    'Kilometres, trips, driving time, idle time, top speed and fuel of a period for each vehicle, driver, day or group, sorted: which vans idled most, who drove most, which vehicles did not move (they have 0). A month of a large fleet takes minutes: ask again when the answer says that it is not finished.',
  input: {
    by: { type: 'string', enum: ['vehicle', 'driver', 'day', 'group'], description: 'a row for each' },
    vehicles,
    ...period,
    ...members,
    sortBy: { type: 'string', enum: sumKeys, description: 'default: by name or date' },
    ascending: { type: 'boolean', description: 'the smallest first' },
  },
  required: ['by'],
  usesCopy: true,
  fields: ({ by }) =>
    `${by},distanceKm,trips,${by === 'vehicle' ? '' : 'vehicles,'}movingSeconds,idleSeconds,topSpeedKmh,fuelUsed,fuelBy`,
  words: (input) => [
    ...['trips', 'list', `--sum-by=${input.by}`, ...periodFlags(input), ...memberFlags(input)],
    ...optionWords('sort', input.sortBy && `${input.ascending ? '' : '-'}${input.sortBy}`),
    ...['--', ...(input.vehicles ?? [])],
  ],
  summary(printed, { by = '', sortBy }) {
    const { trips, vehicles: count } = totalOf(printed);
    const drove = by === 'vehicle' ? printed.rows.filter((row) => Number(row.trips) > 0).length : Number(count ?? 0);
    const first = printed.rows.slice(0, 3).map((row) => `${row[by] ?? 'nobody'} (${row[sortBy ?? ''] ?? 'unknown'})`);
    const top = sortBy === undefined || first.length === 0 ? '' : ` First by ${sortBy}: ${first.join(', ')}.`;
    const of = `${counted(Number(trips ?? 0), 'trip')} of ${counted(drove, 'vehicle')}`;
    return `${of}: ${driveText(printed)}${inPeriod(printed.period)}.${top}`;
  },
  facts: periodAndTotal,
});

const placeVisits = commandTool({
  name: 'place_visits',
  title: 'Visits of places',
  description:
    'Which vehicles were in geofences over a period, when they came and left, how long they stayed, and who drove: "who was at the depot yesterday". It knows only geofences: a vehicle that stood elsewhere has no row.',
  input: { places: texts('geofences by whole name or id; default: all'), vehicles, ...period, ...members },
  fields: 'geofence,vehicle,licensePlate,driver,enteredAt,leftAt,dwellSeconds',
  words: (input) => [
    ...['geofences', 'visits', ...periodFlags(input), ...memberFlags(input), ...optionWords('vehicle', input.vehicles)],
    ...['--', ...(input.places ?? [])],
  ],
  summary({ rows, period: told }, { places = [] }) {
    if (rows.length === 0)
      return `No vehicle was in ${places.length > 0 ? someOf(places) : 'a geofence'}${inPeriod(told)}.`;
    const visitors = namesIn(rows, 'vehicle');
    return `${counted(rows.length, 'visit')} of ${counted(visitors.length, 'vehicle')} (${someOf(visitors)}) in ${someOf(namesIn(rows, 'geofence'))}${inPeriod(told)}.`;
  },
  facts: ({ period: told }) => ({ period: told ?? undefined }),
});

export const fleetToday = commandTool({
  name: 'fleet_today',
  title: 'A day of the fleet',
  description:
    'One day so far in one answer: status of each vehicle now, and its kilometres, trips, driving and idle time since midnight; also yesterday or another day. A good first call for a report.',
  input: { on: text('one day; default: today', 'yesterday', '2026-03-01'), ...members },
  fields: 'name,status,place,distanceKm,trips,stops,movingSeconds,idleSeconds,topSpeedKmh,driver,deactivated',
  words: (input) => ['today', ...optionWords('on', input.on), ...memberFlags(input)],
  summary(printed) {
    const { rows } = printed;
    const named = (...statuses: readonly unknown[]) =>
      namesIn(
        rows.filter(({ status }) => statuses.includes(status)),
        'name',
      );
    const live =
      named(...liveStatuses).length === 0
        ? ''
        : ` Silent now: ${someOf(named('stale', 'offline', 'unknown'), 8) || 'none'}. Idling now: ${someOf(named('idling'), 8) || 'none'}. Moving now: ${named('moving').length}.`;
    const driven = rows.filter(({ trips }) => Number(trips) > 0).length;
    return `${driven} of ${counted(rows.length, 'vehicle')} drove${inPeriod(printed.period)}: ${driveText(printed)}.${live}`;
  },
  facts: periodAndTotal,
});

const driverAssignments = commandTool({
  name: 'driver_assignments',
  title: 'Driver assignments',
  description: 'Which drivers are assigned to which vehicles: now, or over a period. Who really drove: who_drove.',
  input: { vehicles, drivers: texts('drivers by whole name, e-mail or id'), ...period },
  fields: 'vehicle,driver,startedAt,endedAt',
  words: (input) => {
    const given = periodFlags(input);
    const when = given.length > 0 ? given : ['--from=-1s'];
    return [
      'drivers',
      'assignments',
      ...when,
      ...optionWords('driver', input.drivers),
      '--',
      ...(input.vehicles ?? []),
    ];
  },
  summary: ({ rows }) =>
    `${counted(rows.length, 'assignment')}${rows.length === 0 ? '' : `: ${someOf(rows.map((row) => `${row.driver} on ${row.vehicle}`))}`}.`,
});

const whoDrove: Tool = {
  name: 'who_drove',
  title: 'Who drove a vehicle',
  description:
    'Who drove one vehicle at a time or over a period: drivers identified on its trips (evidence), and drivers assigned to it (a plan).',
  input: { vehicle, at: text('a moment, in place of a period', 'yesterday 14:30', '-2h'), ...period },
  required: ['vehicle'],
  hasRows: true,
  async run(call, input) {
    const { vehicle: name = '', at } = input;
    const given = periodFlags(input);
    if ((at === undefined) === (given.length === 0)) {
      throw refusal(
        `${at === undefined ? 'Neither' : 'Both'} a time ${at === undefined ? 'nor' : 'and'} a period is given.`,
        {
          hint: 'Give at, or on, or from and to.',
        },
      );
    }
    const moment = at === undefined ? null : await momentOf(call, at);
    const when = moment === null ? given : [`--from=${timestamp(moment)}`, `--to=${timestamp(moment + 1_000)}`];
    const [driven, assigned] = await call.runAll([
      [
        ['trips', 'list', ...(moment === null ? ['--clip'] : []), ...when, '--', name],
        'driver,startedAt,endedAt,distanceKm',
      ],
      [['drivers', 'assignments', ...when, '--', name], 'driver,startedAt,endedAt'],
    ]);
    const drove = (driven?.rows ?? []).map((row) => ({
      ...row,
      driver: row.driver || null,
      basis: 'identified on a trip',
    }));
    const planned = (assigned?.rows ?? []).map((row) => ({ ...row, basis: 'assigned' }));
    const identified = namesIn(drove, 'driver');
    const who =
      identified.length > 0
        ? `driven by ${someOf(identified)} (identified)`
        : drove.length > 0
          ? 'driven by somebody who was not identified'
          : moment === null
            ? 'no trip'
            : 'not on a trip at that time';
    const assignedTo = namesIn(planned, 'driver');
    return {
      summary: `${name}: ${who}; ${assignedTo.length > 0 ? `assigned: ${someOf(assignedTo)}` : 'nobody was assigned'}.`,
      rows: [...drove, ...planned],
    };
  },
};

/** Reads a time in the past by the clock of the service. */
async function momentOf(call: ToolCall, at: string): Promise<number> {
  const { pastMoment } = await import('../../parse/time.js');
  const time = readTime(call.context, at, 'at');
  if (time.lastMoment === null) return pastMoment(call.context, await call.client, time, 'at');
  throw refusal(`at "${at}" is more than a moment.`, { hint: 'Give a time, such as "yesterday 09:00".' });
}

/** The kinds of records that are looked up by name. Values of driver tokens are secrets. */
const kinds = allKinds.filter((kind) => kind !== tokenKind);
const usualKinds: readonly RecordKind<never>[] = [vehicleKind, personKind, geofenceKind, groupKind];

const findRecord: Tool = {
  name: 'find_record',
  title: 'Find records by name',
  description:
    'Finds vehicles, people, geofences, groups, labels and others by a name, a part of it, a licence plate, VIN or e-mail; without text lists all of a kind. Other tools need whole names: this one finds them.',
  input: {
    text: text('a name or a part of one; default: all', '510 JDR', 'Anna', 'Depot'),
    kind: {
      type: 'string',
      enum: kinds.map(({ noun }) => noun),
      description: 'default: vehicle, person, geofence, group',
    },
  },
  hasRows: true,
  async run(call, { text: wanted = '', kind }) {
    const looked = kinds.filter((one) => (kind === undefined ? usualKinds.includes(one) : one.noun === kind));
    const lists = await call.runAll(
      looked.map((one) => [one.listCommand.split(' ').slice(1), Object.keys(one.identity).join(',')] as const),
    );
    const rows = looked.flatMap((one, index) => {
      const all = lists[index]?.rows ?? [];
      const named = new NamedRows(one, all);
      const whole = wanted.trim() === '' ? all : named.matches(wanted);
      return (whole.length > 0 || wanted.trim() === '' ? whole : named.withPart(wanted)).map((row) => {
        const [name = null, ...others] = textsOf(one, row);
        return { kind: one.noun, name, id: recordId(row), also: others.join(', ') || null };
      });
    });
    const of = wanted.trim() === '' ? '' : ` for "${wanted.trim()}"`;
    const what = kind === undefined ? counted(rows.length, 'record') : counted(rows.length, kind, looked[0]?.plural);
    return {
      summary: `${what}${of}${rows.length === 0 ? '' : `: ${someOf(rows.map(({ name, id }) => name ?? id))}`}.`,
      rows,
    };
  },
};

const details: Readonly<Record<string, { readonly words: readonly string[]; readonly fields: string }>> = {
  vehicle: {
    words: ['vehicles', 'get'],
    fields:
      'id,name,licensePlate,vin,make,model,year,deactivated,lastOdometer,lastWorkingHours,vehicleType.name,workSchedule.name,assignedGroups.name,assignedLabels.name,customFields,assignedDevices,lastData.timestamp,lastData.gps,lastData.ignition,lastData.fuel',
  },
  person: {
    words: ['people', 'get'],
    fields: 'id,firstName,lastName,email,phone,employeeId,isDriver,isUser,licenseNumber,roles.name,customFields',
  },
};

const recordDetails: Tool = {
  name: 'record_details',
  title: 'One vehicle or person in full',
  description:
    'The data of one vehicle (make, VIN, type, groups, labels, custom fields, odometer, fuel, last position) or one person (contact, licence, roles, custom fields).',
  input: {
    kind: { type: 'string', enum: Object.keys(details), description: 'of the record' },
    name: text('whole name, plate, VIN, e-mail or id'),
  },
  required: ['kind', 'name'],
  hasRows: false,
  async run(call, { kind = '', name = '' }) {
    const { words = [], fields = '' } = details[kind] ?? {};
    const [row = {}] = (await call.run([...words, '--', name], fields)).rows;
    const record = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== ''));
    return { summary: `${row.name ?? [row.firstName, row.lastName].filter(Boolean).join(' ')}.`, facts: { record } };
  },
};

const runReport: Tool = {
  name: 'run_report',
  title: 'Reports of the service',
  description:
    "Runs one of the service's own reports (speeding, safety events, maintenance, emissions …) and returns its rows; without report lists them with their inputs. Trips, stops, sums and visits have tools of their own.",
  input: {
    report: text('id or title; without it the reports are listed', 'vehicle-speeding'),
    ...period,
    vehicles,
    ...members,
    inputs: { type: 'object', description: 'other inputs of the report, as the list names them' },
  },
  hasRows: true,
  async run(call, input) {
    const { report } = input;
    if (report === undefined) {
      const { rows } = await call.run(['reports', 'list']);
      return {
        summary: `${counted(rows.length, 'report')}: ${someOf(
          rows.map(({ id }) => id),
          30,
        )}.`,
        rows: rows.map(({ id, title, description, inputs }) => ({ id, title, description, inputs })),
      };
    }
    const others = input.inputs === undefined ? '' : JSON.stringify(input.inputs);
    const printed = await call.run(
      [
        ...['reports', 'run', ...periodFlags(input), ...memberFlags(input), ...optionWords('vehicle', input.vehicles)],
        ...[...(others === '' ? [] : ['--input=-']), '--', report],
      ],
      undefined,
      { input: others },
    );
    const total = isObject(printed.total) ? { total: printed.total } : {};
    return { summary: `${report}: ${counted(printed.rows.length, 'row')}.`, facts: total, rows: printed.rows };
  },
};

export const readTools: readonly Tool[] = [
  ...[whereIs, whoDrove, listTrips, sumTrips, placeVisits, vehiclesNear, fleetStatus, fleetToday],
  ...[driverAssignments, findRecord, recordDetails, runReport],
];
