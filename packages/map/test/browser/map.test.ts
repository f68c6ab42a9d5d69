// The map page end to end: built command line, built service and a real browser without network;
// and the file, opened from disk.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { FleetClient } from 'fleet-telematics';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { recordsOf } from '../../../../test/records-of.js';
import { streetArchive } from '../vector-tiles.js';
import {
  chromium,
  dayOf,
  fact,
  findings,
  folder,
  isClean,
  open,
  panel,
  root,
  row,
  rows,
  server,
  service,
  startMap,
  writeMap,
} from './map-session.js';

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
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate('document.activeElement.id')).toBe('list');
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
  await dayOf(page).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('panel-title');

  await page.getByLabel('Day', { exact: true }).fill('2026-02-27');
  await dayOf(page).waitFor();
  await page.getByRole('slider').focus();
  await page.keyboard.press('PageDown');
  await expect.poll(() => page.evaluate<string>('location.hash')).toContain('at=');
  const hash: string = await page.evaluate('location.hash');
  expect(hash).toMatch(/^#vehicle=[\w-]+&day=2026-02-27&at=2026-02-27T\d\d:\d\d:\d\dZ$/);
  const moment = await page.getByRole('slider').getAttribute('aria-valuetext');
  await page.reload();
  await dayOf(page).waitFor();
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toBe(moment);
  await page.keyboard.press('Escape');
  isClean(watched);
});

test('the panel has the day, and the slider plays it', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await row(page, 'Truck 05').click();
  await dayOf(page).waitFor();
  expect(await fact(page, 'Status').textContent()).toBe('moving');
  expect(await fact(page, 'Driver').textContent()).toMatch(/^\w+ \w+$/);
  for (const title of [/^Trips/, /^Stops/, /^Driver behaviour/])
    expect(await page.getByText(title).count()).toBeGreaterThan(0);
  // The chart and the map show the moment under the pointer, and the chart that of the track.
  const chart = page.getByRole('img', { name: /^Chart of the speed: up to .+ The lists of trips, stops and/ });
  const tip = page.locator('#chart-tip');
  await chart.hover();
  expect(await tip.textContent()).toMatch(/^\d\d:\d\d:\d\d( · |$)/);
  await page.locator('#play').hover();
  expect(await tip.isVisible()).toBe(false);
  await page.evaluate(`(() => {
    const map = document.getElementById('map');
    const { left, top, width, height } = map.getBoundingClientRect();
    for (let y = top; y < top + height; y += 9) for (let x = left; x < left + width; x += 9) {
      map.dispatchEvent(new MouseEvent('mousemove', { clientX: x, clientY: y, bubbles: true }));
      if (/\\d (km.h|mph)/.test(document.querySelector('#chart-tip:not([hidden])')?.textContent)) return;
    }
  })()`);
  expect(await tip.textContent()).toMatch(/^\d\d:\d\d:\d\d · \d+ (km\/h|mph) · \w+ \w+/);
  await panel(page).locator('.item').last().scrollIntoViewIfNeeded();
  await panel(page).locator('details').first().locator('.item').first().click();
  const begin = await page.getByRole('slider').getAttribute('aria-valuetext');
  await page.getByLabel('Speed of playing').selectOption('600×');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => page.getByRole('slider').getAttribute('aria-valuetext')).not.toBe(begin);
  await page.getByRole('button', { name: 'Pause' }).click();
  // The display switches to the slider's time.
  await page.getByText('This is not live, and other vehicles are not shown.').waitFor();
  expect(await page.locator('#connection').textContent()).toBe('Not live');
  expect(await row(page, 'Car 01').locator('.status').textContent()).toBe('');
  expect(await page.locator('[aria-current=true]').count()).toBe(1);
  await page.getByRole('button', { name: 'Back to live' }).click();
  await page.locator('#connection').getByText('Live').waitFor();
  await page.getByRole('button', { name: /units/ }).click();
  expect(await fact(page, 'Speed').textContent()).toMatch(/ mph$/);
  // Escape closes the panel wherever the focus is.
  await page.locator('#map').focus();
  await page.keyboard.press('Escape');
  expect(await panel(page).isVisible()).toBe(false);
  isClean(watched);
});

test('the open day grows, a day that failed is tried again, and no width is without slider', async () => {
  const watched = await chromium.open(new URL(server.url).origin);
  const { page } = watched;
  await page.context().unroute('**/*');
  await page.clock.install();
  await page.goto(await startMap());
  await row(page, 'Truck 05').click();
  await dayOf(page).waitFor();
  const distance = () => dayOf(page).locator('dd').first().textContent();
  const before = await distance();
  service.clock.advance(600_000);
  await page.clock.fastForward(16_000);
  await expect.poll(distance, { timeout: 20_000 }).not.toBe(before);
  let refused = 0;
  await page.route('**/day?*', (route) => {
    refused += 1;
    return route.fulfill({ status: 502, json: { message: 'No day.', hint: null } });
  });
  await page.getByLabel('Day', { exact: true }).fill('2026-02-27');
  await panel(page).getByText('No day.').waitFor();
  const soFar = refused;
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => refused).toBeGreaterThan(soFar);
  await panel(page).getByText('No day.').waitFor();
  await page.unroute('**/day?*');
  // The page retries by itself too, once the service has recovered: then the button is gone.
  const again = panel(page).getByRole('button', { name: 'Try again' });
  const isThere = async () => {
    if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => undefined);
    return dayOf(page).isVisible();
  };
  await expect.poll(isThere, { timeout: 20_000 }).toBe(true);
  for (const width of [390, 721, 820, 1_050, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    const box = await page.getByRole('slider').boundingBox();
    expect(box?.width).toBeGreaterThan(180);
  }
});

/** Returns tooltip and position of each vehicle mark. */
async function marks(page: Page): Promise<readonly (readonly [text: string, x: number, y: number])[]> {
  return page.evaluate(`(() => {
    const map = document.getElementById('map');
    const { left, top, width, height } = map.getBoundingClientRect();
    const tip = document.getElementById('tip');
    const found = [];
    for (let y = top + 8; y < top + height; y += 12) for (let x = left + 8; x < left + width - 60; x += 12) {
      map.dispatchEvent(new MouseEvent('mousemove', { clientX: x, clientY: y, bubbles: true }));
      const text = tip.textContent;
      const isNew = ([other, ox, oy]) => other !== text || Math.hypot(ox - x, oy - y) > 50;
      if (!tip.hidden && tip.dataset.kind === 'vehicles' && found.every(isNew)) found.push([text, x, y]);
    }
    return found;
  })()`);
}

test('vehicles that would cover each other are one mark, which opens; the map fits what was found, follows, and has heat', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  const statuses = /^\d+ (moving|idling|stopped|stale|offline|unknown)(, \d+ \w+)*$/;
  await expect.poll(async () => (await marks(page)).length).toBeGreaterThan(3);
  const before = await marks(page);
  const clusters = before.filter(([text]) => statuses.test(text));
  const count = (text: string) => [...text.matchAll(/\d+/g)].reduce((sum, [one]) => sum + Number(one), 0);
  const singles = before.length - clusters.length;
  // One vehicle has no position.
  expect(clusters.reduce((sum, [text]) => sum + count(text), singles)).toBe(24);
  const [text = '', x = 0, y = 0] = clusters[0] ?? [];
  await page.mouse.click(x, y);
  await expect.poll(async () => (await marks(page)).length).toBe(count(text));

  await page.getByRole('button', { name: /^Heat map/ }).click();
  await page.getByText('How often vehicles drove here · last 24 h, up to 50 vehicles').waitFor();
  await page.getByLabel('Search by name').fill('truck');
  await page.getByRole('button', { name: 'Show on the map' }).click();
  const trucks = async () => (await marks(page)).reduce((sum, [one]) => sum + (statuses.test(one) ? count(one) : 1), 0);
  await expect.poll(trucks).toBe(10);

  await row(page, 'Truck 05').click();
  await dayOf(page).waitFor();
  const follow = page.getByRole('button', { name: 'Follow the chosen vehicle' });
  await follow.click();
  await page.getByRole('slider').press('PageDown');
  const box = await page.locator('#map').boundingBox();
  const middle = (box?.x ?? 0) + (box?.width ?? 0) / 2;
  const away = async () => {
    const [, at = 0] = (await marks(page)).find(([one]) => one.startsWith('Truck 05')) ?? [];
    return Math.abs(at - middle);
  };
  await expect.poll(away).toBeLessThan(30);
  await page.mouse.move(middle, (box?.y ?? 0) + 90);
  await page.mouse.down();
  await page.mouse.move(middle + 60, (box?.y ?? 0) + 140, { steps: 4 });
  await page.mouse.up();
  expect(await follow.getAttribute('aria-pressed')).toBe('false');
  isClean(watched);
});

test('what is wrong is said in words, and the end of the session is too', async () => {
  const watched = await open(await startMap('--timeout', '1s'));
  const { page } = watched;
  const alert = page.getByRole('alert');
  service.faults.add({ kind: 'status', status: 503, times: 1_000, path: '/graphql' });
  await alert.getByText(/^No new data\..* Trying again in 1 s\./).waitFor();
  // While there is no new data, nothing is green and the age is shown.
  expect(await page.locator('#connection').textContent()).toMatch(/^No new data · last data \d+ s ago, \d\d:/);
  expect(await page.locator('#connection').getAttribute('data-state')).toBe('late');
  service.faults.clear();
  await expect.poll(() => alert.isVisible(), { timeout: 10_000 }).toBe(false);
  await page.evaluate("location.hash = '#vehicle=11111111-0000-5000-8000-000000000009'");
  await alert.getByText('The vehicle of the link is not visible to this user.').waitFor();
  // The roads are requested before the end and fail after it.
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
  // The session ends, and the login is refused.
  service.faults.add({ kind: 'status', status: 401, times: 1_000, path: '/login/token' });
  service.clock.advance(13 * 3_600_000);
  await page.locator('#connection').getByText('Ended: start fleet map again').waitFor();
  expect(await page.evaluate('document.documentElement.dataset.age')).toBe('old');
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/roads'));
  fail();
  await failed;
  expect(await alert.textContent()).toMatch(/login|logged|password/i);
});

test('light and dark, wide and 400 pixels: no finding of axe', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await row(page, 'Truck 05').click();
  await dayOf(page).waitFor();
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
  await page.getByLabel('Language').selectOption('Deutsch');
  await page.locator('#count', { hasText: '25 Fahrzeuge' }).waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  isClean(watched);
});

test('names are text, whatever they hold', async () => {
  const [vehicle] = recordsOf(service).vehicles;
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
    expect(await page.title()).toMatch(/^Fleet map( · |$)/);
    isClean(watched);
  }
});

test('a page of another site cannot read, frame or load it', async () => {
  const url = await startMap();
  const { page } = await chromium.open(server.url);
  await page.context().unroute('**/*');
  // A page of another origin on the same machine.
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
  // Refused without that page's policy, too.
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
  expect(readFileSync(join(folder, 'map.html')).length).toBeLessThan(1_000_000);
  expect(await page.locator('#connection').textContent()).toBe('Sun, Mar 1, 2026, 00:00 – 23:59 · Europe/Tallinn');
  expect(await page.locator('#story').textContent()).toMatch(
    /^\d+ of 25 vehicles drove [\d,]+ km in \d+ trips: .+ moving, .+ idle\. The first set out Sun, Mar 1, \d\d:\d\d\.$/,
  );
  const positions = () => page.locator('#map').screenshot();
  const before = await positions();
  await page.getByRole('slider').focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('PageUp');
  await expect.poll(async () => (await positions()).equals(before)).toBe(false);
  await page.getByLabel('Search by name').fill('Truck 05');
  await rows(page).first().click();
  await dayOf(page).waitFor();
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  // It prints a table of trips, and the positions can be saved.
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await page.locator('#print-table tbody tr').count()).toBe(
    await panel(page).locator('details').first().locator('.item').count(),
  );
  await page.locator('#share summary').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save-gpx').click()]);
  expect(download.suggestedFilename()).toBe('Truck-05-2026-03-01.gpx');
  await page.locator('#share summary').click();
  expect(await findings(page)).toEqual([]);
  const loadedUrls: string[] = await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)");
  expect(loadedUrls.filter((name) => !name.startsWith('data:'))).toEqual([]);
  isClean(watched);
});

/** Tiles load one after the other. */
const patient = { timeout: 20_000 };

/** Returns the share of the base map in each of these colours of the style sheet. */
function parts(page: Page, ...names: readonly string[]): Promise<readonly number[]> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('canvas.ground');
    if (canvas === null || canvas.width === 0) return [];
    // A copy, because a canvas that is read becomes slow, and the browser says so.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const styles = getComputedStyle(document.documentElement);
    return ${JSON.stringify(names)}.map((name) => {
      const wanted = Number.parseInt(styles.getPropertyValue('--' + name).trim().slice(1), 16);
      let found = 0;
      for (let i = 0; i < data.length; i += 4) if (((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]) === wanted) found++;
      return (found * 4) / data.length;
    });
  })()`);
}

/** Records where names of the base map and of vehicles are drawn in the last frame. */
const recordNames = `globalThis.drawn = { ground: [], vehicles: [] };
  const { drawImage, fillText, clearRect } = CanvasRenderingContext2D.prototype;
  const panes = () => [...document.querySelectorAll('#map .pane')];
  CanvasRenderingContext2D.prototype.clearRect = function (...args) {
    if (this.canvas === panes()[0]) drawn.ground = [];
    if (this.canvas === panes().at(-1)) drawn.vehicles = [];
    return clearRect.apply(this, args);
  };
  CanvasRenderingContext2D.prototype.drawImage = function (image, x, y, width, height) {
    if (this.canvas === panes()[0]) drawn.ground.push([x + 3, y + 3, x + width - 3, y + height - 3]);
    return drawImage.call(this, image, x, y, width, height);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const half = this.measureText(text).width / 2;
    if (this.canvas === panes().at(-1)) drawn.vehicles.push([x - half, y - 12, x + half, y]);
    return fillText.call(this, text, x, y);
  };`;

test('the ground is there without a network, light and dark, and no name covers another one', async ({ annotate }) => {
  const url = await startMap();
  const { page } = await chromium.open(new URL(url).origin);
  await page.addInitScript({ content: recordNames });
  await page.goto(url);
  const begun = performance.now();
  const look = async () => {
    const [land = 0, sea = 0] = await parts(page, 'ground', 'sea');
    return land > 0.4 && sea > 0.1 ? 'land and sea' : `${land} ${sea}`;
  };
  await rows(page).first().waitFor();
  await expect.poll(look, patient).toBe('land and sea');
  await annotate(`ground after ${Math.round(performance.now() - begun)} ms`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(look, patient).toBe('land and sea');
  expect(await page.locator('#attribution').textContent()).toBe('Natural Earth · GeoNames (CC BY 4.0)');
  for (const levels of [0, 1, 2]) {
    for (let i = 0; i < levels; i++) await page.getByRole('button', { name: 'Zoom out' }).click();
    const names: { ground: number[][]; vehicles: number[][] } = await page.evaluate(`new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve(drawn)))))`);
    expect(names.ground.length).toBeGreaterThan(10);
    expect(names.vehicles.length + names.ground.length).toBeGreaterThan(12);
    const boxes = [...names.ground, ...names.vehicles];
    const covered = boxes.flatMap(([left = 0, top = 0, right = 0, bottom = 0], index) =>
      boxes
        .slice(index + 1)
        .filter(([l = 0, t = 0, r = 0, b = 0]) => left + 1 < r && l + 1 < right && top + 1 < b && t + 1 < bottom),
    );
    expect(covered).toEqual([]);
  }
});

test('streets of a file: drawn live from ranges, and in a mailed file from what it holds', async () => {
  const archive = join(folder, 'region.pmtiles');
  writeFileSync(archive, await streetArchive([0, 1, 2, 3, 4, 5, 6, 7], null));
  for (const url of [await startMap('--base-map', archive), await writeMap('--from', '-1h', '--base-map', archive)]) {
    const watched = await open(url);
    const { page } = watched;
    const credit = '© Example & OpenStreetMap · Natural Earth · GeoNames (CC BY 4.0)';
    await expect.poll(() => page.locator('#attribution').textContent(), patient).toBe(credit);
    await row(page, 'Truck 05').click();
    await page.getByText(/^Trips \(\d+\)$/).waitFor();
    // A quarter of each tile is water; thin lines are roads.
    for (let i = 0; i < 7; i++) await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect
      .poll(async () => {
        const [water = 0, land = 0] = await parts(page, 'sea', 'ground');
        return water > 0.1 && water < 0.4 && land > 0.4 && water + land < 0.999 ? 'streets' : `${water} ${land}`;
      }, patient)
      .toBe('streets');
    isClean(watched);
  }
});

test('reports tiles that cannot be loaded once, and shows the ground', async () => {
  const tiles = ['--tiles', 'https://tiles.example/{z}/{x}/{y}.png', '--attribution', '© Example'];
  const watched = await open(await startMap(...tiles));
  await watched.page.getByRole('alert').getByText('The tiles of tiles.example cannot be loaded.').waitFor();
  const { length } = watched.foreignUrls;
  await watched.page.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(async () => (await parts(watched.page, 'ground'))[0] ?? 0, patient).toBeGreaterThan(0.1);
  expect(watched.foreignUrls).toHaveLength(length);
});

test('only a map with tiles asks another host, and names it', async () => {
  const tiles = ['--tiles', 'https://{s}.tiles.example/{z}/{x}/{y}.png', '--attribution', '© <b>Example</b>'];
  const watched = await open(await startMap(...tiles));
  await expect.poll(() => watched.foreignUrls.length).toBeGreaterThan(0);
  expect(watched.foreignUrls.every((url) => /^https:\/\/[abc]\.tiles\.example\/\d+\/\d+\/\d+\.png$/.test(url))).toBe(
    true,
  );
  expect(await watched.page.locator('#attribution').textContent()).toMatch(/^© <b>Example<\/b>/);
});

test('the page is small', () => {
  const file = (name: string) => readFileSync(join(root, 'packages/map/dist/page', name));
  const bytes = (name: string) => (name.endsWith('.br') ? brotliDecompressSync(file(name)) : file(name)).length;
  // The texts in four languages are a tenth of it.
  expect(bytes('map.js.br')).toBeLessThan(208_000);
  expect(bytes('map.js.br') + bytes('map.css.br') + bytes('page.html')).toBeLessThan(231_000);
  // They load after the first paint.
  expect(bytes('ground.js.br')).toBeLessThan(55_000);
  expect(bytes('world.pmtiles')).toBeLessThanOrEqual(500_000);
});
