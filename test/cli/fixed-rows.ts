// A service with fixed vehicles, so that golden files depend only on the command line.
import type { Fetch } from '../../src/core/ports.js';
import { service } from './harness.js';

const common = {
  version: 1,
  createdAt: '2025-01-01T00:00:00Z',
  updatedAt: '2025-06-01T00:00:00Z',
  isDeleted: false,
  fleetId: '0f1e2d3c-0000-5000-8000-000000000001',
  deactivated: false,
  assignedLabels: [],
  customFields: [],
  workSchedule: null,
};

const gps = {
  state: true,
  latitude: 59.43696,
  longitude: 24.75353,
  direction: 128,
  altitude: 12.5,
  speed: 54.3,
  satellites: 9,
  hdop: 0.8,
};

export const rows = [
  {
    ...common,
    id: '11111111-0000-5000-8000-000000000001',
    name: 'Truck 7',
    vin: 'YV2RT40A9PN000007',
    licensePlate: '593 NYM',
    make: 'Volvo',
    model: 'FH 460',
    year: 2023,
    lastData: { timestamp: '2026-03-02T09:27:35Z', gps, ignition: { engineStatus: true } },
    assignedGroups: [
      { id: 'g1', name: 'Long haul' },
      { id: 'g2', name: 'Winter roster' },
    ],
    assignedDevices: [{ id: 'd1', serial: '355951031635024' }],
    assignedLabels: [{ id: 'l1', name: 'Leased' }],
    lastOdometer: 541283.101,
    lastWorkingHours: 9591.8802,
    vehicleType: { id: 't1', name: 'Truck' },
    customFields: [
      { name: 'Cost centre', value: '4000' },
      { name: 'Insurance policy', value: 'POL-70028703' },
      { name: 'Next inspection', value: null },
    ],
    workSchedule: { id: 'w1', name: 'Two shifts' },
  },
  {
    ...common,
    id: '11111111-0000-5000-8000-000000000002',
    name: 'The long van that nobody ever calls by its whole name',
    vin: 'WF0XXXTT4KN000002',
    licensePlate: '057 AKJ',
    make: 'Ford',
    model: 'Transit',
    year: 2019,
    // A numeric timestamp, and a position before the first fix.
    lastData: {
      timestamp: Date.parse('2026-03-01T21:30:00Z'),
      gps: { ...gps, latitude: 0, longitude: 0, speed: 0 },
      ignition: { engineStatus: false },
    },
    assignedGroups: [{ id: 'g3', name: 'City deliveries' }],
    assignedDevices: [],
    lastOdometer: 112484.016,
    lastWorkingHours: null,
    vehicleType: { id: 't2', name: 'Van' },
  },
  {
    ...common,
    id: '11111111-0000-5000-8000-000000000003',
    name: '日本語トラック',
    vin: null,
    licensePlate: null,
    make: null,
    model: null,
    year: null,
    lastData: { timestamp: '2026-03-02T09:29:57Z', gps: { ...gps, speed: 0.4 }, ignition: { engineStatus: true } },
    assignedGroups: null,
    assignedDevices: null,
    lastOdometer: null,
    lastWorkingHours: null,
    vehicleType: null,
    deactivated: true,
  },
  {
    ...common,
    id: '11111111-0000-5000-8000-000000000004',
    name: 'Car, "new"',
    vin: 'TMBJJ7NE1M0000004',
    licensePlate: '204 ZZC',
    make: 'Skoda',
    model: 'Octavia',
    year: 2021,
    lastData: null,
    assignedGroups: [],
    assignedDevices: [],
    lastOdometer: 12.5,
    lastWorkingHours: 0,
    vehicleType: { id: 't3', name: 'Car' },
  },
];

export function fixedService(clock?: { now(): number }): Fetch {
  const { fetch } = service(clock ? { clock } : {});
  return async (url, init) => {
    const body = init.body ?? '';
    // The alias of the field in a merged document.
    const [, alias = 'getVehicles'] = /(q\d+): getVehicles\b/.exec(body) ?? [];
    const isList = /getVehicles\b/.test(body);
    const row = /getVehicleById\b/.test(body) ? rows.find(({ id }) => body.includes(id)) : undefined;
    if (isList && !body.includes('getGeofences')) return Response.json({ data: { getVehicles: rows } });
    if (row) return Response.json({ data: { getVehicleById: row } });
    const answer = await fetch(url, init);
    if (!isList) return answer;
    const { data } = Object(await answer.json());
    return Response.json({ data: { ...data, [alias]: rows } });
  };
}
