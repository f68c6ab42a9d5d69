// The comparison of two vehicles on the map page, live and in a file.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dayOf, isClean, open, panel, row, startMap, writeMap } from './map-session.js';

const cells = (page: Page, name: string) =>
  panel(page).locator(`.compared tr:has(th[scope=row]:text-is("${name}")) td`).allTextContents();

/** Counts dashed lines. */
const recordDashes = `globalThis.dashes = 0;
  const { setLineDash } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.setLineDash = function (parts) {
    if (parts.length > 0) dashes++;
    return setLineDash.call(this, parts);
  };`;
const dashesOf = (page: Page) => page.evaluate<number>('dashes');

test('two vehicles have their numbers side by side, move with the same slider, and Escape ends it', async () => {
  const url = await startMap();
  const watched = await open(url);
  const { page } = watched;
  await page.evaluate(recordDashes);
  await row(page, 'Truck 05').click();
  await dayOf(page).waitFor();
  expect(await dashesOf(page)).toBe(0);
  const compare = panel(page).getByLabel('Compare with');
  await compare.selectOption('Van 01');
  await panel(page).getByRole('table', { name: 'Both vehicles side by side' }).waitFor();
  await expect.poll(() => dashesOf(page)).toBeGreaterThan(0);
  const heads = await panel(page).locator('.compared thead th').allTextContents();
  expect(heads).toEqual(['Truck 05', 'Van 01']);
  const distance = await cells(page, 'Distance');
  expect(distance).toEqual([
    await dayOf(page).locator('dd').first().textContent(),
    expect.stringMatching(/^[\d.,]+ km$/),
  ]);
  expect(distance[0]).not.toBe(distance[1]);
  for (const name of ['Moving', 'Idle', 'Stops'])
    expect((await cells(page, name)).every((text) => /^\d/.test(text))).toBe(true);
  // The slider moves both vehicles.
  await page.getByRole('slider').focus();
  for (let i = 0; i < 18; i++) await page.keyboard.press('PageDown');
  await page.getByText(/^Truck 05, Van 01 on .+ This is not live/).waitFor();
  const statusOf = (name: string) => row(page, name).locator('.status').textContent();
  await expect.poll(() => statusOf('Van 01')).toMatch(/^\w+$/);
  expect(await statusOf('Truck 05')).toMatch(/^\w+$/);
  expect(await statusOf('Car 01')).toBe('');
  // The second vehicle alone has the same numbers, and the link restores both.
  const link: string = await page.evaluate('location.href');
  await page.getByLabel('Search by name').fill('Van 01');
  await row(page, 'Van 01').click();
  await dayOf(page).waitFor();
  await panel(page)
    .locator('.numbers dd')
    .getByText(distance[1] ?? '', { exact: true })
    .waitFor();
  expect(await panel(page).locator('.compared').count()).toBe(0);
  await page.goto('about:blank');
  await page.goto(link);
  await panel(page).locator('.compared').waitFor();
  expect(await cells(page, 'Distance')).toEqual(distance);
  expect(await compare.evaluate('document.getElementById("compare").selectedOptions[0].textContent')).toBe('Van 01');
  // Escape first ends the comparison, then closes the panel.
  await page.locator('#map').focus();
  await page.keyboard.press('Escape');
  expect(await panel(page).locator('.compared').count()).toBe(0);
  expect(await panel(page).isVisible()).toBe(true);
  expect(await page.evaluate('location.hash.includes("compared")')).toBe(false);
  await compare.selectOption('Van 02');
  await panel(page).getByRole('button', { name: 'End the comparison' }).click();
  expect(await panel(page).locator('.compared').count()).toBe(0);
  expect(await page.evaluate('document.activeElement.id')).toBe('compare');
  await page.keyboard.press('Escape');
  expect(await panel(page).isVisible()).toBe(false);
  isClean(watched);
});

test('a file compares the vehicles that it holds, and a second day that cannot be read is tried again', async () => {
  const file = await open(await writeMap('--vehicle-filter', 'name=Truck*', '--on', 'yesterday'));
  await row(file.page, 'Truck 05').click();
  await panel(file.page).getByLabel('Compare with').selectOption('Truck 07');
  await panel(file.page).locator('.compared').waitFor();
  const names = await panel(file.page).locator('#compare option').allTextContents();
  expect(names[0]).toBe('no other vehicle');
  expect(names.slice(1).every((name) => /^Truck (?!05)/.test(name))).toBe(true);
  const before = await cells(file.page, 'Status');
  await file.page.getByRole('slider').focus();
  const seen = new Set([before[1]]);
  for (let i = 0; i < 30; i++) {
    await file.page.keyboard.press('PageUp');
    seen.add((await cells(file.page, 'Status'))[1]);
  }
  expect(seen.size).toBeGreaterThan(1);
  isClean(file);

  const { page } = await open(await startMap());
  await row(page, 'Truck 05').click();
  await dayOf(page).waitFor();
  await page.route('**/day?*', (route) => route.fulfill({ status: 502, json: { message: 'No day.', hint: null } }));
  await panel(page).getByLabel('Compare with').selectOption('Van 01');
  await panel(page).getByText('No day.').waitFor();
  await page.unroute('**/day?*');
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await panel(page).locator('.compared').waitFor();
  expect(await cells(page, 'Distance')).toHaveLength(2);
});
