// The panel of a past day: while it loads, while the vehicle drives and stands, and with the
// slider.
import { FleetClient } from 'fleet-telematics';
import { expect, test } from 'vitest';
import { dayOf, fact, findings, isClean, open, panel, row, rows, server, service, startMap } from './map-session.js';

const past = '2026-02-27';

test('a past day: says that it is being read, has place and driver at every time, and its rows follow the slider', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await row(page, 'Truck 05').click();
  await dayOf(page).waitFor();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/day?*${past}*`, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel('Day', { exact: true }).fill(past);
  await expect.poll(() => fact(page, 'Status').textContent()).toBe('reading…');
  expect(await fact(page, 'Data of').textContent()).toBe('reading…');
  release();
  await dayOf(page).waitFor();

  // The selected vehicle keeps its row, whatever the search.
  await page.getByLabel('Search by name').fill('Van 05');
  await row(page, 'Van 05').waitFor();
  expect(await rows(page).locator('.name').allTextContents()).toEqual(['Truck 05', 'Van 05']);

  const jump = (title: RegExp) => panel(page).getByRole('button', { name: title }).click();
  const items = (section: string) => panel(page).locator('details', { hasText: section }).locator('.item');
  const current = panel(page).locator('[aria-current]');
  const slider = page.getByRole('slider');

  // Standing between two trips.
  await jump(/^Stops \d/);
  await items('Stops (').last().click();
  await slider.press('ArrowRight');
  await expect.poll(() => fact(page, 'Status').textContent()).toBe('stopped');
  const driver = await fact(page, 'Driver').textContent();
  expect(driver).toMatch(/^\w+ \w+$/);
  expect(await panel(page).getByText('longest').count()).toBe(1);

  // While driving, each trip shows its driver.
  for (const text of await items('Trips (').allTextContents()) expect(text).toContain(driver);
  await items('Trips (').last().click();
  await slider.focus();
  await page.keyboard.press('PageUp');
  await expect.poll(() => fact(page, 'Status').textContent()).toBe('moving');
  expect(await fact(page, 'Place').textContent()).toMatch(/^in |^[\d.,]+ (m|km) [NESW]+ of /);
  expect(await current.count()).toBe(1);
  expect(await fact(page, 'Fuel in tank').count()).toBe(0);

  // After a click on the chart, the arrow keys continue from there.
  const { width = 0 } = (await page.locator('#strip').boundingBox()) ?? {};
  await page.locator('#strip').click({ position: { x: width - 30, y: 30 } });
  await expect.poll(() => current.count()).toBe(0);
  const before = await page.getByRole('slider').getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).not.toBe(before);
  await page.keyboard.press('End');
  expect(await fact(page, 'Fuel in tank').textContent()).toMatch(/^\d+ \(no unit is named; litres are usual\)$/);

  await jump(/^Driver behaviour \d/);
  const event = items('Driver behaviour (').first();
  expect(await event.textContent()).toMatch(/ · \d+ km\/h · /);
  await event.click();
  expect(await current.count()).toBe(1);
  await slider.press('ArrowRight');
  await expect.poll(() => current.count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  isClean(watched);
});

test('the last stop lasts until now, or until the end of its day; a vehicle that was parked all day did not drive', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await page.route('**/day?*', async (route) => {
    const response = await route.fetch();
    const day = await response.json();
    const stop = { from: day.to - 7_200_000, to: null, latitude: 59, longitude: 24, place: null };
    const parked = { trips: [], stops: [], events: [], track: { ...day.track, speeds: day.track.speeds.map(() => 0) } };
    await route.fulfill({
      response,
      json: { ...day, ...(route.request().url().includes(past) ? parked : { stops: [stop] }) },
    });
  });
  await row(page, 'Truck 05').click();
  await panel(page).getByText('still there · 2 h 00 min so far').waitFor({ state: 'attached' });
  expect(await page.locator('.has-chart').count()).toBe(1);
  const day = page.getByLabel('Day', { exact: true });
  await day.fill('2026-02-26');
  await panel(page).getByText('to the end of the day · 2 h 00 min').waitFor({ state: 'attached' });
  await day.fill(past);
  await panel(page).getByText('Did not drive').waitFor();
  expect(await dayOf(page).count()).toBe(0);
  expect(await page.locator('.has-chart').count()).toBe(0);
  expect(await page.locator('#strip').getAttribute('aria-label')).toBe('Chart of the speed');
  isClean(watched);
});

test('a vehicle without a position says since when, and a device whose clock is ahead does not look fresh', async () => {
  await using client = new FleetClient({ baseUrl: server.url, credentials: { username: 'demo', password: 'demo' } });
  const [van, truck, ...others] = await client.getVehicles();
  const gps = { ...van?.lastData?.gps, state: false, latitude: 0, longitude: 0 };
  const blind = { ...van, name: 'Blind', lastData: { ...van?.lastData, gps } };
  const early = { ...truck, name: 'Early', lastData: { ...truck?.lastData, timestamp: '2036-01-01T00:00:00Z' } };
  service.answer('getVehicles', [blind, early, ...others]);
  const watched = await open(await startMap());
  const { page } = watched;
  await row(page, 'Blind').click();
  await dayOf(page).waitFor();
  expect(await fact(page, 'Position').textContent()).toMatch(/^no usable position since Mon, Mar 2, 11:\d\d$/);
  await row(page, 'Early').click();
  await dayOf(page).waitFor();
  expect(await fact(page, 'Last seen').textContent()).toMatch(/^the device's clock is ahead: .*2036/);
  expect(await fact(page, 'Status').textContent()).toBe('unknown');
  isClean(watched);
});
