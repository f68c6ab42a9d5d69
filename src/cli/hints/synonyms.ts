// Maps words that people type to commands and flags. Used only for hints; nothing else is run.

/** Gives each of the words in a key, such as `ls, all`, its value. */
function byWord<T>(table: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([words, value]) => words.split(', ').map((word) => [word, value])),
  );
}

export const verbWords: Readonly<Record<string, readonly string[]>> = {
  list: ['ls', 'all', 'index', 'overview'],
  get: ['show', 'info', 'view', 'describe', 'details', 'read', 'find', 'search', 'lookup', 'where', 'locate'],
  create: ['add', 'new', 'insert', 'register', 'make'],
  update: ['edit', 'modify', 'change', 'rename', 'patch'],
  delete: ['remove', 'rm', 'del', 'destroy', 'drop', 'erase'],
  apply: ['import', 'upload', 'upsert', 'load'],
};

/** Nouns whose records belong to another noun. */
export const nounOfRecords: Readonly<Record<string, string>> = { drivers: 'people', users: 'people' };

/** Commands for a first word, or for a word after a noun, best first. `…`: the following words. */
export const commandWords = byWord<readonly string[]>({
  'find, search, lookup, show, get, info, describe': ['vehicles get …'],
  'where, locate, location, locations, position, positions': ['vehicles status …', 'map'],
  'list, ls, cars, trucks, vans, assets': ['vehicles list'],
  'near, nearest': ['vehicles near …'],
  'overview, summary': ['today', 'vehicles status'],
  yesterday: ['trips list --on yesterday --sum-by vehicle'],
  live: ['vehicles status --watch', 'map'],
  'follow, tail': ['vehicles status --watch'],
  'monitor, alert, alerts, alarm, alarms, notify, notifications, listen, events, webhook, webhooks': [
    'watch',
    'vehicles status --watch',
    'rules list',
  ],
  'journeys, vehicles trips': ['trips list … --on yesterday'],
  'drivers trips': ['trips list --driver "…" --on yesterday'],
  'vehicles history': ['trips list … --on yesterday', 'snapshots list … --on yesterday', 'history --record "…"'],
  'drivers history': ['drivers assignments --driver "…"', 'trips list --driver "…" --on yesterday'],
  'track, tracks': ['trips list … --on yesterday -o gpx', 'map … --on yesterday'],
  'parking, parked, stays': ['stops list --on yesterday', 'geofences visits --on yesterday'],
  'vehicles stops': ['stops list … --on yesterday'],
  'drivers stops': ['stops list --driver "…" --on yesterday'],
  'visits, geofences events, geofences history': [
    'geofences visits … --on yesterday',
    'watch --on geofence-enter,geofence-exit',
  ],
  'vehicles visits': ['geofences visits --vehicle "…" --on yesterday'],
  'km, mileage, distance, fuel, idle, idling': ['trips list … --on yesterday --sum-by vehicle', 'reports list'],
  'drivers km, drivers mileage, drivers distance, drivers fuel, drivers idle': [
    'trips list --on yesterday --sum-by driver',
    'reports list',
  ],
  'drivers status, drivers where, drivers vehicles': ['vehicles status --filter "driver~…"'],
  'vehicles drivers': ['vehicles status … --fields name,driver', 'drivers assignments …'],
  telemetry: ['snapshots latest'],
  assign: ['drivers assign …'],
  unassign: ['drivers unassign …'],
  assignments: ['drivers assignments …'],
  person: ['people get …'],
  'staff, employees': ['people list'],
  'areas, zones': ['geofences list'],
  fields: ['vehicles fields …', 'people fields …'],
  'export, download': ['vehicles list -o csv > vehicles.csv', 'sync fleet.db'],
  'dump, backup, copy, database': ['sync fleet.db'],
  import: ['people apply …', 'groups apply …', 'geofences import …'],
  dashboard: ['map', 'vehicles status --watch'],
  'ui, web': ['map'],
  'graphql, query, request': ['api …'],
  'server, serve': ['mock'],
  'whoami, me, account': ['status', 'users list'],
  auth: ['login', 'status'],
  'signin, init, setup': ['login'],
  configure: ['login', 'profiles list'],
  signout: ['logout'],
  'config, settings': ['profiles list', 'status'],
  'check, diagnose, ping': ['doctor'],
  version: ['--version'],
});

/** Commands that are named first when many have an unknown flag. */
export const likelyCommands = ['vehicles list', 'trips list', 'stops list', 'today', 'snapshots list'];

/** Flags for an unknown flag; the first one that the command has is used. `…` is the value. */
export const flagWords = byWord<string | readonly string[]>({
  '--today': ['--on today', '--since today', '--from today'],
  '--yesterday': ['--on yesterday', '--since yesterday', '--from yesterday'],
  '--json': '-o json',
  '--csv': '-o csv',
  '--tsv': '-o tsv',
  '--yaml': '-o yaml',
  '--ndjson': '-o ndjson',
  '--excel': '-o xlsx',
  '--format': '-o …',
  '--columns, --select, --show': '--fields …',
  '--search, --find, --query, --name': '--filter "name~…"',
  '--where, --match': '--filter "…"',
  '--order, --order-by, --sort-by': '--sort …',
  '--top, --max, --head, -n': '--limit …',
  '--group-by, --by, --per': '--sum-by …',
  '--fuel-cost': '--fuel-price …',
  '--within': '--radius …',
  '--count': '--jq length',
  '--template': '--jq \'.[] | "\\(.id) \\(.name)"\'',
  '-q, --silent': '--quiet',
  '-v, --debug, --trace': '--verbose',
  '--day, --date, --period': '--on …',
  '--since, --start, --after': '--from …',
  '--until, --end, --before': '--to …',
  '--on, --from': '--since …',
  '--to': '--until …',
  '--tz, --timezone, --zone': '--time-zone …',
  '--utc': '--time-zone UTC',
  '--file, --out, --save': '--output-file …',
  '--url, --host, --server': '--base-url …',
  '--fleet, --account': '--user …',
  '--follow, -w, -f, --live, --refresh': '--watch',
  '--interval': '--every …',
  '--plan, --preview, --diff': '--dry-run',
  '--no-header': '--no-headers',
  '--non-interactive, --batch': '--no-input',
});

/** Explanations for a flag, also of one noun. `…`: its value; `$name`: the name before it. */
export const flagAnswers = byWord({
  '--password':
    'No flag takes a password, because every program on the machine could read it. `fleet login` asks for it; --password-stdin reads it from a pipe, and FLEET_PASSWORD gives it to any command.',
  '--private, --business': 'The contract has no private trips: no field says what a trip was for.',
  'devices --vehicle':
    'The devices of a vehicle: `fleet vehicles list --filter "name~…" --fields name,assignedDevices.serial`.',
  'groups --vehicle': 'The groups of a vehicle: `fleet vehicles groups "…"`.',
  'people --vehicle':
    'Who drives a vehicle: `fleet vehicles status "…"`; who drove it: `fleet drivers assignments "…"`.',
  'today --vehicle': 'The day of one vehicle: `fleet trips list "…" --on today --sum-by vehicle`.',
  'vehicles --at, snapshots --at': 'Where a vehicle was then: `fleet vehicles status "$name" --at "…"`.',
  'vehicles --driver': 'Who drives each vehicle: `fleet vehicles status --filter "driver~…"`.',
  'vehicles --vehicle': 'Vehicles are named without a flag: `fleet vehicles get "…"`.',
});

/** Explanations for a first word, or for a word after a noun. `…`: the following words. */
export const answers = byWord({
  'hours, drivers hours, drivers days':
    'Each driver and day: `fleet trips list --on "last week" --sum-by driver,day`. A copy of `fleet sync fleet.db` has them in the view driver_days, by the local days of the vehicles.',
  'vehicles hours, vehicles days':
    'Each vehicle and day: `fleet trips list … --on "last week" --sum-by vehicle,day`. A copy of `fleet sync fleet.db` has them in the view vehicle_days.',
  'odometer, vehicles odometer':
    'Now: `fleet vehicles list --fields name,lastOdometer`. At both ends of each day: `fleet trips list … --on "last week" --sum-by vehicle,day`.',
  'devices list':
    'The service lists no devices; vehicles name theirs: `fleet vehicles list --fields name,assignedDevices.serial`.',
  'drivers list': 'Drivers are people: `fleet people list --drivers`.',
  'tokens list, tokens get':
    'The service lists tokens with their drivers: `fleet people list --fields firstName,lastName,driverTokens.value`.',
});
