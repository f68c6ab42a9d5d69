import { FleetError } from 'fleet-telematics';
import { fleet } from '../../fleet.js';

export async function GET(request) {
  try {
    return Response.json(await fleet.getVehicles({}, { signal: request.signal }));
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    return Response.json({ code: error.code }, { status: 502 });
  }
}
