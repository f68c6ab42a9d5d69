// @ts-check
// The process under test in a soak: clients of several users, each with several callers that make random calls until the time is over.
// Between two rounds all callers pause, and the memory and the handles that are then in use are measured. At the end the clients are
// closed, and the process must end by itself.
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadProduct } from '../lib/product.mjs';
import { dice as makeDice } from './dice.mjs';

/** @typedef {import('../../dist/index.js').FleetClient} FleetClient */
/** @typedef {{ url: string, seed: number, endsAt: number, everyMs: number }} Orders */
/**
 * What is left when nothing is under way.
 * @typedef {object} Rest
 * @property {number} heapBytes
 * @property {number} rssBytes
 * @property {Record<string, number>} resources what keeps the event loop alive, by type
 * @property {number} listeners on the one signal that all calls are given
 */
/**
 * @typedef {object} Told
 * @property {'rest' | 'closed'} what
 * @property {Rest} rest
 * @property {Record<string, number>} outcomes how often each kind of call ended how
 * @property {number} twice changes that were made more than once
 * @property {readonly string[]} strange what no caller should ever meet
 */

/** @type {Orders} */
const { url, seed, endsAt, everyMs } = JSON.parse(process.argv[2] ?? '{}');
const { gc } = globalThis;
if (!gc) throw new Error('run with --expose-gc');

const { FleetClient, FleetError } = await loadProduct();

let ahead = 0;
const clock = { now: () => Date.now() + ahead };
process.on('message', (/** @type {{ advance: number }} */ { advance }) => {
  ahead += advance;
});
// The channel to the parent must not keep the process alive.
process.channel?.unref();
// The stderr pipe, which Node creates on first use, must not keep it alive either.
void process.stderr;
const fromTheStart = process.getActiveResourcesInfo();

/** @type {Record<string, number>} */
const outcomes = {};
/** @type {string[]} */
const strange = [];
let twice = 0;
const note = (/** @type {string} */ what) => {
  if (strange.length < 20) strange.push(what);
};
process.on('unhandledRejection', (error) => note(`unhandled: ${String(error)}`));
process.on('warning', (warning) => note(`warning: ${warning.name} ${warning.message}`));

/** One signal for all calls: what they leave on it is a leak. */
const everybody = new AbortController();

/**
 * Waits for a call and counts how it ended.
 * @template T
 * @param {string} kind
 * @param {Promise<T>} call
 * @returns {Promise<T | null>} null when it failed
 */
async function settled(kind, call) {
  let outcome = 'done';
  try {
    return await call;
  } catch (error) {
    if (error instanceof FleetError) outcome = error.code;
    else {
      outcome = 'not a FleetError';
      note(`${kind}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    return null;
  } finally {
    const name = `${kind} ${outcome}`;
    outcomes[name] = (outcomes[name] ?? 0) + 1;
  }
}

/** @param {string} username */
const open = (username) =>
  new FleetClient({
    baseUrl: url,
    credentials: { username, password: username },
    clock,
    timeoutMs: 10_000,
    retry: { baseDelayMs: 5, maxDelayMs: 100 },
  });

/** A caller: does one thing after another, chosen by dice of its own. */
class Caller {
  /** @param {FleetClient} fleet @param {string} name @param {number} seed */
  constructor(fleet, name, seed) {
    this.fleet = fleet;
    this.name = name;
    this.dice = makeDice(seed);
    /** @type {string[]} */
    this.ids = [];
    /** @type {string[]} names of groups that may exist */
    this.groups = [];
    this.made = 0;
  }

  async doOne() {
    const { dice } = this;
    if (this.ids.length === 0) {
      const vehicles = await settled(
        'list',
        this.fleet.getVehicles({}, { signal: everybody.signal, select: { id: true } }),
      );
      this.ids = vehicles?.flatMap(({ id }) => (id === null ? [] : [id])) ?? [];
      return;
    }
    const chance = dice.roll();
    if (chance < 0.4) await this.lookUp();
    else if (chance < 0.5) await settled('list', this.fleet.getVehicles({}, { signal: everybody.signal }));
    else if (chance < 0.7) await this.change();
    else if (chance < 0.78) await this.stream();
    else if (chance < 0.86) await this.leave();
    else if (chance < 0.94) await this.hurry();
    else if (chance < 0.97) await settled('wrong document', this.fleet.request('{ getNothing { id } }'));
    else await settled('users', this.fleet.listUsers({ signal: everybody.signal }));
  }

  async lookUp() {
    const calls = Array.from({ length: 1 + this.dice.upTo(30) }, () =>
      settled('look-up', this.fleet.getVehicleById({ id: this.dice.pick(this.ids) }, { signal: everybody.signal })),
    );
    await Promise.all(calls);
  }

  /** Makes a group, looks how many of that name there are, and removes them. */
  async change() {
    const name = `${this.name} ${this.made++}`;
    this.groups.push(name);
    const input = { createGroupInput: { name } };
    await settled('mutation', this.fleet.createGroup(input, { signal: everybody.signal, select: { id: true } }));
    const groups = await settled('list', this.fleet.getGroups({}, { select: { id: true, name: true } }));
    for (const made of [...this.groups]) {
      const found = groups?.filter((group) => group.name === made) ?? [];
      if (found.length > 1) twice++;
      for (const { id } of found) if (id !== null) await settled('mutation', this.fleet.deleteGroup({ groupId: id }));
    }
    // What could not be removed, because something went wrong on the way, is looked for again.
    if (groups) this.groups = this.groups.filter((made) => groups.some((group) => group.name === made)).slice(-5);
  }

  async stream() {
    const to = new Date(clock.now());
    const from = new Date(to.getTime() - (1 + this.dice.upTo(4)) * 3_600_000);
    const period = { vehicleId: this.dice.pick(this.ids), from, to };
    const read = async () => {
      const stopAfter = this.dice.roll() < 0.3 ? this.dice.upTo(50) : Number.POSITIVE_INFINITY;
      let rows = 0;
      for await (const _ of this.fleet.streamSnapshots(period, { signal: everybody.signal })) {
        rows++;
        if (rows === 10) await settled('look-up', this.fleet.getVehicleById({ id: period.vehicleId }));
        if (rows > stopAfter) break;
      }
    };
    await settled('stream', read());
  }

  /** Somebody who changes their mind, before or after the request has left. */
  async leave() {
    const leaving = new AbortController();
    const { signal } = leaving;
    const id = this.dice.pick(this.ids);
    const calls = [
      settled('abort: query', this.fleet.getVehicleById({ id }, { signal })),
      settled(
        'abort: mutation',
        this.fleet.updateVehicle({ vehicleId: id, vehicleInput: { name: 'soak' } }, { signal }),
      ),
    ];
    await sleep(this.dice.upTo(40));
    leaving.abort();
    await Promise.all(calls);
  }

  /** Somebody who allows too little time. */
  async hurry() {
    const id = this.dice.pick(this.ids);
    const timeoutMs = 1 + this.dice.upTo(40);
    await Promise.all([
      settled('timeout: query', this.fleet.getVehicleById({ id }, { timeoutMs })),
      settled('timeout: list', this.fleet.getPeople({}, { timeoutMs, signal: everybody.signal })),
    ]);
  }
}

/** A client that is opened, used and closed while it is busy. */
async function comeAndGo() {
  const fleet = open('limited');
  const calls = Array.from({ length: 5 }, () =>
    settled('closed client', fleet.getVehicles({}, { select: { id: true } })),
  );
  await sleep(20);
  await fleet.close();
  await Promise.all(calls);
}

/** @returns {Promise<Rest>} */
async function rest() {
  // Finalizers run in turns of their own.
  for (let i = 0; i < 3; i++) {
    gc?.();
    await sleep(20);
  }
  const { heapUsed, rss } = process.memoryUsage();
  /** @type {Record<string, number>} */
  const resources = {};
  for (const type of process.getActiveResourcesInfo()) resources[type] = (resources[type] ?? 0) + 1;
  for (const type of fromTheStart) {
    const others = (resources[type] ?? 0) - 1;
    if (others > 0) resources[type] = others;
    else delete resources[type];
  }
  return {
    heapBytes: heapUsed,
    rssBytes: rss,
    resources,
    listeners: getEventListeners(everybody.signal, 'abort').length,
  };
}

/** @param {Told['what']} what */
async function tell(what) {
  /** @type {Told} */
  const told = { what, rest: await rest(), outcomes, twice, strange };
  await new Promise((resolve) => process.send?.(told, resolve));
}

const demo = open('demo');
const multi = open('multi');
const limited = open('limited');
const clients = [demo, multi, limited];
const users = [
  demo,
  limited,
  ...['North Fleet', 'South Fleet', 'West Fleet'].map((fleetName) => multi.as({ fleetName })),
];
const callers = users.flatMap((fleet, user) =>
  [0, 1, 2].map((place) => new Caller(fleet, `soak ${seed} ${user}-${place}`, seed + 97 * user + place)),
);

while (Date.now() < endsAt) {
  const restAt = Math.min(endsAt, Date.now() + everyMs);
  await Promise.all([
    ...callers.map(async (caller) => {
      while (Date.now() < restAt) {
        await caller.doOne();
        // People and scripts pause too; and the machine is left to others.
        await sleep(caller.dice.upTo(80));
      }
    }),
    (async () => {
      while (Date.now() < restAt) {
        await comeAndGo();
        await sleep(500);
      }
    })(),
  ]);
  await tell('rest');
}
for (const fleet of clients) await fleet.close();
await tell('closed');
