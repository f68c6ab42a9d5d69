// @ts-check
// The SDK with default options; it logs in by itself.
import { loadProduct } from '../lib/product.mjs';
import { medium, small } from '../lib/vehicle-queries.mjs';

/** @type {import('./peer.mjs').Open} */
export async function open({ url, credentials }) {
  const { FleetClient } = await loadProduct();
  const fleet = new FleetClient({ baseUrl: url, credentials });
  return {
    vehicleById: (id) => fleet.getVehicleById({ id }, { select: small }),
    vehicles: () => fleet.getVehicles({}, { select: medium }),
    close: () => fleet.close(),
  };
}
