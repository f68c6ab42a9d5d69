// Every noun of the command line: what it is for, and where it is defined. Help needs only this file; a noun's own module
// is loaded when the noun is called.
import type { DefineCommand } from './command.js';

type Load = () => Promise<{ readonly define: DefineCommand }>;

export const registry: Readonly<Record<string, readonly [description: string, load: Load]>> = {
  login: ['log in to a service and keep the session', () => import('../commands/login.js')],
  logout: ['forget the kept session', () => import('../commands/logout.js')],
  status: ['show where you are logged in, as whom, and until when', () => import('../commands/status.js')],
  doctor: ['look for what is wrong between here and the service', () => import('../commands/doctor.js')],
  users: ['list the users of your login and choose one', () => import('../commands/users.js')],
  profiles: ['logins kept beside each other', () => import('../commands/profiles.js')],
  vehicles: ['find and change vehicles', () => import('../commands/vehicles.js')],
  devices: ['the tracking devices in vehicles', () => import('../commands/devices.js')],
  drivers: ['who drives what: assign and unassign drivers', () => import('../commands/drivers.js')],
  geofences: ['areas on the map', () => import('../commands/geofences.js')],
  groups: ['groups that vehicles and geofences belong to', () => import('../commands/groups.js')],
  people: ['drivers and users, their custom fields and roles', () => import('../commands/people.js')],
  tokens: ['what drivers identify with at a vehicle', () => import('../commands/tokens.js')],
  labels: ['labels that vehicles can carry', () => import('../commands/labels.js')],
  roles: ['roles that people can have', () => import('../commands/roles.js')],
  sensors: ['sensors of the fleet, with their keys in snapshots', () => import('../commands/sensors.js')],
  rules: ['rules that watch vehicles and raise events', () => import('../commands/rules.js')],
  schedules: ['the weekly hours in which vehicles work', () => import('../commands/schedules.js')],
  snapshots: ['what vehicles report: the newest, or all of a period', () => import('../commands/snapshots.js')],
  trips: ['the drives of a vehicle, rebuilt from its snapshots', () => import('../commands/trips.js')],
  reports: ['reports that the service makes', () => import('../commands/reports.js')],
  api: ['send any GraphQL document', () => import('../commands/api.js')],
  schema: ['the contract, and what of the live service has moved', () => import('../commands/schema.js')],
  mock: ['run the reference service on this machine', () => import('../commands/mock.js')],
  completion: ['let your shell complete commands', () => import('../commands/completion.js')],
};
