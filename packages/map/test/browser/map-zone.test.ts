// The time zone of the map page: the fleet's, the browser's, or UTC.
import { expect, test } from 'vitest';
import { recordsOf } from '../../../../test/records-of.js';
import { chromium, dayOf, isClean, panel, row, service, startMap } from './map-session.js';

test('all times follow the switch of the zone, the day stays that of the fleet, and the link keeps the zone', async () => {
  const url = await startMap();
  const watched = await chromium.open(new URL(url).origin);
  const { page } = watched;
  await page.goto(url);
  await page.getByText(/^Live · 11:3\d:\d\d Europe.Tallinn/).waitFor();
  const zone = page.getByLabel('Time zone');
  const offered = await zone.locator('option').allTextContents();
  const own: string = await page.evaluate('new Intl.DateTimeFormat().resolvedOptions().timeZone');
  expect(offered).toEqual([
    ...new Set([
      'Europe/Tallinn · fleet',
      own === 'UTC' ? 'UTC · browser' : `${own} · browser`,
      ...(own === 'UTC' ? [] : ['UTC']),
    ]),
  ]);
  await row(page, 'Truck 05').click();
  await dayOf(page).waitFor();
  const begins = () => panel(page).locator('details').first().locator('.item strong').last().textContent();
  const before = await begins();
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/^11:3\d:/);

  await zone.selectOption('UTC');
  await page.getByText(/^Live · 09:3\d:\d\d UTC/).waitFor();
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/^09:3\d:/);
  expect(await panel(page).getByLabel('Day', { exact: true }).inputValue()).toBe('2026-03-02');
  await panel(page).getByText('Days are those of Europe/Tallinn. This one begins Sun, Mar 1, 22:00 UTC.').waitFor();
  expect(await begins()).not.toBe(before);
  await page.getByRole('slider').press('PageDown');
  await page.getByText(/^Truck 05 on Mon, Mar 2, 2026, 09:\d\d:\d\d UTC\. /).waitFor();
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await page.locator('#print-head').textContent()).toContain('Time zone: UTC');

  // In a zone where it is still yesterday, the fleet's day is open.
  const vehicle: string = await page.evaluate("new URLSearchParams(location.hash.slice(1)).get('vehicle')");
  await page.goto('about:blank');
  await page.goto(`${url}#vehicle=${vehicle}&day=2026-03-02&zone=Pacific/Pago_Pago`);
  await page.getByText(/^Live · 22:3\d:\d\d Pacific.Pago_Pago/).waitFor();
  await dayOf(page).waitFor();
  expect(await panel(page).getByLabel('Day', { exact: true }).inputValue()).toBe('2026-03-02');
  // A link may have a zone that is not offered; an invalid zone is ignored.
  await page.goto('about:blank');
  await page.goto(`${url}#zone=America/New_York`);
  await page.getByText(/^Live · 04:3\d:\d\d America.New_York/).waitFor();
  expect(await zone.inputValue()).toBe('America/New_York');
  await page.goto('about:blank');
  await page.goto(`${url}#zone=Nowhere/City`);
  await page.getByText(/^Live · 11:3\d:\d\d Europe.Tallinn/).waitFor();
  isClean(watched);
});

test('a link without a day opens the day that the fleet has, whatever the clock of this machine says', async () => {
  const id = recordsOf(service).vehicles.find(({ name }) => name === 'Truck 05')?.id ?? '';
  const url = await startMap();
  const watched = await chromium.open(new URL(url).origin);
  const { page } = watched;
  await page.clock.setFixedTime('2027-01-15T12:00:00Z');
  await page.goto(`${url}#vehicle=${id}`);
  await dayOf(page).waitFor();
  expect(await panel(page).getByLabel('Day', { exact: true }).inputValue()).toBe('2026-03-02');
  await page.getByText(/^Live · 11:3\d:\d\d Europe.Tallinn/).waitFor();
  isClean(watched);
});
