// Thirty typical questions with their tool calls and answers. The golden file shows the text and
// size that a model reads; `-u` updates it.
import { expect, test } from 'vitest';
import { service } from '../../../test/cli/harness.js';
import { connectServer } from './mcp-client.js';

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

const questions: readonly (readonly [question: string, ...calls: readonly Call[]])[] = [
  ['Where is Truck 01?', ['where_is', { vehicles: ['Truck 01'] }]],
  ['Where was Van 02 yesterday at nine?', ['where_is', { vehicles: ['Van 02'], at: 'yesterday 09:00' }]],
  [
    'Which vans idled most yesterday?',
    ['sum_trips', { by: 'vehicle', on: 'yesterday', sort: '-idleSeconds', limit: 3 }],
  ],
  ['How far did the fleet drive yesterday?', ['sum_trips', { by: 'day', on: 'yesterday' }]],
  ['Who drove most yesterday?', ['sum_trips', { by: 'driver', on: 'yesterday', sort: '-distanceKm', limit: 3 }]],
  ['Which group used most fuel yesterday?', ['sum_trips', { by: 'group', on: 'yesterday', sort: '-fuelUsed' }]],
  [
    'Which vehicles did not move yesterday?',
    ['sum_trips', { by: 'vehicle', on: 'yesterday', sort: 'trips', limit: 4 }],
  ],
  ['What did Truck 01 do this morning?', ['list_trips', { vehicles: ['Truck 01'], from: 'today 06:00' }]],
  ['Which trips yesterday were over 50 km?', ['list_trips', { on: 'yesterday', minDistanceKm: 50, limit: 3 }]],
  ['Where did Van 01 stop yesterday?', ['list_stops', { vehicles: ['Van 01'], on: 'yesterday' }]],
  [
    'Who was at the depot in Tartu yesterday?',
    ['find_record', { text: 'Tartu', kind: 'geofence' }],
    ['place_visits', { places: ['Depot Tartu'], on: 'yesterday' }],
  ],
  ['Which van is nearest to Depot Tartu?', ['vehicles_near', { place: 'Depot Tartu', limit: 1 }]],
  [
    'Who was within 5 km of 58.38,26.72 at nine?',
    ['vehicles_near', { place: '58.38,26.72', radius: '5km', at: 'today 09:00' }],
  ],
  ['How many vehicles are moving?', ['fleet_status', { limit: 1 }]],
  ['Which vehicles are idling right now?', ['fleet_status', { status: ['idling'] }]],
  ['Is anyone faster than 80?', ['fleet_status', { speedOverKmh: 80 }]],
  ['Which vehicles are silent?', ['fleet_status', { status: ['stale', 'offline', 'unknown'] }]],
  ['Give me an overview of today.', ['fleet_today', {}]],
  ['Who drove Truck 01 at three in the night?', ['who_drove', { vehicle: 'Truck 01', at: 'today 03:00' }]],
  ['Who is assigned to Van 02?', ['driver_assignments', { vehicles: ['Van 02'] }]],
  ['Whose vehicle is it on Monday: all assignments?', ['driver_assignments', { on: 'today' }]],
  ['What do we know of Van 02?', ['record_details', { kind: 'vehicle', name: 'Van 02' }]],
  ['What is the licence plate of truck 1?', ['find_record', { text: 'truck 01' }]],
  ['Which groups are there?', ['find_record', { kind: 'group' }]],
  ['Which labels are there?', ['find_record', { kind: 'label' }]],
  ['Which reports can you run on safety?', ['run_report', { limit: 2 }]],
  ['Run the speeding report of yesterday.', ['run_report', { report: 'vehicle-speeding', on: 'yesterday', limit: 2 }]],
  [
    'Which event rules are on?',
    ['describe', { name: 'Rule' }],
    ['query', { document: '{ getRules { name enabled ruleType } }' }],
  ],
  ['Where is the lorry?', ['where_is', { vehicles: ['lorry'] }]],
  ['Delete Van 02.', ['query', { document: 'mutation { deleteGroup(groupId: "1") }' }]],
];

test('thirty questions', async () => {
  const { ask } = await connectServer(service({ vehicles: 3 }).fetch);
  const parts: string[] = [];
  for (const [question, ...calls] of questions) {
    parts.push(`# ${question}`);
    for (const [tool, input] of calls) {
      const { text, bytes, isError } = await ask(tool, input);
      expect(bytes).toBeLessThanOrEqual(20_000);
      parts.push(`> ${tool} ${JSON.stringify(input)}\n${isError ? 'error: ' : ''}${text}\n< ${bytes} bytes`);
    }
  }
  expect(questions).toHaveLength(30);
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot('golden/mcp-transcript.txt');
});
