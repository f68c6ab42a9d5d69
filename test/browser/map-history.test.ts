// The address of the page of `fleet map`: what "Back" returns to, and what a link, a bookmark and a reload bring back.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromium, dayOf, isClean, open, panel, row, startMap } from './map-session.js';

const choose = async (page: Page, name: string) => {
  await page.getByLabel('Search by name').fill(name);
  await row(page, name).click();
  await dayOf(page).waitFor();
};
const title = (page: Page) => page.locator('#panel-title').textContent();
const steps = (page: Page) => page.evaluate<number>('history.length');
const hash = (page: Page) => page.evaluate<string>('location.hash');

/** The link to copy, which has what is in the middle of the map. */
async function copied(page: Page): Promise<string> {
  await page.evaluate('navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }');
  await page.locator('#share summary').click();
  await page.locator('#copy-link').click();
  await page.locator('#share summary').click();
  return page.evaluate<string>('globalThis.copied');
}

const middleOf = (link: string) => /map=[^&]*/.exec(link)?.[0];

/** How many pixels the middles of two links of one zoom are apart. */
function apart(one: string, other: string): number {
  const [[zoom = Number.NaN, ...a] = [], [otherZoom = Number.NaN, ...b] = []] = [one, other].map((link) =>
    (middleOf(link) ?? '').replace('map=', '').split('/').map(Number),
  );
  expect(otherZoom).toBe(zoom);
  // A degree of latitude is about as long as one and a half of longitude here.
  return (Math.hypot(...a.map((value, index) => value - (b[index] ?? 0))) * 1.5 * 256 * 2 ** zoom) / 360;
}

test('a vehicle, a day and closing are one step each, which "Back" undoes', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  const begun = await steps(page);
  await choose(page, 'Truck 05');
  await choose(page, 'Van 01');
  await page.getByLabel('Day', { exact: true }).fill('2026-02-27');
  await dayOf(page).waitFor();
  await page.getByRole('slider').press('PageDown');
  await expect.poll(() => hash(page)).toContain('at=');
  await panel(page).getByRole('button', { name: 'Close' }).click();
  expect((await steps(page)) - begun).toBe(4);
  expect(await hash(page)).toBe('');
  await page.goBack();
  await expect.poll(() => title(page)).toBe('Van 01');
  expect(await page.getByLabel('Day', { exact: true }).inputValue()).toBe('2026-02-27');
  await page.goBack();
  await expect.poll(() => page.getByLabel('Day', { exact: true }).inputValue()).toBe('2026-03-02');
  await page.goBack();
  await expect.poll(() => title(page)).toBe('Truck 05');
  await dayOf(page).waitFor();
  await page.goBack();
  await expect.poll(() => panel(page).isVisible()).toBe(false);
  await page.goForward();
  await expect.poll(() => title(page)).toBe('Truck 05');
  // What a step back shows is no step of its own.
  expect((await steps(page)) - begun).toBe(4);
  isClean(watched);
});

test('a map that was moved is in the address, and comes back from it as it was', async () => {
  const url = await startMap();
  const watched = await open(url);
  const { page } = watched;
  await choose(page, 'Truck 05');
  expect(middleOf(await hash(page))).toBe(undefined);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  const box = (await page.locator('#map').boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(box.x + 200, box.y + 150);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 190, { steps: 4 });
  await page.mouse.up();
  // The map may glide on after the drag, and the address is written a little later than it rests. The link has what is on the screen.
  let link = '';
  await expect
    .poll(async () => {
      link = await copied(page);
      return middleOf(await hash(page)) === middleOf(link);
    })
    .toBe(true);
  await page.reload();
  await dayOf(page).waitFor();
  await page.locator('#legend').waitFor();
  expect(apart(await copied(page), link)).toBeLessThan(3);
  // On another screen the same place is in the middle of what the sheet leaves free.
  const { page: phone } = await chromium.open(new URL(url).origin);
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.goto(link);
  await dayOf(phone).waitFor();
  await expect.poll(async () => apart(await copied(phone), link)).toBeLessThan(3);
  // Another vehicle is shown whole.
  await choose(page, 'Van 01');
  expect(middleOf(await hash(page))).toBe(undefined);
  expect(middleOf(await copied(page))).not.toBe(middleOf(link));
  isClean(watched);
});
