// A program compiled to CommonJS, the former default of Nest, ts-jest and `tsc --init`.
import { strict as assert } from 'node:assert';
import { FleetClient, FleetError, type Trip, type Vehicle } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { traceFleet } from 'fleet-telematics/otel';
import { redisGate } from 'fleet-telematics/redis';
import { checkSchema, type SchemaReport } from 'fleet-telematics/schema';
import { type TrackOptions, toGpx } from 'fleet-telematics/tracks';
import { syncTables } from 'fleet-telematics-sync';
import type { Table } from 'fleet-telematics-sync/target';
import { firstOf, names } from './uses-results.js';

async function main(): Promise<void> {
  const service = createMockService({ vehicles: 3 });
  const baseUrl = 'http://fleet.example';
  const fleet = new FleetClient({ baseUrl, credentials: { username: 'demo', password: 'demo' }, fetch: service.fetch });
  const tracing = traceFleet(fleet);
  const vehicles: Vehicle[] = await fleet.getVehicles();
  tracing.end();
  assert.equal(vehicles.length, 3);
  assert.deepEqual(Object.keys((await firstOf(fleet)) ?? {}), ['id', 'lastData']);
  assert.equal((await names(fleet)).length, 3);

  const error: unknown = await fleet.getVehicleById({ id: 'no-such-id' }).catch((reason) => reason);
  assert.ok(error instanceof FleetError && error.code === 'INVALID_INPUT');
  // @ts-expect-error no such field
  void (() => fleet.getVehicles({}, { select: { id: true, nope: true } }));
  const trips: Trip[] = [];
  const tables: readonly Table[] = syncTables;
  assert.ok(tables.length > trips.length);
  assert.equal(typeof redisGate, 'function');
  const report: SchemaReport = await checkSchema(fleet);
  assert.deepEqual(report.changes, []);
  const options: TrackOptions = { as: 'points' };
  for await (const text of toGpx([], options)) assert.match(text, /gpx/);
  await fleet.close();
}

void main();
