// @ts-check
// The interface that every compared client implements.
import { byIdDocument, listDocument } from '../lib/vehicle-queries.mjs';

/**
 * @typedef {object} Target the service; clients other than the SDK get a token, because they do not
 * log in
 * @property {string} url
 * @property {Record<string, string>} headers
 * @property {{ username: string, password: string }} credentials
 */
/**
 * @typedef {object} Client
 * @property {(id: string) => Promise<unknown>} vehicleById one vehicle, eight fields; rejects when
 * the service refuses
 * @property {() => Promise<unknown>} vehicles all of them, some more fields
 * @property {() => Promise<void>} [close]
 */
/** @typedef {(target: Target) => Client | Promise<Client>} Open */

/**
 * Creates a client from a function that sends documents.
 * @param {(document: string, variables: Record<string, unknown>) => Promise<unknown>} ask
 * @returns {Client}
 */
export const asking = (ask) => ({
  vehicleById: (id) => ask(byIdDocument, { id }),
  vehicles: () => ask(listDocument, {}),
});

/** @param {Target} target */
export const graphqlUrl = ({ url }) => `${url}/graphql`;
