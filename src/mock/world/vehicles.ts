// Builds the vehicles and devices of a fleet. A larger fleet begins with a smaller one's vehicles.
import { dayMs } from '../core/durations.js';
import { uuidFromName } from '../core/uuid.js';
import type {
  DeviceRecord,
  LabelRecord,
  VehicleKind,
  VehicleRecord,
  VehicleTypeRecord,
  WorkScheduleRecord,
} from '../store/tables.js';
import type { SeededGroups } from './groups.js';
import { randomFromName, type SeededRandom } from './random.js';

interface Model {
  readonly make: string;
  readonly model: string;
  /** First eight VIN characters: manufacturer identifier and vehicle descriptor. */
  readonly vinStart: string;
}

const models: Readonly<Record<VehicleKind, readonly [Model, ...Model[]]>> = {
  van: [
    { make: 'Ford', model: 'Transit', vinStart: 'WF0XXXTT' },
    { make: 'Mercedes-Benz', model: 'Sprinter', vinStart: 'WDB90665' },
    { make: 'Volkswagen', model: 'Crafter', vinStart: 'WV1ZZZSY' },
  ],
  truck: [
    { make: 'Scania', model: 'R 450', vinStart: 'YS2R4X20' },
    { make: 'Volvo', model: 'FH 460', vinStart: 'YV2RT40A' },
    { make: 'MAN', model: 'TGX 18.470', vinStart: 'WMA06XZZ' },
  ],
  car: [
    { make: 'Skoda', model: 'Octavia', vinStart: 'TMBJJ7NE' },
    { make: 'Toyota', model: 'Corolla', vinStart: 'SB1K53BE' },
    { make: 'Renault', model: 'Kangoo', vinStart: 'VF1KW0BB' },
  ],
};

const kinds: readonly VehicleKind[] = ['van', 'truck', 'van', 'car', 'truck'];
const names: Readonly<Record<VehicleKind, string>> = { van: 'Van', truck: 'Truck', car: 'Car' };
const deviceTypes = ['gps-tracker-4g', 'can-tracker-4g', 'obd-tracker'] as const;

const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
// ISO 3779 excludes I, O and Q.
const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';
const letterValues = '12345678123457923456789';

function vinValue(character: string): number {
  return Number(character >= '0' && character <= '9' ? character : letterValues.charAt(letters.indexOf(character)));
}

/** Returns a VIN whose ninth character is the North American check digit. */
function createVin(start: string, yearCode: string, serial: string): string {
  const withoutCheckDigit = `${start}0${yearCode}${serial}`;
  let sum = 0;
  for (let i = 0; i < withoutCheckDigit.length; i += 1)
    sum += vinValue(withoutCheckDigit.charAt(i)) * (weights[i] ?? 0);
  const check = sum % 11 === 10 ? 'X' : String(sum % 11);
  return `${start}${check}${withoutCheckDigit.slice(9)}`;
}

const yearCodes = 'JKLMNPRS'; // 2018 to 2025

function licensePlate(random: SeededRandom): string {
  const letter = (): string => letters.charAt(random.int(0, letters.length - 1));
  return `${random.digits(3)} ${letter()}${letter()}${letter()}`;
}

export interface VehicleSeed {
  readonly seed: number;
  readonly fleetId: string;
  readonly count: number;
  readonly foundedAt: number;
  readonly regions: readonly string[];
  readonly groups: SeededGroups;
  readonly labels: readonly LabelRecord[];
  readonly types: Readonly<Record<VehicleKind, VehicleTypeRecord>>;
  readonly schedules: readonly WorkScheduleRecord[];
}

export const vehicleFieldNames: readonly string[] = ['Cost centre', 'Insurance policy', 'Next inspection'];

export function buildVehicles(options: VehicleSeed): VehicleRecord[] {
  const vehicles: VehicleRecord[] = [];
  const counts: Record<VehicleKind, number> = { van: 0, truck: 0, car: 0 };
  for (let i = 0; i < options.count; i += 1) {
    const random = randomFromName(`${options.seed}/${options.fleetId}/vehicle/${i}`);
    const kind = kinds[i % kinds.length] ?? 'van';
    counts[kind] += 1;
    const model = random.pick(models[kind]);
    const yearIndex = random.int(0, yearCodes.length - 1);
    const addedAt = options.foundedAt + random.int(0, 60) * dayMs + random.int(0, dayMs - 1);
    const version = 1 + random.int(0, 4);
    const updatedAt = addedAt + random.int(1, 90) * dayMs;
    const id = uuidFromName(`${options.seed}/${options.fleetId}/vehicle/${i}`);
    // The eighth vehicle and every 25th after it are deactivated.
    const deactivated = i % 25 === 7;
    vehicles.push({
      id,
      version,
      createdAt: addedAt,
      updatedAt,
      fleetId: options.fleetId,
      name: `${names[kind]} ${String(counts[kind]).padStart(2, '0')}`,
      vin: createVin(model.vinStart, yearCodes.charAt(yearIndex), `N${String(i % 1_000_000).padStart(6, '0')}`),
      licensePlate: licensePlate(random),
      make: model.make,
      model: model.model,
      year: 2018 + yearIndex,
      deactivated,
      vehicleTypeId: options.types[kind].id,
      workScheduleId: i % 4 === 1 ? (options.schedules[1]?.id ?? null) : null,
      groupIds: options.groups.groupIdsFor(kind, i),
      labelIds: options.labels.filter((_, labelIndex) => (i + labelIndex) % 5 === 0).map((label) => label.id),
      // The fourth vehicle and every 50th after it have no device yet.
      deviceIds: i % 50 === 3 ? [] : [uuidFromName(`${id}/device`)],
      customFields: [
        { name: 'Cost centre', value: String(4000 + (i % 7) * 100) },
        { name: 'Insurance policy', value: i % 6 === 5 ? null : `POL-${random.digits(8)}` },
        { name: 'Next inspection', value: `${2027 + (i % 2)}-${String(1 + (i % 12)).padStart(2, '0')}-15` },
      ],
      kind,
      region: options.regions[i % Math.max(1, options.regions.length)] ?? '',
      deviceSince: addedAt,
      deactivatedAt: deactivated ? updatedAt : null,
      place: i,
    });
  }
  return vehicles;
}

export function buildDevices(vehicles: readonly VehicleRecord[]): DeviceRecord[] {
  return vehicles.flatMap((vehicle) => vehicle.deviceIds.map((id) => buildDevice(id, randomFromName(`${id}/details`))));
}

function buildDevice(id: string, random: SeededRandom): DeviceRecord {
  return {
    id,
    serial: `35${random.digits(13)}`,
    deviceTypeKey: random.pick(deviceTypes),
    enabled: true,
    phoneNumber: `+3725${random.digits(7)}`,
  };
}
