// The page of `fleet map` as a person meets it: the built command line before the built service, in a real browser that can reach nothing
// else; and the file that can be mailed, opened from disk.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FleetClient } from 'fleet-telematics';
import { createMockService, type Listening, type MockService } from 'fleet-telematics/mock';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { clock } from '../moment.js';
import { type Chromium, launchChromium, type Watched } from './chromium.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let chromium: Chromium;
let service: MockService;
let server: Listening;
let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-map-'));
  service = createMockService({ clock });
  server = await service.listen({ port: 0 });
});
afterEach(async () => {
  await chromium.closePages();
  for (const child of children.splice(0)) child.kill();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function fleet(...words: readonly string[]): ChildProcess {
  const env = {
    ...process.env,
    FLEET_BASE_URL: server.url,
    FLEET_USERNAME: 'demo',
    FLEET_PASSWORD: 'demo',
    FLEET_CONFIG_DIR: folder,
    TZ: 'Europe/Tallinn',
  };
  const child = spawn(process.execPath, [join(root, 'bin/fleet.js'), ...words], { env });
  children.push(child);
  return child;
}

/** Starts `fleet map`; returns the address that it prints. */
function startMap(...flags: readonly string[]): Promise<string> {
  const child = fleet('map', '--every', '1s', ...flags);
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('exit', (code) => reject(new Error(`fleet map ended with ${code}`)));
  });
}

async function writeMap(...flags: readonly string[]): Promise<string> {
  const file = join(folder, 'map.html');
  const child = fleet('map', '--file', file, ...flags);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code).toBe(0);
  return pathToFileURL(file).href;
}

async function open(url: string): Promise<Watched> {
  const { protocol, origin } = new URL(url);
  const watched = await chromium.open(protocol === 'file:' ? 'null' : origin);
  if (protocol === 'file:') await watched.page.context().setOffline(true);
  await watched.page.goto(url);
  await watched.page.locator('#count', { hasText: 'vehicle' }).waitFor();
  await rows(watched.page).first().waitFor();
  return watched;
}

const rows = (page: Page) => page.getByRole('listbox').getByRole('option');
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
const panel = (page: Page) => page.locator('#panel');
const fact = (page: Page, name: string) => panel(page).locator(`dt:text-is("${name}") + dd`);

/** What axe finds that is serious or worse. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  // Colours change gradually, and contrast is measured of what is drawn.
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
  const found: { id: string; impact: string; nodes: { html: string }[] }[] = await page.evaluate(
    'axe.run().then(({ violations }) => violations)',
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

function isClean({ complaints, strays, refusals }: Watched): void {
  expect({ complaints, strays, refusals }).toEqual({ complaints: [], strays: [], refusals: [] });
}

test('a vehicle moves on the page when the clock is moved; a hidden page leaves the service alone', async ({
  annotate,
}) => {
  const url = await startMap();
  const begun = performance.now();
  const watched = await open(url);
  const { page } = watched;
  await annotate(`first vehicles after ${Math.round(performance.now() - begun)} ms`);
  expect(await page.locator('#count').textContent()).toBe('25 vehicles');
  await page.getByText('Live · 11:30:00 Europe/Tallinn').waitFor();
  await row(page, 'Truck 05').click();
  const before = await fact(page, 'Position').textContent();
  const picture = await page.locator('#map').screenshot();
  service.clock.advance(240_000);
  await page.getByText('Live · 11:34:0').waitFor();
  await expect.poll(() => fact(page, 'Position').textContent()).not.toBe(before);
  expect((await page.locator('#map').screenshot()).equals(picture)).toBe(false);

  const hide = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  await hide(true);
  await page.getByText('Paused while hidden').waitFor();
  service.clock.advance(60_000);
  await hide(false);
  await page.getByText('Live · 11:35:0').waitFor();
  isClean(watched);
});

test('search, filter, sort and choose by keyboard; the link brings everything back', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await page.getByLabel('Search by name').fill('van');
  await expect.poll(() => page.locator('#count').textContent()).toMatch(/^\d+ of 25 vehicles$/);
  expect((await rows(page).locator('.name').allTextContents()).every((name) => name.startsWith('Van'))).toBe(true);
  await page.getByLabel('Search by name').fill('');
  await page.getByRole('button', { name: /^moving/ }).click();
  await expect.poll(() => rows(page).locator('.status').allTextContents()).not.toContain('stopped');
  await page.getByLabel('Sort by').selectOption('Speed');
  const speeds = (await rows(page).locator('.value').allTextContents()).map((text) => Number.parseInt(text, 10));
  expect(speeds).toEqual([...speeds].sort((one, other) => other - one));

  await page.getByRole('listbox', { name: 'Vehicles' }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const name = (await rows(page).locator('.name').allTextContents()).at(-2) ?? '';
  await panel(page).getByRole('heading', { name }).waitFor();
  await panel(page)
    .getByText(/^\d+ trips? ·/)
    .waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('panel-title');

  await page.getByLabel('Day', { exact: true }).fill('2026-02-27');
  await panel(page)
    .getByText(/^\d+ trips? ·/)
    .waitFor();
  await page.getByRole('slider').focus();
  await page.keyboard.press('PageDown');
  await page.waitForFunction("location.hash.includes('at=')");
  const hash: string = await page.evaluate('location.hash');
  expect(hash).toMatch(/^#vehicle=[\w-]+&day=2026-02-27&at=2026-02-27T\d\d:\d\d:\d\dZ$/);
  const moment = await page.locator('#moment-text').textContent();
  await page.reload();
  await panel(page)
    .getByText(/^\d+ trips? ·/)
    .waitFor();
  expect(await page.locator('#moment-text').textContent()).toBe(moment);
  await page.keyboard.press('Escape');
  isClean(watched);
});

test('the panel has the day, and the slider plays it', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await row(page, 'Truck 05').click();
  await panel(page)
    .getByText(/^\d+ trips ·/)
    .waitFor();
  expect(await fact(page, 'Status').textContent()).toBe('moving');
  expect(await fact(page, 'Driver').textContent()).toMatch(/^\w+ \w+$/);
  for (const title of [/^Trips/, /^Stops/, /^Driver behaviour/])
    expect(await page.getByText(title).count()).toBeGreaterThan(0);
  await panel(page).locator('.item').last().scrollIntoViewIfNeeded();
  await panel(page).locator('details').first().locator('.item').first().click();
  const begin = await page.locator('#moment-text').textContent();
  await page.getByLabel('Speed of playing').selectOption('600×');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => page.locator('#moment-text').textContent()).not.toBe(begin);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: /units/ }).click();
  expect(await fact(page, 'Speed').textContent()).toMatch(/ mph$/);
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await panel(page).isVisible()).toBe(false);
  isClean(watched);
});

test('what is wrong is said in words, and the end of the session is too', async () => {
  const watched = await open(await startMap('--timeout', '1s'));
  const { page } = watched;
  const alert = page.getByRole('alert');
  service.faults.add({ kind: 'status', status: 503, times: 1_000, path: '/graphql' });
  await alert.getByText(/^The service does not answer\..* Trying again in 1 s\./).waitFor();
  service.faults.clear();
  await expect.poll(() => alert.isVisible(), { timeout: 10_000 }).toBe(false);
  await page.evaluate("location.hash = '#vehicle=11111111-0000-5000-8000-000000000009'");
  await alert.getByText('The vehicle of the link is not visible to this user.').waitFor();
  // The roads are asked for before the end, and fail after it.
  let fail = () => {};
  const held = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route('**/roads', async (route) => {
    await held;
    await route.abort();
  });
  await page.reload();
  await alert.getByText('The vehicle of the link is not visible to this user.').waitFor();
  // The session ends, and the password is another one.
  service.faults.add({ kind: 'status', status: 401, times: 1_000, path: '/login/token' });
  service.clock.advance(13 * 3_600_000);
  await page.getByText('Ended: start `fleet map` again').waitFor();
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/roads'));
  fail();
  await failed;
  expect(await alert.textContent()).toMatch(/login|logged|password/i);
});

test('light and dark, wide and 400 pixels: no serious finding of axe', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await row(page, 'Truck 05').click();
  await panel(page)
    .getByText(/^\d+ trips ·/)
    .waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe(colorScheme);
    expect(await findings(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Dark' }).click();
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light');
  await page.setViewportSize({ width: 400, height: 800 });
  expect(await findings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await findings(page)).toEqual([]);
  expect(await row(page, 'Car 01').isVisible()).toBe(true);
  isClean(watched);
});

test('names are text, whatever they hold', async () => {
  const [fleetId = ''] = [...service.store.fleets].find(([, name]) => name === 'Demo Fleet') ?? [];
  const [vehicle] = service.store.fleet(fleetId).vehicles.values();
  const name = `<img src=x onerror="document.title='hacked'"></script><b>`;
  const client = new FleetClient({ baseUrl: server.url, credentials: { username: 'demo', password: 'demo' } });
  await client.updateVehicle({ vehicleId: vehicle?.id ?? '', vehicleInput: { name } });
  await client.close();
  for (const url of [await startMap(), await writeMap('--from', '-1h')]) {
    const watched = await open(url);
    const { page } = watched;
    await page.getByLabel('Search by name').fill('onerror');
    await rows(page).first().click();
    await panel(page).getByRole('heading', { name }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Fleet map');
    isClean(watched);
  }
});

test('a page of another site cannot read, frame or load it', async () => {
  const url = await startMap();
  const { page } = await chromium.open(server.url);
  await page.context().unroute('**/*');
  // The service's own page: another origin of the same machine.
  await page.goto(`${server.url}/graphiql?path=/graphql`);
  const readable = await page.evaluate(
    `fetch(${JSON.stringify(`${url}geofences`)}).then(({ status }) => status, () => 'refused')`,
  );
  expect(readable).toBe('refused');
  const loaded = (tag: string, address: string) =>
    page.evaluate(`new Promise((resolve) => {
      const made = document.createElement(${JSON.stringify(tag)});
      made.onload = () => resolve('loaded'); made.onerror = () => resolve('refused');
      made.src = ${JSON.stringify(address)}; document.body.append(made);
    })`);
  expect(await loaded('script', `${url}map.js`)).toBe('refused');
  // Without the policy of that page as well.
  await page.goto('about:blank');
  expect(await loaded('script', `${url}map.js`)).toBe('refused');
  await page.setContent(`<iframe src="${url}"></iframe>`);
  const frame = page.frames().at(-1);
  expect(await frame?.evaluate('document.getElementById("list")').catch(() => null)).toBe(null);
});

test('the mailed file: opened from disk, without any network', async ({ annotate }) => {
  const watched = await open(await writeMap('--on', 'yesterday'));
  const { page } = watched;
  await annotate(`file of 25 vehicles and a day: ${readFileSync(join(folder, 'map.html')).length} bytes`);
  expect(await page.locator('#connection').textContent()).toBe('Sun, Mar 1, 2026, 00:00 – 23:59 · Europe/Tallinn');
  const positions = () => page.locator('#map').screenshot();
  const before = await positions();
  await page.getByRole('slider').focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('PageDown');
  await expect.poll(async () => (await positions()).equals(before)).toBe(false);
  await page.getByLabel('Search by name').fill('Truck 05');
  await rows(page).first().click();
  await panel(page)
    .getByText(/^\d+ trips? ·/)
    .waitFor();
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  expect(await findings(page)).toEqual([]);
  const asked: string[] = await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)");
  expect(asked.filter((name) => !name.startsWith('data:'))).toEqual([]);
  isClean(watched);
});

test('only a map with tiles asks another host, and names it', async () => {
  const tiles = ['--tiles', 'https://{s}.tiles.example/{z}/{x}/{y}.png', '--attribution', '© <b>Example</b>'];
  const watched = await open(await startMap(...tiles));
  await expect.poll(() => watched.strays.length).toBeGreaterThan(0);
  expect(watched.strays.every((url) => /^https:\/\/[abc]\.tiles\.example\/\d+\/\d+\/\d+\.png$/.test(url))).toBe(true);
  expect(await watched.page.locator('#attribution').textContent()).toBe('© <b>Example</b>');
});

test('the page is small', () => {
  const bytes = (name: string) => readFileSync(join(root, 'dist/map', name)).length;
  expect(bytes('map.js')).toBeLessThan(200_000);
  expect(bytes('map.js') + bytes('map.css') + bytes('page.html')).toBeLessThan(215_000);
});
