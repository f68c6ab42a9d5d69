// The heat map of the map page: its period, progress and note.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dayOf, findings, isClean, open, row, startMap, writeMap } from './map-session.js';

const note = (page: Page) => page.locator('#heat-text');
const period = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Period of the heat map' }).getByRole('button', { name });

test('a week is read a day at a time, says how far it is, ends when nobody looks, and is in the link', async () => {
  const watched = await open(await startMap('Truck 05'));
  const { page } = watched;
  const queries: string[] = [];
  let isHeld = true;
  const held: (() => void)[] = [];
  await page.route('**/roads?*', async (route) => {
    queries.push(new URL(route.request().url()).search);
    if (isHeld && queries.length === 3) await new Promise<void>((resolve) => held.push(resolve));
    // An aborted request cannot be continued.
    await route.continue().catch(() => undefined);
  });
  const heat = page.getByRole('button', { name: /^Heat map/ });
  expect(await heat.textContent()).toContain('Heat');
  await heat.click();
  await page.getByText('last 24 h, up to 50 vehicles').waitFor();
  await period(page, '7 days').click();
  await expect
    .poll(() => note(page).textContent())
    .toBe(
      'How often vehicles drove here · last 7 days, up to 50 vehicles · until Mon, Mar 2, 11:30 · 3 of 7 days read',
    );
  // One request at a time.
  expect(queries).toEqual(['?ago=1', '?ago=2', '?ago=3']);
  expect(await findings(page)).toEqual([]);
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('ago=3'));
  await heat.click();
  await aborted;
  expect(await note(page).isVisible()).toBe(false);
  expect(queries).toHaveLength(3);
  isHeld = false;
  for (const answer of held) answer();
  await heat.click();
  await expect
    .poll(() => note(page).textContent())
    .toBe('How often vehicles drove here · last 7 days, up to 50 vehicles · until Mon, Mar 2, 11:30');
  // Resumes with the day at which it was stopped.
  expect(queries.slice(3)).toEqual(['?ago=3', '?ago=4', '?ago=5', '?ago=6']);
  expect(await page.evaluate('location.hash')).toContain('heat=7d');
  await page.reload();
  await expect.poll(() => note(page).textContent()).toContain('last 7 days');
  expect(await period(page, '7 days').getAttribute('aria-pressed')).toBe('true');
  isClean(watched);
});

test('a file has the heat of its period only', async () => {
  const watched = await open(await writeMap('--on', 'yesterday'));
  const { page } = watched;
  await page.getByRole('button', { name: /^Heat map/ }).click();
  expect(await note(page).textContent()).toMatch(/^How often vehicles drove here · .+ – /);
  expect(await period(page, '7 days').isVisible()).toBe(false);
  isClean(watched);
});

test('the words of the heat map, the legend of speeds and the scale are beside each other, at any width', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  const boxes = (...ids: string[]) =>
    page.evaluate<readonly string[]>(`(() => {
      const boxes = ${JSON.stringify(ids)}.map((id) => [id, document.getElementById(id).getBoundingClientRect()]);
      return boxes.flatMap(([one, a], i) => boxes.slice(i + 1).flatMap(([other, b]) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom ? [one + ' and ' + other] : []));
    })()`);
  const sizes = [
    { width: 1_280, height: 800 },
    { width: 900, height: 700 },
    { width: 390, height: 844 },
  ] as const;
  await page.getByRole('button', { name: /^Heat map/ }).click();
  for (const size of sizes) {
    await page.setViewportSize(size);
    expect([size, await boxes('heat-note', 'scale', 'attribution')]).toEqual([size, []]);
  }
  await page.getByLabel('Search by name').fill('Truck 05');
  await row(page, 'Truck 05').click();
  await dayOf(page).waitFor();
  await page.locator('#legend').waitFor();
  for (const size of sizes) {
    await page.setViewportSize(size);
    expect([size, await boxes('heat-note', 'legend', 'attribution')]).toEqual([size, []]);
  }
  isClean(watched);
});
