// The reports of the service.
import type { ColumnKey } from './columns.js';
import { eachGroup, eachPerson, eachVehicle } from './record-rows.js';
import type { ReportResult, ReportSource } from './run-report.js';
import * as snapshots from './snapshot-rows.js';
import { byCountry, byDay, byDriver, byVehicle, byWorkingHours, eachTrip, ofFleet } from './trip-rows.js';

const report = (
  id: string,
  title: string,
  description: string,
  source: ReportSource,
  columns: readonly ColumnKey[],
): ReportResult => ({ id, title, description, source, columns });

const position: readonly ColumnKey[] = ['latitude', 'longitude'];
const stretch: readonly ColumnKey[] = ['start', 'end', 'minutes', ...position];
const driving: readonly ColumnKey[] = ['trips', 'distance', 'driving'];

// biome-ignore format: a table reads best in rows
export const reports: readonly ReportResult[] = [
  report('distance-details', 'Distance by day', 'How far each vehicle went on each day.', byDay, ['trips', 'distance']),
  report('driver-performance', 'Driver performance', 'Trips and harsh events by driver.', byDriver,
    [...driving, 'idle', 'topSpeed', 'harshEvents']),
  report('emissions', 'Emissions', 'Fuel and carbon dioxide by vehicle.', byVehicle,
    ['distance', 'fuel', 'consumption', 'co2']),
  report('engine-diagnostics', 'Engine diagnostics', 'Engine readings from the CAN bus.', snapshots.engines,
    ['readings', 'warnings', 'hottestCoolant', 'highestRpm', 'engineHours']),
  report('fleet-performance', 'Fleet performance', 'The whole fleet in one row.', ofFleet,
    [...driving, 'idle', 'fuel', 'consumption', 'harshEvents']),
  report('geofence-interaction', 'Geofence visits', 'When vehicles were inside which geofence.', snapshots.geofenceVisits,
    ['geofenceId', 'geofence', ...stretch]),
  report('group-list', 'Groups', 'The groups with the number of their vehicles.', eachGroup, ['parent', 'vehicles']),
  report('ifta-distance', 'Distance by country', 'Distance and fuel by vehicle and country.', byCountry, ['distance', 'fuel']),
  report('maintenance-schedule', 'Maintenance schedule',
    'When each vehicle is inspected next, and how far it is from its next service.', eachVehicle,
    ['nextInspection', 'odometer', 'kmToService']),
  report('people-list', 'People', 'The people with their roles and tokens.', eachPerson,
    ['email', 'isDriver', 'isUser', 'roles', 'tokens']),
  report('safety-events', 'Safety events', 'Harsh driving and speeding as the devices reported it.', snapshots.safetyEvents,
    ['timestamp', 'event', 'value', ...position]),
  report('utilization', 'Utilization', 'How long each vehicle was used on each day.', byDay, ['driving', 'idle']),
  report('vehicle-activity', 'Activity', 'Driving within and outside of working hours.', byWorkingHours, driving),
  report('vehicle-daily-summary', 'Daily summary', 'Each vehicle on each day.', byDay,
    [...driving, 'idle', 'fuel', 'topSpeed', 'harshEvents']),
  report('vehicle-distance', 'Distance by vehicle', 'How far each vehicle went.', byVehicle, ['trips', 'distance']),
  report('vehicle-events', 'Events', 'Ignition changes and driver behaviour, by time.', snapshots.events,
    ['timestamp', 'event', 'value', ...position]),
  report('vehicle-idling', 'Idling', 'Where vehicles stood with the engine on for a minute or longer.', snapshots.idling, stretch),
  report('vehicle-positions', 'Positions', 'Every valid position.', snapshots.positions, ['timestamp', ...position, 'speed']),
  report('vehicle-speeding', 'Speeding', `Where vehicles were faster than ${snapshots.speedingKmh} km/h.`, snapshots.speeding,
    [...stretch, 'topSpeed']),
  report('vehicle-stops', 'Stops', 'Where vehicles stood with the engine off for five minutes or longer.', snapshots.stops, stretch),
  report('vehicle-trips', 'Trips', 'Every trip of the vehicles.', eachTrip,
    ['startOdometer', 'endOdometer', 'distance', 'fuel', 'driving', 'idle', 'topSpeed', 'harshEvents']),
  report('vehicles', 'Vehicles', 'The vehicles with their registration and newest readings.', eachVehicle,
    ['licensePlate', 'vin', 'make', 'model', 'year', 'deactivated', 'odometer']),
];
