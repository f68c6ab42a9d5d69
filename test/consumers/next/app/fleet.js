// One client for the whole server, so that all its requests take turns and share one session.
import { FleetClient } from 'fleet-telematics';

export const fleet = new FleetClient({
  baseUrl: process.env.FLEET_BASE_URL ?? 'http://fleet.example',
  credentials: { username: 'demo', password: 'demo' },
});
