// The address of the map page: browser history, links, bookmarks and reloads.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromium, dayOf, isClean, open, panel, row, startMap, writeMap } from './map-session.js';

const choose = async (page: Page, name: string) => {
  await page.getByLabel('Search by name').fill(name);
  await row(page, name).click();
  await dayOf(page).waitFor();
};
const title = (page: Page) => page.locator('#panel-title').textContent();
const steps = (page: Page) => page.evaluate<number>('history.length');
const hash = (page: Page) => page.evaluate<string>('location.hash');

/** Returns the copied link, which has the map's centre. */
async function copied(page: Page): Promise<string> {
  await page.evaluate('navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }');
  await page.locator('#share summary').click();
  await page.locator('#copy-link').click();
  await page.locator('#share summary').click();
  return page.evaluate<string>('globalThis.copied');
}

const middleOf = (link: string) => /map=[^&]*/.exec(link)?.[0];

/** Returns the distance in pixels between the centres of two links of one zoom. */
function apart(one: string, other: string): number {
  const [[zoom = Number.NaN, ...a] = [], [otherZoom = Number.NaN, ...b] = []] = [one, other].map((link) =>
    (middleOf(link) ?? '').replace('map=', '').split('/').map(Number),
  );
  expect(otherZoom).toBe(zoom);
  // Here a degree of latitude is about as long as 1.5 degrees of longitude.
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
  // Going back adds no history entry.
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
  // The map may glide on after the drag, and the address is written a little later.
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
  // On another screen, the same position is in the centre of the uncovered part.
  const { page: phone } = await chromium.open(new URL(url).origin);
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.goto(link);
  await dayOf(phone).waitFor();
  await expect.poll(async () => apart(await copied(phone), link)).toBeLessThan(3);
  // Another vehicle is fitted completely.
  await choose(page, 'Van 01');
  expect(middleOf(await hash(page))).toBe(undefined);
  expect(middleOf(await copied(page))).not.toBe(middleOf(link));
  isClean(watched);
});

const alert = (page: Page) => page.getByRole('alert');
const unseen = 'The vehicle of the link is not visible to this user.';

/** Returns the requested days. */
function days(page: Page): readonly string[] {
  const dayRequests: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/day')) dayRequests.push([...searchParams.values()].join(' '));
  });
  return dayRequests;
}

test.each(['11111111-2222-4333-8444-555555555555', 'nonsense'])(
  'a link to the vehicle %s, which is not there, shows the fleet of now and asks for nothing',
  async (id) => {
    const url = await startMap();
    const watched = await open(url);
    const { page } = watched;
    const dayRequests = days(page);
    const fleetOfNow = async () => {
      expect(await page.locator('#connection').getAttribute('data-state')).toBe('fresh');
      expect(await page.getByRole('button', { name: /^moving \d/ }).isVisible()).toBe(true);
      expect(await page.locator('#time').isVisible()).toBe(false);
      expect(await panel(page).isVisible()).toBe(false);
    };
    // From a past day, and as the first action.
    await choose(page, 'Truck 05');
    await page.getByLabel('Day', { exact: true }).fill('2026-02-27');
    await dayOf(page).waitFor();
    const dead = `#vehicle=${id}&day=2026-03-01&at=2026-03-01T09:00:00Z`;
    await page.goto(url + dead);
    await alert(page).getByText(unseen).waitFor();
    await fleetOfNow();
    await page.reload();
    await alert(page).getByText(unseen).waitFor();
    await fleetOfNow();
    expect(await hash(page)).toBe(dead);
    expect(await page.locator('#announcement').textContent()).toBe('Live');

    await page.keyboard.press('Escape');
    expect(await alert(page).isVisible()).toBe(false);
    expect(await hash(page)).toBe('');
    await page.goBack();
    await alert(page).getByText(unseen).waitFor();
    await choose(page, 'Van 01');
    expect(await alert(page).isVisible()).toBe(false);
    expect(await hash(page)).toMatch(/^#vehicle=[\w-]+&day=2026-03-02$/);
    expect(dayRequests.filter((one) => one.startsWith(id))).toEqual([]);
    isClean(watched);
  },
);

test('a vehicle that is gone for a while comes back with its day', async () => {
  const url = await startMap();
  const watched = await chromium.open(new URL(url).origin);
  const { page } = watched;
  await page.addInitScript({
    content: `globalThis.EventSource = class extends EventSource {
      constructor(url) { super(url); globalThis.stream = this; }
    }`,
  });
  const sendMessage = (message: object) =>
    page.evaluate(
      `stream.dispatchEvent(new MessageEvent('changes', { data: ${JSON.stringify(JSON.stringify(message))} }))`,
    );
  await page.goto(url);
  await choose(page, 'Truck 05');
  await page.getByLabel('Day', { exact: true }).fill('2026-02-27');
  await dayOf(page).waitFor();
  const link = await hash(page);
  const begun = await steps(page);
  const id = /vehicle=([\w-]+)/.exec(link)?.[1] ?? '';
  const at = Date.parse('2026-03-02T12:00:00Z');
  const message = { kind: 'changes', at, vehicles: [], gone: [] };
  await sendMessage({ ...message, gone: [id] });
  await alert(page).getByText(unseen).waitFor();
  expect(await panel(page).isVisible()).toBe(false);
  expect(await page.locator('#time').isVisible()).toBe(false);
  expect(await hash(page)).toBe(link);
  const vehicle = {
    ...{ id, name: 'Truck 05', plate: null, at: null, latitude: null, longitude: null, speed: null, heading: null },
    ...{ status: 'unknown', driver: null, place: null },
  };
  await sendMessage({ ...message, vehicles: [vehicle] });
  await dayOf(page).waitFor();
  expect(await title(page)).toBe('Truck 05');
  expect(await page.getByLabel('Day', { exact: true }).inputValue()).toBe('2026-02-27');
  expect(await alert(page).isVisible()).toBe(false);
  expect([await hash(page), await steps(page)]).toEqual([link, begun]);
  isClean(watched);
});

test('a link into a file to a vehicle that is not in it says so, and the slider still moves all', async () => {
  const url = await writeMap('--on', '2026-02-27', 'Truck 05');
  const watched = await open(`${url}#vehicle=nonsense&day=2026-02-27`);
  const { page } = watched;
  await alert(page).getByText(unseen).waitFor();
  await page.getByRole('slider').press('PageUp');
  expect(await alert(page).isVisible()).toBe(true);
  await row(page, 'Truck 05').click();
  await dayOf(page).waitFor();
  expect(await alert(page).isVisible()).toBe(false);
  expect(await hash(page)).not.toContain('nonsense');
  isClean(watched);
});
