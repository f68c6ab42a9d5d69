// What a client can read without a tool, and hand to a model: the contract, the words, and today's fleet.
import type { Context } from '../../context/context.js';
import { given, known } from '../../mcp/answer.js';
import { callContext } from '../../mcp/call-context.js';
import { failureText } from '../../mcp/failure.js';
import type { ServedResource } from '../../mcp/served.js';
import { readToday } from './today.js';

export function resources(server: Context): readonly ServedResource[] {
  return [
    {
      uri: 'fleet://contract',
      name: 'contract',
      title: 'The contract of the service',
      description: 'The GraphQL schema that the tool query takes documents of.',
      mimeType: 'application/graphql',
      read: async () => (await import('../../../generated/contract-text.js')).contractText,
    },
    {
      uri: 'fleet://glossary',
      name: 'glossary',
      title: 'ChangeWords of this fleet',
      description: 'What the words and units in the answers mean.',
      mimeType: 'text/markdown',
      read: async () => glossary,
    },
    {
      uri: 'fleet://today',
      name: 'today',
      title: 'The fleet today',
      description: 'Vehicles by status, and what they have driven since midnight.',
      mimeType: 'text/plain',
      async read(signal) {
        const context = callContext(server, { signal: AbortSignal.any([signal, server.io.signal]) });
        try {
          return given(context, known(context, await readToday(context, {}))).text;
        } catch (error) {
          throw new Error(failureText(context, error, null));
        }
      },
    },
  ];
}

const glossary = `# ChangeWords of this fleet

- **moving**: 2 km/h or more. **idling**: the engine is on, the vehicle stands. **stopped**: the engine is off. **stale**: no data for 90 minutes.
  **offline**: no data for 6 hours. **unknown**: no usable data.
- **silent**: stale or offline. A silent vehicle is not a broken one: it may be parked where there is no network.
- **trip**: from the ignition on until it is off for two minutes; where the ignition is not known, from movement to a stop of five minutes.
- **drivingSeconds**: the time of trips in which a vehicle moves. **idleSeconds**: in which it stands with the engine on.
- **distanceKm**: kilometres by the odometer, or by positions where it stands still.
- **fuelUsed**: litres only where fuelBy is canTripFuelUsed; the unit of the other counters is not known.
- **place**: a geofence that somebody has drawn. **where**: the geofence that a position is in, or the nearest one with distance and direction.
- **visit**: the stay of a vehicle in a geofence. enteredAt null: it was there before the period; leftAt null: it was there at its end.
- **driver**: who is assigned to a vehicle now. **identifiedDriver**: who was identified in it by a token. They may differ.
- **group**: has the vehicles of the groups below it too. **label**: a mark on vehicles.
- Speeds are km/h, distances km or metres (M at the end of a name), times in the time zone of the answer.
`;
