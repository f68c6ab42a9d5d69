// Geofences on the map page: search, selection by keyboard and click, nearest vehicles.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findings, isClean, open, panel, row, rows, startMap, writeMap } from './map-session.js';

const place = (page: Page) => page.locator('#place');
const nearest = (page: Page) => place(page).locator('.item');

/** Returns the centre of the map, where a selected geofence is. */
async function middle(page: Page): Promise<readonly [x: number, y: number]> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('#map').boundingBox()) ?? {};
  return [x + width / 2, y + height / 2];
}

test('the search finds geofences below the vehicles; the keyboard chooses one, and who is nearest', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await page.getByLabel('Search by name').fill('customer vil');
  await page.locator('#count').getByText('0 of 25 vehicles · 1 place').waitFor();
  expect(await rows(page).locator('.name').allTextContents()).toEqual(['Customer Vilnius']);
  await page.getByLabel('Search by name').fill('vil');
  await page.locator('#places-title').getByText('Places').waitFor();
  await page.getByRole('listbox', { name: 'Vehicles' }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const title = (await rows(page).locator('.name').allTextContents()).at(-1) ?? '';
  await place(page).getByRole('heading', { name: title }).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('place-title');
  expect(await place(page).locator('dt').allTextContents()).toEqual(['Type', 'Address', 'Colour']);
  expect(await row(page, title).getAttribute('aria-selected')).toBe('true');
  expect(await findings(page)).toEqual([]);

  // Nearest first, then silent and deactivated ones; a silent vehicle shows its last time.
  await place(page).getByRole('heading', { name: 'Nearest (straight line)' }).waitFor();
  const texts = await nearest(page).locator('span').allTextContents();
  const metres = texts.map((text) => {
    const [, value = '0', unit = ''] = /^([\d.,]+) (m|km) · /.exec(text) ?? [];
    return Number(value.replace(',', '')) * (unit === 'km' ? 1_000 : 1);
  });
  expect(metres).toHaveLength(5);
  const last = texts.map((text) => (/stale|offline|unknown|deactivated/.test(text) ? 1 : 0));
  expect(last).toEqual([...last].sort());
  const ranks = metres.map((value, index) => value + 1e9 * (last[index] ?? 0));
  expect(ranks).toEqual([...ranks].sort((one, other) => one - other));
  for (const text of texts) expect(text).toMatch(/(moving|idling|stopped|deactivated|stale|offline)/);

  const name = (await nearest(page).first().locator('strong').textContent()) ?? '';
  await nearest(page).first().focus();
  await page.keyboard.press('Enter');
  await panel(page).getByRole('heading', { name }).waitFor();
  expect(await place(page).isVisible()).toBe(false);
  isClean(watched);
});

test('a geofence has its name under the pointer, is chosen by a click, and closed by Escape', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  const query = page.getByLabel('Search by name');
  await query.fill('customer vil');
  await page.locator('#count').getByText('1 place').waitFor();
  await query.press('Enter');
  await place(page).getByRole('heading', { name: 'Customer Vilnius' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await place(page).isVisible()).toBe(false);
  expect(await query.inputValue()).toBe('customer vil');

  const [x, y] = await middle(page);
  await page.mouse.move(x, y);
  await page.locator('#tip').getByText('Customer Vilnius').waitFor();
  await page.mouse.click(x, y);
  await place(page).getByRole('heading', { name: 'Customer Vilnius' }).waitFor();
  await row(page, 'Customer Vilnius').waitFor();
  await query.fill('Truck 05');
  await row(page, 'Truck 05').click();
  await panel(page).getByRole('heading', { name: 'Truck 05' }).waitFor();
  expect(await place(page).isVisible()).toBe(false);
  isClean(watched);
});

test('a mailed file has its geofences too, with how far they were at the time of the slider', async () => {
  const watched = await open(await writeMap('Truck 05', '--on', '2026-02-27'));
  const { page } = watched;
  await page.getByLabel('Search by name').fill('customer vil');
  await expect.poll(() => page.locator('#count').textContent()).toBe('0 of 1 vehicle · 1 place');
  await page.getByLabel('Search by name').press('Enter');
  await place(page).getByRole('heading', { name: 'Customer Vilnius' }).waitFor();
  // It is on a trip at midnight: its position is unknown until the first one of the day.
  await place(page).getByText('no data').waitFor();
  const text = () => nearest(page).locator('span').textContent();
  await page.getByRole('slider').focus();
  await page.keyboard.press('PageUp');
  await nearest(page).waitFor();
  const before = await text();
  for (let step = 0; step < 12; step++) await page.keyboard.press('PageUp');
  await expect.poll(text).not.toBe(before);
  // The link of a file restores it, too.
  await page.reload();
  await place(page).getByRole('heading', { name: 'Customer Vilnius' }).waitFor();
  isClean(watched);
});

test('a chosen geofence is in the link, and a step that "Back" undoes', async () => {
  const url = await startMap();
  const watched = await open(url);
  const { page } = watched;
  const hash = () => page.evaluate<string>('location.hash');
  const steps = () => page.evaluate<number>('history.length');
  const heading = place(page).getByRole('heading', { name: 'Customer Vilnius' });
  const begun = await steps();
  await page.getByLabel('Search by name').fill('customer vil');
  await row(page, 'Customer Vilnius').click();
  await heading.waitFor();
  const link = await hash();
  expect(link).toMatch(/^#place=[\w-]+$/);
  const name = (await nearest(page).first().locator('strong').textContent()) ?? '';
  await nearest(page).first().click();
  await panel(page).getByRole('heading', { name }).waitFor();
  expect(await hash()).toMatch(/^#vehicle=[\w-]+&day=2026-03-02$/);
  expect((await steps()) - begun).toBe(2);
  await page.goBack();
  await heading.waitFor();
  expect(await panel(page).isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  expect(await hash()).toBe('');
  await page.goBack();
  await heading.waitFor();
  expect((await steps()) - begun).toBe(2);

  // Geofences load before the vehicles: the place is centred.
  const geofences = page.waitForResponse('**/geofences');
  await page.route('**/events', async (route) => {
    await geofences;
    await route.continue();
  });
  await page.reload();
  await heading.waitFor();
  expect(await hash()).toBe(link);
  const [x, y] = await middle(page);
  await page.mouse.move(x, y);
  await page.locator('#tip').getByText('Customer Vilnius').waitFor();

  // Geofences load after the vehicles: the link waits for them. A map view in the link has
  // priority.
  await page.unroute('**/events');
  await page.goto('about:blank');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/geofences', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${url}${link}&map=5.00/41.00000/2.00000`);
  await row(page, 'Truck 05').waitFor();
  expect(await page.getByRole('alert').isVisible()).toBe(false);
  release();
  await heading.waitFor();
  expect(await hash()).toBe(`${link}&map=5.00/41.00000/2.00000`);
  await expect.poll(() => page.locator('#scale').textContent()).toBe('200 km');

  await page.goto(`${url}#place=nowhere`);
  await expect.poll(() => place(page).isVisible()).toBe(false);
  expect(await page.getByRole('alert').isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  expect(await hash()).toBe('');
  isClean(watched);
});
