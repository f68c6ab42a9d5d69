// Title and unit of all report columns.

const columns = {
  vehicleId: ['Vehicle id'],
  vehicle: ['Vehicle'],
  fleet: ['Fleet'],
  driverId: ['Driver id'],
  driver: ['Driver'],
  day: ['Day'],
  country: ['Country'],
  inWorkingHours: ['In working hours'],
  trips: ['Trips'],
  distance: ['Distance', 'km'],
  fuel: ['Fuel', 'l'],
  driving: ['Driving time', 'h'],
  idle: ['Idle time', 'h'],
  topSpeed: ['Top speed', 'km/h'],
  harshEvents: ['Harsh events'],
  consumption: ['Consumption', 'l/100 km'],
  co2: ['CO2', 'kg'],
  start: ['Start'],
  end: ['End'],
  minutes: ['Minutes', 'min'],
  startOdometer: ['Odometer at the start', 'km'],
  endOdometer: ['Odometer at the end', 'km'],
  timestamp: ['Time'],
  event: ['Event'],
  value: ['Value'],
  latitude: ['Latitude'],
  longitude: ['Longitude'],
  speed: ['Speed', 'km/h'],
  geofenceId: ['Geofence id'],
  geofence: ['Geofence'],
  readings: ['Readings'],
  warnings: ['Check engine readings'],
  hottestCoolant: ['Hottest coolant', 'degrees C'],
  highestRpm: ['Highest engine speed', 'rpm'],
  engineHours: ['Engine hours', 'h'],
  licensePlate: ['Licence plate'],
  vin: ['VIN'],
  make: ['Make'],
  model: ['Model'],
  year: ['Year'],
  deactivated: ['Deactivated'],
  odometer: ['Odometer', 'km'],
  nextInspection: ['Next inspection'],
  kmToService: ['Distance to service', 'km'],
  personId: ['Person id'],
  groupId: ['Group id'],
  name: ['Name'],
  email: ['E-mail'],
  isDriver: ['Driver'],
  isUser: ['User'],
  roles: ['Roles'],
  tokens: ['Tokens'],
  parent: ['Parent'],
  vehicles: ['Vehicles'],
} as const satisfies Readonly<Record<string, readonly [title: string, unit?: string]>>;

export type ColumnKey = keyof typeof columns;

export function reportColumns(keys: readonly ColumnKey[]): readonly object[] {
  return keys.map((key) => {
    const [title, unit]: readonly [string, string?] = columns[key];
    return { key, title, unit: unit ?? null };
  });
}
