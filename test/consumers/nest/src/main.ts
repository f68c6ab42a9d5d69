// A client as a provider that Nest injects by its type: decorators load the class at run time.
import 'reflect-metadata';
import * as assert from 'node:assert/strict';
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';

@Injectable()
class Vehicles implements OnApplicationShutdown {
  constructor(private readonly fleet: FleetClient) {}

  async names() {
    const vehicles = await this.fleet.getVehicles({}, { select: { name: true } });
    // @ts-expect-error the selection does not hold it, so the types are there
    void vehicles[0].vin;
    return vehicles.map(({ name }) => name);
  }

  onApplicationShutdown() {
    return this.fleet.close();
  }
}

const client = {
  provide: FleetClient,
  useFactory: () =>
    new FleetClient({
      baseUrl: 'http://fleet.example',
      credentials: { username: 'demo', password: 'demo' },
      fetch: createMockService({ vehicles: 3 }).fetch,
    }),
};

@Module({ providers: [client, Vehicles] })
class AppModule {}

async function main() {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
  const names = await app.get(Vehicles).names();
  assert.equal(names.length, 3);
  await app.close();
}

main();
