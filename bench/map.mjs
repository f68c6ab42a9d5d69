// Measures `fleet map` in Chromium (CHROMIUM_PATH) while the map is dragged: frame times and
// memory. Cases: 5,000 vehicles that move once a second, and a track of 50,000 positions.
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

// Next to the package's dist/, where the server looks for its page.
const bundle = fileURLToPath(new URL(`../packages/map/.bench-${process.pid}/map-server.mjs`, import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL('../packages/map/src/map-server.ts', import.meta.url))],
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  logLevel: 'error',
});
const { serveMap } = await import(pathToFileURL(bundle).href);

const vehicles = Number(process.argv[2] ?? 5_000);
const positions = Number(process.argv[3] ?? 50_000);
const seconds = 10;
const start = Date.parse('2026-03-02T00:00:00Z');

/** Repeatable numbers from 0 to below 1. */
let seed = 1;
function random() {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}

const fleet = Array.from({ length: vehicles }, (_, index) => ({
  id: `v${index}`,
  name: `Vehicle ${index}`,
  plate: `${index} ABC`,
  status: index % 10 === 0 ? 'stopped' : 'moving',
  at: start,
  latitude: 48 + random() * 10,
  longitude: 8 + random() * 18,
  speed: 60,
  heading: random() * 360,
  driver: null,
}));

function move() {
  for (const vehicle of fleet) {
    const turned = ((vehicle.heading + (random() - 0.5) * 40 + 360) % 360) * (Math.PI / 180);
    vehicle.heading = (turned * 180) / Math.PI;
    vehicle.latitude += Math.cos(turned) * 0.02;
    vehicle.longitude += Math.sin(turned) * 0.03;
    vehicle.at += 1_000;
  }
}

function day() {
  /**
   * @type {{
   *   start: number, times: number[], latitudes: number[], longitudes: number[], speeds: number[],
   *   breaks: number[]
   * }}
   */
  const track = { start, times: [], latitudes: [4_800_000], longitudes: [800_000], speeds: [], breaks: [] };
  for (let i = 0; i < positions; i++) {
    const turn = i / 700 + random();
    track.times.push(i === 0 ? 0 : Math.max(1, Math.round(86_000 / positions)));
    if (i > 0) track.latitudes.push(Math.round(Math.sin(turn) * 60));
    if (i > 0) track.longitudes.push(Math.round(Math.cos(turn / 3) * 60) + 12);
    track.speeds.push(Math.round(60 + 60 * Math.sin(i / 400)));
  }
  const to = start + 86_400_000 - 1;
  return {
    vehicleId: 'v1',
    from: start,
    to,
    track,
    trips: [],
    stops: [],
    events: [],
    visits: [],
    assigned: null,
    notes: [],
    warnings: [],
  };
}

/** @type {Set<(message: object) => void>} */
const listeners = new Set();
const all = () => [{ kind: 'fleet', at: Date.now(), ageMs: 0, vehicles: fleet }];
const audience = {
  /** @param {(message: object) => void} listener */
  join(listener) {
    listeners.add(listener);
    for (const message of all()) listener(message);
    return () => listeners.delete(listener);
  },
  greeting: all,
};
const server = await serveMap({
  setup: { kind: 'live', title: 'Fleet map', zone: 'UTC', tiles: null, streets: null, everyMs: 1_000 },
  streets: null,
  port: 0,
  token: 'bench',
  opening: null,
  audience,
  read: async (/** @type {string} */ name) => (name === 'day' ? day() : name === 'roads' ? { lines: [] } : []),
  problemOf: (/** @type {unknown} */ error) => ({ message: String(error), hint: null }),
});
await rm(dirname(bundle), { recursive: true });
if (server === null) throw new Error('Run `npm run build` first.');

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-precise-memory-info'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const opened = performance.now();
await page.goto(server.url);
await page.getByText(`${vehicles.toLocaleString('en')} vehicles`).waitFor();
const firstMs = Math.round(performance.now() - opened);

/** @type {object[]} */
const result = [];

/**
 * Returns the page's frame times during an action.
 * @param {string} name
 * @param {() => Promise<unknown>} act
 */
async function measure(name, act) {
  // Text, because it runs in the browser.
  await page.evaluate(`{
    globalThis.frames = [];
    let last = performance.now();
    const step = (now) => {
      globalThis.frames?.push(now - last);
      last = now;
      if (globalThis.frames) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }`);
  await act();
  /** @type {number[]} */
  const frames = await page.evaluate('{ const { frames } = globalThis; globalThis.frames = undefined; frames; }');
  frames.sort((one, other) => one - other);
  if (frames.length === 0) throw new Error(`The page drew no frame: ${name}.`);
  const at = (/** @type {number} */ part) =>
    Math.round(frames.at(Math.min(frames.length - 1, Math.floor(frames.length * part))) ?? Number.NaN);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const perSecond = Math.round((frames.length * 1_000) / frames.reduce((sum, ms) => sum + ms, 0));
  const heap = `${(usedSize / 1e6).toFixed(0)} MB`;
  result.push({ name, 'frames/s': perSecond, 'median ms': at(0.5), '95 % ms': at(0.95), 'worst ms': at(1), heap });
}

async function drag() {
  await page.mouse.move(700, 400);
  await page.mouse.down();
  for (let i = 0; i < seconds * 20; i++) {
    await page.mouse.move(700 + Math.sin(i / 10) * 200, 400 + Math.cos(i / 10) * 100);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await page.mouse.up();
}

const wait = () => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
await measure('standing still', wait);
const moving = setInterval(() => {
  move();
  for (const listener of listeners) listener({ kind: 'changes', at: Date.now(), vehicles: fleet, gone: [] });
}, 1_000);
await measure(`${vehicles} vehicles, each moves once a second`, wait);
await measure('the same, while the map is dragged', drag);
clearInterval(moving);
await page.evaluate("location.hash = '#vehicle=v1&day=2026-03-02'");
const chosen = performance.now();
await page.locator('#legend').waitFor();
const dayMs = Math.round(performance.now() - chosen);
await measure(`a track of ${positions} positions, while the map is dragged`, drag);
await page.getByRole('button', { name: 'Play' }).click();
await measure('the same, while it plays', wait);
await browser.close();
await server.close();
for (const row of result) process.stdout.write(`${JSON.stringify(row)}\n`);
process.stdout.write(`first vehicles after ${firstMs} ms, the day after ${dayMs} ms, Node ${process.version}\n`);
