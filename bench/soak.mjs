// @ts-check
// A soak test: several users make mixed calls for minutes, with faults, expiring tokens, aborts and timeouts. The service, the clients and
// the fault injection each have a process of their own. Every 30 seconds it prints the memory in use and the open handles while nothing is
// active. The exit code is 1 if memory or handles leak, a change is made twice, or a process does not end.
//   node bench/soak.mjs [--minutes 10] [--seed 1]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildProduct } from './lib/product.mjs';
import { Report } from './lib/report.mjs';
import { median } from './lib/stats.mjs';
import { dice } from './soak/dice.mjs';
import { startService } from './soak/service-process.mjs';
import { makeTrouble } from './soak/trouble.mjs';

const { values: said } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const minutes = Number(said.minutes);
const seed = Number(said.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  process.stderr.write('usage: node bench/soak.mjs [--minutes 10] [--seed 1]\n');
  process.exit(2);
}
const soakMs = minutes * 60_000;
// A short soak looks as often as a long one, but not for longer than it lasts.
const everyMs = Math.min(30_000, soakMs / 9);
const ENDS_WITHIN_MS = 5_000;

buildProduct();
const report = new Report();
const server = await startService({ vehicles: 25, latencyMs: 3, seed });
const begun = Date.now();
const orders = { url: server.url, seed, endsAt: begun + soakMs, everyMs };
const child = fork(fileURLToPath(new URL('soak/clients.mjs', import.meta.url)), [JSON.stringify(orders)], {
  execArgv: ['--expose-gc'],
});
const ended = once(child, 'exit');

/** @typedef {import('./soak/clients.mjs').Told} Told */
/** @type {Told[]} */
const told = [];
/** @type {Told | null} */
let last = null;
const closed = new Promise((resolve) => {
  child.on('message', (/** @type {Told} */ message) => {
    if (message.what === 'rest') void say(message);
    else resolve(message);
    last = message;
  });
});

const mib = (/** @type {number} */ bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
const list = (/** @type {Record<string, number>} */ counts) =>
  Object.entries(counts)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** @param {Told} message */
async function say(message) {
  told.push(message);
  const { heapBytes, rssBytes, resources, listeners } = message.rest;
  const { sockets, rssBytes: itsBytes } = await server.held();
  const at = Math.round((Date.now() - begun) / 1000);
  const open = `sockets at the service ${sockets}, its memory ${mib(itsBytes)}`;
  report.text(
    `${String(at).padStart(4)} s  heap ${mib(heapBytes)}, resident ${mib(rssBytes)}, active: ${list(resources) || 'nothing'}, listeners ${listeners}, ${open}`,
  );
}

report.text(`Soak of ${minutes} min, seed ${seed}.`);
const stop = new AbortController();
const trouble = makeTrouble(
  server.url,
  dice(seed),
  (advance) => child.connected && child.send({ advance }),
  stop.signal,
);
await Promise.race([closed, ended]);
stop.abort();
const made = await trouble;

const exit = await Promise.race([ended, sleep(ENDS_WITHIN_MS, null, { ref: false })]);
if (exit === null) child.kill('SIGKILL');
// The other ends of the sockets are heard of a moment later.
let { sockets } = await server.held();
for (let i = 0; i < 20 && sockets > 0; i++) {
  await sleep(50);
  ({ sockets } = await server.held());
}
await server.stop();

/** @type {Told | null} */
const final = last;
if (final === null) throw new Error('the clients said nothing');
const { outcomes, twice, strange, rest, what } = /** @type {Told} */ (final);
const calls = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
report.text('');
report.text(`Trouble: ${list(made)}.`);
report.text(`${calls} calls: ${list(outcomes)}.`);
for (const one of strange) report.text(`strange: ${one}`);

const heaps = told.map((one) => one.rest.heapBytes);
const third = Math.floor(heaps.length / 3);
const middle = median(heaps.slice(third, 2 * third));
const end = median(heaps.slice(2 * third));
const growth = end / middle - 1;
const most = (/** @type {(one: Told) => number} */ of) => Math.max(0, ...told.map(of));
const timers = most((one) => one.rest.resources.Timeout ?? 0);
const left = Object.values(rest.resources).reduce((sum, count) => sum + count, 0);
report.text('');
for (const line of [
  report.target(`heap flat: ${mib(middle)} in the middle third, ${mib(end)} in the last (10 % at most)`, growth <= 0.1),
  report.target(`no timer at rest (most: ${timers})`, timers === 0),
  report.target('no listener left on a signal that lives on', most((one) => one.rest.listeners) === 0),
  report.target(
    `after close nothing is active (${list(rest.resources) || 'nothing'})`,
    what === 'closed' && left === 0,
  ),
  report.target(`after close no socket is open at the service (${sockets})`, sockets === 0),
  report.target('the process ended by itself, with 0', exit?.[0] === 0),
  report.target(`nothing was made twice (${twice})`, twice === 0),
  report.target(`nothing unhandled, nothing but FleetErrors (${strange.length} strange)`, strange.length === 0),
]) {
  report.text(`- ${line}`);
}
process.exitCode = report.missed.length === 0 ? 0 : 1;
