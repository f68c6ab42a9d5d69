// Problems from the service to the page: translated, and marked as English where there is no
// translation.
import { expect, test } from 'vitest';
import { service } from '../../../test/cli/harness.js';
import { held } from '../../../test/held.js';
import { Language } from '../src/page/words/language.js';
import { outageSentences, problemSentences, textOf } from '../src/page/words/problem-sentences.js';
import type { MapProblem } from '../src/shapes.js';
import { mapOf } from './live-day.js';

const german = new Language('de');
const day = '2026-03-01';

type Mock = ReturnType<typeof service>;

test.each<readonly [what: string, fail: (mock: Mock) => unknown, kind: string, sentence: string]>([
  [
    'a fault of the service',
    ({ faults }) => faults.add({ kind: 'status', status: 500, times: 100, path: '/graphql' }),
    'serviceFailing',
    'Der Dienst ist gestört (HTTP 500).',
  ],
  [
    'a user without permission',
    ({ faults }) => faults.add({ kind: 'status', status: 403, times: 100, path: '/graphql' }),
    'notAllowed',
    'Dieser Benutzer darf das nicht.',
  ],
  [
    'a request that is refused',
    ({ faults }) => faults.add({ kind: 'status', status: 404, times: 100, path: '/graphql' }),
    'requestRefused',
    'Der Dienst lehnt die Anfrage ab (HTTP 404).',
  ],
  [
    'another request of the same user',
    ({ faults }) => faults.add({ kind: 'status', status: 429, times: 100, path: '/graphql' }),
    'serviceBusy',
    'Der Dienst ist mit einer anderen Anfrage desselben Benutzers beschäftigt.',
  ],
  [
    'a login that is refused',
    ({ faults, clock }) => {
      faults.add({ kind: 'status', status: 401, times: 100, path: '/login/token' });
      clock.advance(13 * 3_600_000);
    },
    'loginRefused',
    'Der Dienst lehnt die Anmeldung ab: Prüfen Sie Benutzername und Passwort, und starten Sie `fleet map` neu.',
  ],
])('%s', async (_, fail, kind, sentence) => {
  const mock = service({ vehicles: 3 });
  const map = await mapOf(mock, '--timeout', '300ms');
  fail(mock);
  const problem = await map.problem(map.idOf('Truck 01'), day);
  expect([problem.kind, textOf(problemSentences(problem, german).filter(({ isEnglish }) => !isEnglish))]).toEqual([
    kind,
    sentence,
  ]);
});

test('a service that is silent', async () => {
  const mock = service({ vehicles: 3 });
  const map = await mapOf(mock, '--timeout', '300ms');
  mock.faults.add({ ...held, times: 100, path: '/graphql' });
  const problem = await map.problem(map.idOf('Truck 01'), day);
  expect([problem.kind, textOf(problemSentences(problem, german))]).toEqual([
    'serviceSilent',
    'Der Dienst antwortet nicht rechtzeitig.',
  ]);
});

test('a day that has not begun, and a vehicle that is gone', async () => {
  const map = await mapOf(service({ vehicles: 3 }));
  const future = await map.problem(map.idOf('Truck 01'), '2026-03-09');
  expect([future.kind, textOf(problemSentences(future, german))]).toEqual([
    'dayNotBegun',
    'Dieser Tag hat noch nicht begonnen. Wählen Sie einen früheren.',
  ]);
  // The reference service returns an empty day for an unknown vehicle.
  const { fetch, snapshot } = service({ vehicles: 3 });
  const errors = [{ message: 'No such vehicle', extensions: { classification: 'NOT_FOUND' } }];
  const other = await mapOf({
    snapshot,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const isOfVehicle = (await request.clone().text()).includes('napshots(');
      return isOfVehicle ? Response.json({ data: null, errors }) : fetch(request);
    },
  });
  const gone = await other.problem(other.idOf('Truck 01'), day);
  expect([gone.kind, problemSentences(gone, german)[0]]).toEqual([
    'vehicleGone',
    { text: 'Der Dienst kennt dieses Fahrzeug nicht mehr.', isEnglish: false },
  ]);
});

test('shows the English text of the program for a problem that the page has no words for, or that is of another version', () => {
  const problem: MapProblem = { kind: null, values: {}, details: [], message: 'Odd.', hint: 'Look.' };
  const english = [
    { text: 'Odd.', isEnglish: true },
    { text: 'Look.', isEnglish: true },
  ];
  expect(problemSentences(problem, german)).toEqual(english);
  // A server version that this page does not know.
  const other: MapProblem = JSON.parse(JSON.stringify({ ...problem, kind: 'newKind' }));
  expect(problemSentences(other, german)).toEqual(english);
  const { kind: _, ...older } = problem;
  expect(problemSentences(JSON.parse(JSON.stringify(older)), german)).toEqual(english);
});

test('an outage says when the service is asked again, and what the service said itself is English', () => {
  const problem: MapProblem = {
    kind: 'serviceError',
    values: {},
    details: ['Database is down.'],
    message: 'The service answered with an error. Database is down.',
    hint: null,
  };
  const outage = { kind: 'problem', problem, isOutage: true, isEnd: false } as const;
  expect(outageSentences({ ...outage, waitMs: 61_000 }, german)).toEqual([
    { text: 'Keine neuen Daten.', isEnglish: false },
    { text: 'Der Dienst antwortet mit einem Fehler.', isEnglish: false },
    { text: 'Database is down.', isEnglish: true },
    { text: 'Neuer Versuch in 1 min.', isEnglish: false },
  ]);
  expect(textOf(outageSentences({ ...outage, waitMs: null, isEnd: true }, german))).toBe(
    'Der Dienst antwortet mit einem Fehler. Database is down.',
  );
});
