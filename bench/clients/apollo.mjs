// @ts-check
// Apollo Client, set up as in its documentation, against the reference service: lists vehicles,
// renames one, reads it again without the cache, and handles an error.
import assert from 'node:assert/strict';
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { graphqlUrl, headersOfDemo, say } from './lib.mjs';

/** @typedef {{ id: string, name: string }} Vehicle */

const client = new ApolloClient({
  link: new HttpLink({ uri: graphqlUrl, headers: await headersOfDemo() }),
  cache: new InMemoryCache(),
});

/** @type {import('@apollo/client').TypedDocumentNode<{ getVehicles: Vehicle[] }>} */
const list = gql`
  query Vehicles {
    getVehicles {
      id
      name
    }
  }
`;
const listed = await client.query({ query: list });
const vehicles = listed.data?.getVehicles ?? [];
const [first] = vehicles;
assert.ok(first);
say(`lists ${vehicles.length} vehicles`);

const name = `${first.name}, seen by Apollo`;
/** @type {import('@apollo/client').TypedDocumentNode<{ updateVehicle: Vehicle }>} */
const rename = gql`
  mutation Rename($id: UUID!, $input: VehicleInput!) {
    updateVehicle(vehicleId: $id, vehicleInput: $input) {
      id
      name
    }
  }
`;
const renamed = await client.mutate({ mutation: rename, variables: { id: first.id, input: { name } } });
assert.equal(renamed.data?.updateVehicle.name, name);

/** @type {import('@apollo/client').TypedDocumentNode<{ getVehicleById: Vehicle }>} */
const byId = gql`
  query Vehicle($id: UUID!) {
    getVehicleById(id: $id) {
      id
      name
    }
  }
`;
const read = await client.query({ query: byId, variables: { id: first.id }, fetchPolicy: 'network-only' });
assert.equal(read.data?.getVehicleById.name, name);
say('renames one and reads it back');

const error = await client
  .query({
    query: gql`
      query Bad {
        getVehicles {
          wheels
        }
      }
    `,
  })
  .then(
    () => assert.fail('a field that does not exist was answered'),
    (/** @type {unknown} */ reason) => reason,
  );
assert.ok(CombinedGraphQLErrors.is(error), String(error));
assert.equal(error.errors[0]?.extensions?.classification, 'ValidationError');
say(`shows its error: ${error.message}`);
client.stop();
