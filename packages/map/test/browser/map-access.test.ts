// Accessibility of the map page: keyboard only, phone, zoomed, and checked by axe.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dayOf, findings, isClean, open, panel, row, startMap } from './map-session.js';

const tab = async (page: Page) => {
  await page.keyboard.press('Tab');
  return page.evaluate<Stop>(`(() => {
    const element = document.activeElement;
    if (element === document.body) return { name: '', wrong: '' };
    const { left, top, width, height } = element.getBoundingClientRect();
    const at = document.elementFromPoint(left + Math.min(width / 2, innerWidth - left - 1), top + Math.min(height, 40) / 2);
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return {
      name: element.id || element.getAttribute('aria-label') || element.textContent.slice(0, 40),
      wrong: [
        at !== null && (element.contains(at) || at.contains(element)) ? '' : 'cannot be seen',
        outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 ? '' : 'shows no focus',
      ].join(' ').trim(),
    };
  })()`);
};

interface Stop {
  readonly name: string;
  /** The accessibility problem, or empty. */
  readonly wrong: string;
}

/** Returns all Tab stops, first to last. */
async function walk(page: Page): Promise<readonly Stop[]> {
  await page.evaluate('document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute("tabindex")');
  const stops: Stop[] = [];
  for (let i = 0; i < 120; i++) {
    const stop = await tab(page);
    if (stop.name === '' || (stops.length > 3 && stop.name === stops[0]?.name)) break;
    stops.push(stop);
  }
  return stops;
}

const controls = {
  bar: ['units', 'zone', 'language', 'theme'],
  list: ['query', 'sort', 'list'],
  day: ['Close', 'day', 'compare', 'End the comparison'],
  map: ['map', 'zoom-in', 'zoom-out', 'fit', 'heat', 'follow'],
  time: ['play', 'rate', 'moment'],
} as const;

const { bar, list, day, map, time } = controls;

test.each([
  ['wide', 1_280, 800, [...bar, ...list, ...day, ...map, ...time]],
  ['at 200 %', 640, 400, [...bar, ...day, ...map, ...time]],
  ['on a phone', 390, 844, [...bar, 'sheet-handle', ...day, ...map, ...time]],
])('%s, the keyboard reaches everything, and shows where it is', async (_, width, height, requiredStops) => {
  const watched = await open(await startMap());
  const { page } = watched;
  await page.setViewportSize({ width, height });
  // Selects a vehicle without a pointer.
  await page.getByLabel('Search by name').focus();
  await page.keyboard.type('Truck 05');
  await page.locator('#count', { hasText: '1 of 25' }).waitFor();
  await page.getByRole('listbox', { name: 'Vehicles' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await dayOf(page).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('panel-title');
  await page.getByLabel('Compare with').focus();
  await page.keyboard.type('Van 01');
  await panel(page).locator('.compared').waitFor();
  const stops = await walk(page);
  expect(stops.filter(({ wrong }) => wrong !== '')).toEqual([]);
  const names = stops.map(({ name }) => name);
  expect(requiredStops.filter((name) => !names.includes(name))).toEqual([]);
  // Trips and sections are Tab stops.
  expect(names.filter((name) => /^(Trips|Stops) \(/.test(name))).toHaveLength(2);
  expect(names.filter((name) => / – /.test(name)).length).toBeGreaterThan(3);
  isClean(watched);
});

test('on a phone the list is a sheet over the map: closed, half and full, by key and by dragging', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await page.setViewportSize({ width: 390, height: 844 });
  const handle = page.locator('#sheet-handle');
  const state = async () => [await handle.getAttribute('aria-expanded'), await handle.getAttribute('aria-label')];
  const height = async () => (await page.locator('#sheet').boundingBox())?.height ?? 0;
  const whole = (await page.locator('#map').boundingBox())?.height ?? 0;
  expect(await state()).toEqual(['true', 'List and details over the whole map']);
  expect(await height()).toBeCloseTo(whole / 2, -1);
  // Elements at the map's lower edge are above the sheet.
  const top = (await page.locator('#sheet').boundingBox())?.y ?? 0;
  for (const id of ['#scale', '#attribution']) {
    const box = await page.locator(id).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(top);
  }
  await handle.focus();
  await page.keyboard.press('Enter');
  expect(await state()).toEqual(['true', 'Hide list and details']);
  expect(await height()).toBeCloseTo(whole, -1);
  const covered = await walk(page);
  expect(covered.filter(({ wrong }) => wrong !== '')).toEqual([]);
  expect(covered.map(({ name }) => name)).not.toContain('zoom-in');
  await handle.focus();
  await page.keyboard.press('Enter');
  expect(await state()).toEqual(['false', 'Show list and details']);
  expect(await height()).toBe(44);
  const closed = (await walk(page)).map(({ name }) => name);
  expect(closed).toContain('zoom-in');
  expect(closed).not.toContain('query');
  await handle.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await height()).toBeCloseTo(whole, -1);
  await page.keyboard.press('ArrowDown');
  expect(await height()).toBeCloseTo(whole / 2, -1);
  // Drags to the lower edge and back.
  const drag = async (y: number) => {
    const box = await handle.boundingBox();
    await page.mouse.move(195, (box?.y ?? 0) + 20);
    await page.mouse.down();
    await page.mouse.move(195, y, { steps: 5 });
    await page.mouse.up();
  };
  await drag(838);
  expect(await state()).toEqual(['false', 'Show list and details']);
  await drag(160);
  expect(await state()).toEqual(['true', 'Hide list and details']);
  // Map, selection and slider do not overlap.
  await row(page, 'Car 02').click();
  await dayOf(page).or(panel(page).locator('.summary')).waitFor();
  await page.locator('#time').waitFor();
  expect(await height()).toBeLessThan(whole * 0.6);
  const [sheet, bar] = [await page.locator('#sheet').boundingBox(), await page.locator('#time').boundingBox()];
  expect((sheet?.y ?? 0) + (sheet?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
  isClean(watched);
});

test.each([
  [1_280, 800],
  [640, 400],
  [390, 844],
  [320, 256],
])(
  '%i × %i pixels, light and dark: no finding of axe of any weight, nothing to scroll sideways, nothing cut off',
  async (width, height) => {
    const watched = await open(await startMap());
    const { page } = watched;
    await page.setViewportSize({ width, height });
    const cut = () =>
      page.evaluate<
        readonly string[]
      >(`[...document.querySelectorAll('button, select, input, summary, p, h1, h2, dt, dd, th, td, .legend, .item span')]
      .filter((element) => {
        if (element.closest('.unseen, .row') || !element.checkVisibility()) return false;
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (left < -1 || right > innerWidth + 1 || element.scrollWidth > Math.ceil(width) + 1);
      }).map((element) => element.id || element.outerHTML.slice(0, 80))`);
    const check = async (what: string) => {
      expect([what, await findings(page), await cut()]).toEqual([what, [], []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    };
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await check(`list, ${colorScheme}`);
      await page.locator('#share summary').click();
      await check(`share menu, ${colorScheme}`);
      await page.locator('#share summary').click();
    }
    await page.getByLabel('Search by name').fill('Truck 05');
    await row(page, 'Truck 05').click();
    await dayOf(page).waitFor();
    await panel(page).getByLabel('Compare with').selectOption('Van 01');
    await panel(page).locator('.compared').waitFor();
    await page.getByLabel('Time zone').selectOption('UTC');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await check(`day, ${colorScheme}`);
    }
    isClean(watched);
  },
);
