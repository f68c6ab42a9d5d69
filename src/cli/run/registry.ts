// Lists every noun with its description and its module, which is loaded when the noun is called.
import type { DefineCommand } from '../context/define-command.js';
import type { Io } from '../io/io.js';
import { commandPackages } from '../packages/command-packages.js';

interface CommandModule {
  readonly define: DefineCommand;
}

type Load = (io: Io) => Promise<CommandModule>;

const fromPackage =
  (noun: keyof typeof commandPackages): Load =>
  async (io) => {
    const { loadPackage } = await import('../packages/load-package.js');
    // The package has the version of this program, so its command has this type.
    return (await loadPackage(io, commandPackages[noun], 'command', `fleet ${noun}`)) as CommandModule;
  };

export const registry: Readonly<Record<string, readonly [description: string, load: Load]>> = {
  login: ['log in to a service and save the session', () => import('../commands/login.js')],
  logout: ['delete the saved session', () => import('../commands/logout.js')],
  status: ['show the service, the login and when it expires', () => import('../commands/status.js')],
  doctor: ['check the configuration and the connection to the service', () => import('../commands/doctor.js')],
  users: ['list the users of your login and choose one', () => import('../commands/users.js')],
  profiles: ['manage several saved logins', () => import('../commands/profiles.js')],
  vehicles: ['find and change vehicles', () => import('../commands/vehicles.js')],
  devices: ['show tracking devices', () => import('../commands/devices.js')],
  drivers: ['assign and unassign drivers', () => import('../commands/drivers.js')],
  geofences: ['manage areas on the map', () => import('../commands/geofences.js')],
  groups: ['manage groups of vehicles and geofences', () => import('../commands/groups.js')],
  people: ['manage drivers and users, their custom fields and roles', () => import('../commands/people.js')],
  tokens: ['manage the tokens that identify drivers', () => import('../commands/tokens.js')],
  labels: ['list the labels for vehicles', async () => (await import('../commands/reference-data.js')).labels],
  roles: ['list the roles for people', async () => (await import('../commands/reference-data.js')).roles],
  sensors: ['list the sensors of the fleet', async () => (await import('../commands/reference-data.js')).sensors],
  rules: ['show the rules that raise events', async () => (await import('../commands/reference-data.js')).rules],
  schedules: ['show the weekly work schedules', async () => (await import('../commands/reference-data.js')).schedules],
  snapshots: ['show what vehicles report: the latest, or all of a period', () => import('../commands/snapshots.js')],
  today: ['show the day of the fleet on one screen', () => import('../commands/today.js')],
  map: ['show the fleet on a map in the browser, live or as a file', fromPackage('map')],
  trips: ['list the trips of vehicles, computed from their snapshots', () => import('../commands/trips.js')],
  stops: ['list where vehicles stood, with the engine on or off', () => import('../commands/stops.js')],
  watch: ['report events of vehicles as alerts, also to programs', () => import('../commands/watch.js')],
  sync: ['keep a copy of the fleet in SQLite, PostgreSQL or Parquet files', fromPackage('sync')],
  reports: ['list and run the reports of the service', () => import('../commands/reports.js')],
  history: ['list what this machine changed, and with what outcome', () => import('../commands/history.js')],
  undo: ['take back a change of this machine', () => import('../commands/undo.js')],
  api: ['send any GraphQL document', () => import('../commands/api.js')],
  mcp: ['answer questions of AI assistants about the fleet', fromPackage('mcp')],
  schema: ['compare the live service with the contract', () => import('../commands/schema.js')],
  mock: ['run the reference service on this machine', () => import('../commands/mock.js')],
  completion: ['let your shell complete commands', () => import('../commands/completion.js')],
};
