// @ts-check
// Measures the reference service and writes the figures to SERVICE.md: time from start to first answer, requests per second compared with a
// plain node:http server that sends the same bytes, long periods of snapshots, very small and very large fleets.
// `--quick` measures less and writes nothing. The exit code is 1 if a target is missed.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { load, requestBytes } from './lib/load.mjs';
import { buildProduct, documentOf } from './lib/product.mjs';
import { machine, Report } from './lib/report.mjs';
import { startServer } from './lib/server-process.mjs';
import { byTurns, median, shownBytes, shownCount, shownMs } from './lib/stats.mjs';
import { ask, logIn, send } from './lib/wire.mjs';

/** @typedef {import('./lib/server-process.mjs').Server} Server */
/** @typedef {import('./lib/wire.mjs').User} User */
/** @typedef {{ rate: number, cpuMicros: number }} Speed requests per second, and processor time of the server for each */

const quick = process.argv.includes('--quick');
const rounds = quick ? 3 : 7;
const roundMs = quick ? 400 : 1000;
const noon = Date.UTC(2026, 2, 4, 12);
const day = 86_400_000;
const report = new Report();

// The contract allows one active request per user, so the load comes from several users. All of them see the same large fleet.
const names = Array.from({ length: 8 }, (_, place) => `user-${place}`);
const users = names.map((username) => ({ username, password: username, entries: [{ fleet: 'Demo Fleet' }] }));

/** @param {number} vehicles */
const startService = (vehicles) => startServer({ kind: 'service', options: { vehicles, users }, frozenAt: noon });

/** @param {Server} server @returns {Promise<User[]>} */
const everybody = (server) => Promise.all(names.map((name) => logIn(server.url, name)));

/** @param {Server} server @param {readonly Buffer[]} requests @returns {Promise<Speed>} */
async function speed(server, requests) {
  const before = await server.usage();
  const { answers, seconds } = await load(server.port, requests, roundMs);
  const after = await server.usage();
  return { rate: answers / seconds, cpuMicros: ((after.cpuMs - before.cpuMs) * 1000) / answers };
}

/** @param {readonly Speed[]} speeds @returns {Speed} */
const middle = (speeds) => ({
  rate: median(speeds.map(({ rate }) => rate)),
  cpuMicros: median(speeds.map(({ cpuMicros }) => cpuMicros)),
});

/** @param {readonly Speed[]} some @param {readonly Speed[]} others */
const ratio = (some, others) => median(some.map(({ rate }, round) => rate / (others[round]?.rate ?? Number.NaN)));

const leaves = 'id name vin licensePlate make model year deactivated';
const smallById = `query getVehicleById($id: UUID!) { getVehicleById(id: $id) { ${leaves} } }`;
const smallList = `query getVehicles { getVehicles { ${leaves} } }`;

report.text('# The reference service in figures');
report.text('');
report.text(`${machine()}. Medians of ${rounds} rounds that take turns; compare ratios, not absolute figures, with`);
report.text('another machine. `npm run bench:service` in this folder measures again.');

buildProduct();
await startToFirstAnswer();
await againstPlainHttp();
await longPeriods();
await fleetSizes();

if (report.missed.length > 0) process.stderr.write(`missed: ${report.missed.join('; ')}\n`);
if (!quick) report.write(new URL('SERVICE.md', import.meta.url));
process.exitCode = report.missed.length > 0 ? 1 : 0;

async function startToFirstAnswer() {
  const program = fileURLToPath(new URL('first-answer.mjs', import.meta.url));
  /** @param {readonly string[]} args */
  const run = (args) => {
    const begun = performance.now();
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
    return { wall: performance.now() - begun, printed };
  };
  const steps = /** @type {const} */ (['begun', 'loaded', 'listening', 'loggedIn', 'answered']);
  const { bare, service } = await byTurns(quick ? 5 : 15, {
    bare: async () => run(['-e', '0']),
    service: async () => run([program, '25']),
  });
  const parsed = service.map(({ printed }) => JSON.parse(printed));
  /** @type {Record<string, number>} */
  const at = Object.fromEntries(steps.map((step) => [step, median(parsed.map((one) => one[step]))]));
  const of = (/** @type {string} */ step) => at[step] ?? Number.NaN;
  report.text('');
  report.text('## Start to first answer');
  report.text('');
  report.text(
    'A fresh process with 25 vehicles: it loads the service, listens, logs in over HTTP and lists the vehicles.',
  );
  report.table(
    ['step', 'took', 'since the process began'],
    [
      ['node itself, until the first line runs', shownMs(of('begun')), shownMs(of('begun'))],
      ['loading `fleet-telematics/mock`', shownMs(of('loaded') - of('begun')), shownMs(of('loaded'))],
      ['createMockService and listen', shownMs(of('listening') - of('loaded')), shownMs(of('listening'))],
      ['login and userinfo', shownMs(of('loggedIn') - of('listening')), shownMs(of('loggedIn'))],
      ['first query', shownMs(of('answered') - of('loggedIn')), shownMs(of('answered'))],
    ],
  );
  const walls = service.map(({ wall }, round) => wall / (bare[round]?.wall ?? Number.NaN));
  report.text(`The whole process takes ${median(walls).toFixed(1)} times as long as \`node -e 0\`.`);
  report.text(report.target('Target: the service is ready within 250 ms of process start', of('listening') < 250));
}

async function againstPlainHttp() {
  const service = await startService(1000);
  const plain = await startServer({ kind: 'plain' });
  const people = await everybody(service);
  const [first] = people;
  if (first === undefined) throw new Error('nobody could log in');
  /** @type {{ data: { getVehicles: { id: string }[] } }} */
  const { data } = await ask(first, '{ getVehicles { id } }');
  const ids = data.getVehicles.map(({ id }) => id);
  const cases = [
    { name: 'getVehicleById, 8 fields', query: smallById, each: names.length, target: 1 / 3 },
    {
      name: 'getVehicleById, as the SDK asks',
      query: await documentOf('getVehicleById'),
      each: names.length,
      target: null,
    },
    { name: 'getVehicles, 1,000 vehicles, 8 fields', query: smallList, each: 2, target: null },
    {
      name: 'getVehicles, 1,000 vehicles, as the SDK asks',
      query: await documentOf('getVehicles'),
      each: 2,
      target: null,
    },
  ];
  const rows = [];
  const targets = [];
  for (const { name, query, each, target } of cases) {
    const asked = people.slice(0, each).map((user, place) => ({
      user,
      body: JSON.stringify({ query, variables: query.includes('$id') ? { id: ids[place * 7] } : {} }),
    }));
    const answers = [];
    for (const { user, body } of asked) {
      const { status, type, text } = await send(`${service.url}/graphql`, { headers: user.headers, body });
      if (status !== 200 || text.includes('"errors"')) throw new Error(`${name} answered ${status}`);
      answers.push({ type, body: text });
    }
    await plain.answerWith(answers);
    const toService = asked.map(({ user, body }) => requestBytes('/graphql', user.headers, body));
    const toPlain = asked.map(({ user, body }, place) => requestBytes(`/${place}`, user.headers, body));
    // Once for nothing: both have compiled what they run often before anything counts.
    await speed(plain, toPlain);
    await speed(service, toService);
    const speeds = await byTurns(rounds, {
      plain: () => speed(plain, toPlain),
      service: () => speed(service, toService),
    });
    const [one, other] = [middle(speeds.service), middle(speeds.plain)];
    const reached = ratio(speeds.service, speeds.plain);
    rows.push([
      name,
      shownBytes(median(answers.map(({ body }) => Buffer.byteLength(body)))),
      shownCount(one.rate),
      shownCount(other.rate),
      reached.toFixed(2),
      `${shownCount(one.cpuMicros)} µs`,
      `${shownCount(other.cpuMicros)} µs`,
    ]);
    if (target !== null)
      targets.push(report.target('Target: by id at least a third of plain node:http', reached >= target));
  }
  await Promise.all([service.stop(), plain.stop()]);
  report.text('');
  report.text('## Requests per second against plain node:http');
  report.text('');
  report.text(
    'The plain server reads the body of the request and answers with the very bytes the service would send. Each runs',
  );
  report.text(`in a process of its own under the same load: ${names.length} users at once, 2 for the lists.`);
  report.table(['query', 'answer', 'service/s', 'plain/s', 'ratio', 'CPU each', 'CPU plain'], rows);
  for (const line of targets) report.text(line);
}

async function longPeriods() {
  const query = await documentOf('getSnapshots');
  const rows = [];
  for (const [name, days] of /** @type {const} */ ([
    ['none', 0],
    ['a day', 1],
    ['a month', 30],
    ['a year', 365],
  ])) {
    const server = await startService(25);
    const [user, other] = await everybody(server);
    if (user === undefined || other === undefined) throw new Error('nobody could log in');
    /** @type {{ data: { getVehicles: { id: string, vehicleType: { name: string } }[] } }} */
    const { data } = await ask(user, '{ getVehicles { id vehicleType { name } } }');
    const truck = data.getVehicles.find(({ vehicleType }) => vehicleType.name === 'Truck');
    const to = noon;
    const period = {
      vehicleId: truck?.id,
      from: new Date(to - days * day).toISOString(),
      to: new Date(to).toISOString(),
    };
    // Rows are told apart by a field that each has once.
    const mark = Buffer.from('"locationTimeZone"');
    let counted = 0;
    let tail = Buffer.alloc(0);
    const begun = performance.now();
    const before = await server.usage();
    let over = false;
    const waits = othersWait(other, truck?.id ?? '', () => over);
    const { status, bytes } = await send(`${server.url}/graphql`, {
      headers: user.headers,
      body: JSON.stringify({ query, variables: period }),
      onChunk(chunk) {
        const all = Buffer.concat([tail, chunk]);
        for (let at = all.indexOf(mark); at >= 0; at = all.indexOf(mark, at + mark.length)) counted += 1;
        tail = all.subarray(Math.max(all.lastIndexOf(mark) + mark.length, all.length - mark.length + 1));
      },
    });
    const took = performance.now() - begun;
    over = true;
    const waited = await waits;
    if (status !== 200) throw new Error(`getSnapshots answered ${status}`);
    const after = await server.usage();
    await server.stop();
    const cpu = after.cpuMs - before.cpuMs;
    rows.push([
      name,
      shownCount(counted),
      shownBytes(bytes),
      shownMs(took),
      counted === 0 ? '' : `${((cpu * 1000) / counted).toFixed(1)} µs`,
      shownBytes(after.peakBytes),
      shownMs(Math.max(...waited)),
    ]);
  }
  report.text('');
  report.text('## getSnapshots of one truck');
  report.text('');
  report.text(
    'Every field the SDK asks for, each period from a fresh process. The first row asks for nothing: the memory of a',
  );
  report.text('service that has only started. Meanwhile another user asks for a vehicle by id, again and again.');
  report.table(['period', 'rows', 'answer', 'time', 'CPU a row', 'peak memory', "another user's longest wait"], rows);
}

/**
 * How long somebody else's small queries took, one after the other, until it is over.
 * @param {User} user
 * @param {string} id
 * @param {() => boolean} isOver
 */
async function othersWait(user, id, isOver) {
  const waited = [];
  do {
    const begun = performance.now();
    await ask(user, smallById, { id });
    waited.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 5));
  } while (!isOver());
  return waited;
}

async function fleetSizes() {
  /** @param {number} vehicles */
  const begin = async (vehicles) => {
    const launched = performance.now();
    const server = await startService(vehicles);
    const people = await everybody(server);
    const [user] = people;
    if (user === undefined) throw new Error('nobody could log in');
    const ready = performance.now() - launched;
    /** @param {string} query @param {object} [variables] */
    const timed = async (query, variables) => {
      const begun = performance.now();
      const { text, bytes } = await ask(user, query, variables);
      return { ms: performance.now() - begun, text, bytes };
    };
    const nobody = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
    const firstById = await timed(smallById, { id: nobody });
    const started = performance.now() - launched;
    const startPeak = (await server.usage()).peakBytes;
    const list = await timed('{ getVehicles { id vin assignedDevices { id serial } } }');
    const wholeList = await timed(smallList);
    const peopleList = await timed('{ getPeople { id } }');
    const { peakBytes } = await server.usage();
    /** @type {{ id: string, vin: string, assignedDevices: { id: string, serial: string }[] }[]} */
    const vehicles_ = JSON.parse(list.text).data.getVehicles;
    /** @type {{ id: string }[]} */
    const persons = JSON.parse(peopleList.text).data.getPeople;
    const some = names.map((_, place) => Math.floor(((place + 0.5) * vehicles_.length) / names.length));
    const chosen = some.map((place) => vehicles_[place]);
    const withDevice = vehicles_.filter(({ assignedDevices }) => assignedDevices.length > 0);
    const lookUps = {
      'vehicle by id': { query: smallById, variables: chosen.map((vehicle) => ({ id: vehicle?.id })) },
      'vehicle by VIN': {
        query: `query getVehiclesByVin($vin: String!) { getVehiclesByVin(vin: $vin) { ${leaves} } }`,
        variables: chosen.map((vehicle) => ({ vin: vehicle?.vin })),
      },
      'device by serial': {
        query: 'query getDevicesBySerial($serial: String!) { getDevicesBySerial(serial: $serial) { id enabled } }',
        variables: some.map((place) => ({
          serial: withDevice[place % withDevice.length]?.assignedDevices[0]?.serial,
        })),
      },
      'person by id': {
        query: 'query getPersonById($id: UUID!) { getPersonById(id: $id) { id firstName lastName } }',
        variables: some.map((place) => ({ id: persons[place % persons.length]?.id })),
      },
      'assignments of a vehicle': {
        query:
          'query getDriverAssignments($id: UUID!) { getDriverAssignments(input: { vehicleId: $id }) { id driverId startedAt } }',
        variables: chosen.map((vehicle) => ({ id: vehicle?.id })),
      },
      'vehicle with its newest snapshot': {
        query:
          'query getVehicleById($id: UUID!) { getVehicleById(id: $id) { id lastData { timestamp gps { speed } } } }',
        variables: chosen.map((vehicle) => ({ id: vehicle?.id })),
      },
      'vehicle with its groups': {
        query: 'query getVehicleById($id: UUID!) { getVehicleById(id: $id) { id assignedGroups { id name } } }',
        variables: chosen.map((vehicle) => ({ id: vehicle?.id })),
      },
    };
    const requests = Object.fromEntries(
      Object.entries(lookUps).map(([name, { query, variables }]) => [
        name,
        people.map((person, place) =>
          requestBytes('/graphql', person.headers, JSON.stringify({ query, variables: variables[place] })),
        ),
      ]),
    );
    return { server, started, ready, startPeak, firstById, wholeList, peakBytes, requests };
  };
  const small = await begin(10);
  const large = await begin(100_000);

  const rows = [];
  /** @type {number[]} */
  const slowest = [];
  for (const name of Object.keys(small.requests)) {
    const [few, many] = [small.requests[name] ?? [], large.requests[name] ?? []];
    // The first look-up of its kind builds the index it needs.
    await speed(small.server, few);
    await speed(large.server, many);
    const speeds = await byTurns(rounds, {
      small: () => speed(small.server, few),
      large: () => speed(large.server, many),
    });
    const reached = ratio(speeds.large, speeds.small);
    if (name === 'vehicle by id') slowest.push(reached);
    rows.push([name, shownCount(middle(speeds.small).rate), shownCount(middle(speeds.large).rate), reached.toFixed(2)]);
  }
  const [smallPeak, largePeak] = [(await small.server.usage()).peakBytes, (await large.server.usage()).peakBytes];
  await Promise.all([small.server.stop(), large.server.stop()]);

  report.text('');
  report.text('## Fleets of 10 and of 100,000 vehicles');
  report.table(
    ['', '10', '100,000'],
    [
      ['process start to first look-up by id answered', shownMs(small.started), shownMs(large.started)],
      ['of it: that first look-up, which makes the fleet', shownMs(small.firstById.ms), shownMs(large.firstById.ms)],
      ['peak memory by then', shownBytes(small.startPeak), shownBytes(large.startPeak)],
      ['getVehicles, 8 fields', shownMs(small.wholeList.ms), shownMs(large.wholeList.ms)],
      ['its answer', shownBytes(small.wholeList.bytes), shownBytes(large.wholeList.bytes)],
      ['peak memory with vehicles and people listed', shownBytes(small.peakBytes), shownBytes(large.peakBytes)],
      ['peak memory after all look-ups below', shownBytes(smallPeak), shownBytes(largePeak)],
    ],
  );
  report.table(['look-ups per second', '10', '100,000', 'ratio'], rows);
  report.text(report.target('Target: 100,000 vehicles start within 3 s', large.started < 3000));
  report.text('');
  report.text(report.target('Target: 100,000 vehicles start and list within 1 GiB', large.peakBytes < 1024 ** 3));
  report.text('');
  report.text(
    report.target('Target: look-ups by id do not get slower with the fleet (0.8 or more)', (slowest[0] ?? 0) >= 0.8),
  );
}
