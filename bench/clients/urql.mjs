// @ts-check
// urql, set up as in its documentation except for POST, against the reference service: lists
// vehicles, renames one, reads it again without the cache, and handles an error.
import assert from 'node:assert/strict';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { graphqlUrl, headersOfDemo, say } from './lib.mjs';

const headers = await headersOfDemo();
const client = new Client({
  url: graphqlUrl,
  exchanges: [cacheExchange, fetchExchange],
  preferGetMethod: false,
  fetchOptions: { headers },
});

const listed = await client.query('query Vehicles { getVehicles { id name } }', {}).toPromise();
assert.equal(listed.error, undefined);
/** @type {{ id: string, name: string }[]} */
const vehicles = listed.data.getVehicles;
const [first] = vehicles;
assert.ok(first);
say(`lists ${vehicles.length} vehicles`);

const name = `${first.name}, seen by urql`;
const renamed = await client
  .mutation(
    'mutation Rename($id: UUID!, $input: VehicleInput!) { updateVehicle(vehicleId: $id, vehicleInput: $input) { id name } }',
    { id: first.id, input: { name } },
  )
  .toPromise();
assert.equal(renamed.error, undefined);
assert.equal(renamed.data.updateVehicle.name, name);

const read = await client
  .query(
    'query Vehicle($id: UUID!) { getVehicleById(id: $id) { id name } }',
    { id: first.id },
    { requestPolicy: 'network-only' },
  )
  .toPromise();
assert.equal(read.data?.getVehicleById.name, name);
say('renames one and reads it back');

const { error } = await client.query('query Bad { getVehicles { wheels } }', {}).toPromise();
assert.equal(error?.graphQLErrors[0]?.extensions.classification, 'ValidationError');
say(`shows its error: ${error?.message}`);
