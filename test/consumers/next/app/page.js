import { fleet } from './fleet.js';

export const dynamic = 'force-dynamic';

export default async function Page() {
  const vehicles = await fleet.getVehicles();
  return <p>{`${vehicles.length} vehicles`}</p>;
}
