// What people type, and what the command line calls it. This leads to a hint only: nothing is run in place of what was typed.

/** The words for each verb. */
export const verbWords: Readonly<Record<string, readonly string[]>> = {
  list: ['ls', 'all', 'index', 'overview'],
  get: ['show', 'info', 'view', 'describe', 'details', 'read', 'find', 'search', 'lookup', 'where', 'locate'],
  create: ['add', 'new', 'insert', 'register', 'make'],
  update: ['edit', 'modify', 'change', 'rename', 'patch'],
  delete: ['remove', 'rm', 'del', 'destroy', 'drop', 'erase'],
  apply: ['import', 'upload', 'upsert', 'load'],
};

/** The nouns whose records another noun has. */
export const nounOfRecords: Readonly<Record<string, string>> = { drivers: 'people', users: 'people' };

const oneVehicle = ['vehicles get …'];
const allVehicles = ['vehicles list'];
const positions = ['vehicles status …', 'map'];
const alerts = ['watch', 'vehicles status --watch', 'rules list'];
const dayOfFleet = ['today', 'vehicles status'];
const stops = ['stops list --on yesterday', 'geofences visits --on yesterday'];
const distances = ['trips list --on yesterday', 'reports list'];

/**
 * The commands, without `fleet`, that a first word stands for, the best one first; `…` is what was typed behind it. Those that this
 * version does not have are left out.
 */
export const commandWords: Readonly<Record<string, readonly string[]>> = {
  find: oneVehicle,
  search: oneVehicle,
  lookup: oneVehicle,
  show: oneVehicle,
  get: oneVehicle,
  info: oneVehicle,
  describe: oneVehicle,
  where: positions,
  locate: positions,
  location: positions,
  locations: positions,
  position: positions,
  positions: positions,
  list: allVehicles,
  ls: allVehicles,
  cars: allVehicles,
  trucks: allVehicles,
  vans: allVehicles,
  assets: allVehicles,
  near: ['vehicles near …'],
  nearest: ['vehicles near …'],
  overview: dayOfFleet,
  summary: dayOfFleet,
  yesterday: ['trips list --on yesterday --sum-by vehicle'],
  live: ['vehicles status --watch', 'map'],
  follow: ['vehicles status --watch'],
  tail: ['vehicles status --watch'],
  monitor: alerts,
  alert: alerts,
  alerts: alerts,
  alarm: alerts,
  alarms: alerts,
  notify: alerts,
  notifications: alerts,
  listen: alerts,
  events: alerts,
  webhook: alerts,
  webhooks: alerts,
  journeys: ['trips list --on yesterday'],
  parking: stops,
  parked: stops,
  idle: stops,
  idling: stops,
  stays: stops,
  km: distances,
  mileage: distances,
  distance: distances,
  fuel: ['reports list', 'trips list --on yesterday -o csv'],
  telemetry: ['snapshots latest'],
  assign: ['drivers assign …'],
  unassign: ['drivers unassign …'],
  assignments: ['drivers assignments …'],
  person: ['people get …'],
  staff: ['people list'],
  employees: ['people list'],
  areas: ['geofences list'],
  zones: ['geofences list'],
  fields: ['vehicles fields …', 'people fields …'],
  export: ['vehicles list -o csv > vehicles.csv', 'sync fleet.db'],
  download: ['vehicles list -o csv > vehicles.csv', 'sync fleet.db'],
  dump: ['sync fleet.db'],
  backup: ['sync fleet.db'],
  copy: ['sync fleet.db'],
  database: ['sync fleet.db'],
  import: ['people apply …', 'groups apply …', 'geofences import …'],
  dashboard: ['map', 'vehicles status --watch'],
  ui: ['map'],
  web: ['map'],
  graphql: ['api …'],
  query: ['api …'],
  request: ['api …'],
  server: ['mock'],
  serve: ['mock'],
  whoami: ['status', 'users list'],
  me: ['status', 'users list'],
  account: ['status', 'users list'],
  auth: ['login', 'status'],
  signin: ['login'],
  init: ['login'],
  setup: ['login'],
  configure: ['login', 'profiles list'],
  signout: ['logout'],
  config: ['profiles list', 'status'],
  settings: ['profiles list', 'status'],
  check: ['doctor'],
  diagnose: ['doctor'],
  ping: ['doctor'],
  version: ['--version'],
};

/**
 * What a flag is called here; `…` is the value that was typed with it. Those that the command does not have are left out; of several the
 * first one that it has is meant.
 */
export const flagWords: Readonly<Record<string, string | readonly string[]>> = {
  '--today': ['--on today', '--since today', '--from today'],
  '--yesterday': ['--on yesterday', '--since yesterday', '--from yesterday'],
  '--json': '-o json',
  '--csv': '-o csv',
  '--tsv': '-o tsv',
  '--yaml': '-o yaml',
  '--ndjson': '-o ndjson',
  '--excel': '-o xlsx',
  '--format': '-o …',
  '--columns': '--fields …',
  '--select': '--fields …',
  '--show': '--fields …',
  '--search': '--filter "name~…"',
  '--find': '--filter "name~…"',
  '--query': '--filter "name~…"',
  '--name': '--filter "name~…"',
  '--where': '--filter "…"',
  '--match': '--filter "…"',
  '--order': '--sort …',
  '--order-by': '--sort …',
  '--sort-by': '--sort …',
  '--top': '--limit …',
  '--max': '--limit …',
  '--count': '--limit …',
  '--head': '--limit …',
  '-n': '--limit …',
  '-q': '--quiet',
  '--silent': '--quiet',
  '-v': '--verbose',
  '--debug': '--verbose',
  '--trace': '--verbose',
  '--day': '--on …',
  '--date': '--on …',
  '--period': '--on …',
  '--since': '--from …',
  '--start': '--from …',
  '--after': '--from …',
  '--until': '--to …',
  '--end': '--to …',
  '--before': '--to …',
  '--tz': '--time-zone …',
  '--timezone': '--time-zone …',
  '--zone': '--time-zone …',
  '--utc': '--time-zone UTC',
  '--file': '--output-file …',
  '--out': '--output-file …',
  '--save': '--output-file …',
  '--url': '--base-url …',
  '--host': '--base-url …',
  '--server': '--base-url …',
  '--fleet': '--user …',
  '--account': '--user …',
  '--follow': '--watch',
  '-w': '--watch',
  '-f': '--watch',
  '--live': '--watch',
  '--refresh': '--watch',
  '--interval': '--every …',
  '--plan': '--dry-run',
  '--preview': '--dry-run',
  '--diff': '--dry-run',
  '--no-header': '--no-headers',
  '--non-interactive': '--no-input',
  '--batch': '--no-input',
};

/** The answers for flags that there are not on purpose. */
export const flagAnswers: Readonly<Record<string, string>> = {
  '--password':
    'No flag takes a password, because every program on the machine could read it. `fleet login` asks for it; --password-stdin reads it from a pipe, and FLEET_PASSWORD gives it to any command.',
};

/** What to do where the service lists records only with others. */
export const answers: Readonly<Record<string, string>> = {
  'devices list':
    'The service lists no devices; vehicles name theirs: `fleet vehicles list --fields name,assignedDevices.serial`.',
  'drivers list': 'Drivers are people: `fleet people list --drivers`.',
  'tokens list':
    'The service lists tokens with their drivers: `fleet people list --fields firstName,lastName,driverTokens.value`.',
  'tokens get':
    'The service lists tokens with their drivers: `fleet people list --fields firstName,lastName,driverTokens.value`.',
};
