// The controls of the map page: day, share menu, chart, also on a phone.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { languages } from '../../src/page/words/language.js';
import { chromium, dayOf, isClean, open, panel, row, rows, service, startMap, writeMap } from './map-session.js';

const choose = async (page: Page, name: string) => {
  await page.getByLabel('Search by name').fill(name);
  await row(page, name).click();
  await dayOf(page).waitFor();
};
const box = async (page: Page, selector: string) =>
  (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

test('the day is chosen below the title, a day back and forth or yesterday, and stays where it is', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await choose(page, 'Truck 05');
  const field = page.getByLabel('Day', { exact: true });
  const next = panel(page).getByRole('button', { name: 'Next day' });
  const { y } = await box(page, '#day');
  expect(await next.isDisabled()).toBe(true);
  await panel(page).getByRole('button', { name: 'Previous day' }).click();
  expect(await field.inputValue()).toBe('2026-03-01');
  // The banner shows the same day as after the read.
  expect(await page.locator('#past-text').textContent()).toContain('Mar 1, 2026');
  await next.click();
  expect(await field.inputValue()).toBe('2026-03-02');
  await panel(page).getByRole('button', { name: 'Yesterday' }).click();
  expect(await field.inputValue()).toBe('2026-03-01');
  await dayOf(page).waitFor();
  const banner = await box(page, '#past');
  expect((await box(page, '#day')).y - banner.height).toBeCloseTo(y, 0);
  isClean(watched);
});

test('a date can be typed, whatever data comes meanwhile; an empty field chooses nothing', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await choose(page, 'Truck 05');
  const field = page.getByLabel('Day', { exact: true });
  await field.focus();
  await page.keyboard.press('Delete');
  expect(await field.inputValue()).toBe('');
  // No request is sent, and the field stays, also after new data.
  service.clock.advance(60_000);
  await page.locator('#connection', { hasText: '11:31:' }).waitFor();
  expect(await field.inputValue()).toBe('');
  expect(await panel(page).getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await page.keyboard.type('02');
  await page.keyboard.type('14');
  await expect.poll(() => field.inputValue()).toBe('2026-02-14');
  await dayOf(page).waitFor();
  await expect.poll(() => page.evaluate<string>('location.hash')).toContain('day=2026-02-14');
  await field.focus();
  await page.keyboard.press('Delete');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect.poll(() => field.inputValue()).toBe('2026-02-14');
  isClean(watched);
});

test('accepts a typed time whatever data comes meanwhile, and ignores a half-typed one', async () => {
  const url = await startMap();
  const watched = await open(url);
  const { page } = watched;
  await choose(page, 'Truck 05');
  const field = page.getByLabel('Exact time');
  const said = () => page.getByRole('slider').getAttribute('aria-valuetext');
  const hash = () => page.evaluate<string>('location.hash');
  expect(await field.inputValue()).toMatch(/^11:3\d:\d\d$/);
  const before = await said();
  await field.focus();
  await page.keyboard.press('Delete');
  expect(await field.inputValue()).toBe('');
  // New data redraws the slider's time.
  service.clock.advance(60_000);
  await page.locator('#connection', { hasText: '11:31:' }).waitFor();
  await page.locator('#units').dispatchEvent('click');
  await expect.poll(said).toMatch(/mph$/);
  expect([await field.inputValue(), (await said())?.slice(0, 8)]).toEqual(['', before?.slice(0, 8)]);
  await page.getByLabel('Day', { exact: true }).fill('2026-02-27');
  await expect.poll(said).toMatch(/^23:59:59/);
  expect(await field.inputValue()).toBe('23:59:59');
  await field.focus();
  await page.keyboard.type('073015AM');
  await page.keyboard.press('Enter');
  await expect.poll(said).toMatch(/^07:30:15 · /);
  await expect.poll(hash).toContain('at=2026-02-27T05:30:15Z');
  // Takes effect after a pause, in the displayed zone.
  await page.getByLabel('Time zone').selectOption('UTC');
  expect(await field.inputValue()).toBe('05:30:15');
  await page.getByRole('slider').focus();
  await field.focus();
  await page.keyboard.type('08');
  await expect.poll(said).toMatch(/^08:30:15 · /);
  // A half-typed time is ignored.
  await page.keyboard.press('Delete');
  await page.keyboard.press('Shift+Tab');
  await page.getByRole('slider').focus();
  expect(await field.inputValue()).toBe('08:30:15');
  await page.keyboard.press('Shift+ArrowRight');
  expect(await field.inputValue()).toBe('08:30:16');
  isClean(watched);
});

test('a time of today that has not come is the end, and stays in the field until it is left', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await choose(page, 'Truck 05');
  const field = page.getByLabel('Exact time');
  const said = () => page.getByRole('slider').getAttribute('aria-valuetext');
  await field.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(said).toMatch(/^10:3/);
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowUp');
  await expect.poll(said).toMatch(/^11:3/);
  expect(await field.inputValue()).toMatch(/^13:3/);
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toMatch(/^11:3/);
  isClean(watched);
});

test('the time field fits on a phone in all languages, and several days have none', async () => {
  const url = await startMap();
  const { page } = await chromium.open(new URL(url).origin);
  for (const language of languages) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${url}?lang=${language}`);
    await page.locator('#count', { hasText: '25' }).waitFor();
    await page.locator('#query').fill('Truck 05');
    await rows(page).first().click();
    await page.locator('#clock').waitFor();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      const { x, width: wide } = await box(page, '#clock');
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + wide).toBeLessThanOrEqual(width);
      expect(await page.evaluate('document.getElementById("time").scrollWidth')).toBeLessThanOrEqual(width);
    }
  }
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('#clock').isVisible()).toBe(false);

  const file = await open(await writeMap('Truck 05', '--from', '-3d'));
  expect(await file.page.getByRole('slider').isVisible()).toBe(true);
  expect(await file.page.getByLabel('Exact time').count()).toBe(1);
  expect(await file.page.getByLabel('Exact time').isVisible()).toBe(false);
  expect(await file.page.locator('#moment-text').textContent()).toMatch(/\d\d:\d\d/);
});

test('a day without positions has no slider to play', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await choose(page, 'Truck 05');
  await page.getByRole('button', { name: 'Play' }).waitFor();
  await page.getByLabel('Day', { exact: true }).fill('2020-01-01');
  await panel(page).getByText('There are no positions on this day.').waitFor();
  expect(await page.locator('#time').isVisible()).toBe(false);
  await panel(page).getByRole('button', { name: 'Yesterday' }).click();
  await page.getByRole('button', { name: 'Play' }).waitFor();
  isClean(watched);
});

test('the chart names the event, and the map the stop, that the pointer is at', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await choose(page, 'Truck 05');
  await panel(page).getByRole('button', { name: 'Yesterday' }).click();
  await dayOf(page).waitFor();
  const item = panel(page).locator('details', { hasText: 'Driver behaviour (' }).locator('.item').first();
  const [time = '', about = ''] = [
    (await item.locator('strong').textContent()) ?? '',
    (await item.locator('span').first().textContent()) ?? '',
  ];
  const [name = ''] = about.split(' · ');
  const chart = await box(page, '#strip');
  const part = (Date.parse(`1970-01-01T${time}Z`) / 86_400_000) * chart.width;
  const tip = page.locator('#chart-tip');
  await page.mouse.move(chart.x + part - 1, chart.y + 4);
  expect(await tip.textContent()).toContain(`${time} · ${name} · `);

  await page.evaluate(`(() => {
    const map = document.getElementById('map');
    const { left, top, width, height } = map.getBoundingClientRect();
    for (let y = top; y < top + height; y += 6) for (let x = left; x < left + width; x += 6) {
      map.dispatchEvent(new MouseEvent('mousemove', { clientX: x, clientY: y, bubbles: true }));
      if (/stop \\d/.test(document.querySelector('#chart-tip:not([hidden])')?.textContent)) return;
    }
  })()`);
  expect(await tip.textContent()).toMatch(/^\d\d:\d\d:\d\d · (.+ · )?stop \d+, .+(min|s)( · |$)/);
  isClean(watched);
});

test('the words of a moment are on the chart, over nothing else', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await choose(page, 'Truck 05');
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const chart = await box(page, '#strip');
    for (const part of [0.02, 0.3, 0.49, 0.51, 0.7, 0.98]) {
      await page.mouse.move(chart.x + chart.width * part, chart.y + chart.height / 2);
      await page.locator('#chart-tip').waitFor();
      const tip = await box(page, '#chart-tip');
      expect(tip.x).toBeGreaterThanOrEqual(chart.x - 8);
      expect(tip.x + tip.width).toBeLessThanOrEqual(chart.x + chart.width + 8);
      expect(tip.y).toBeGreaterThanOrEqual(chart.y);
    }
  }
  isClean(watched);
});

test('the menu to share says whom the link is for, and closing it does nothing else', async () => {
  const watched = await open(await startMap());
  const { page } = watched;
  await page.locator('#share summary').click();
  await page.getByText('This link works on this machine only').waitFor();
  const first = await row(page, 'Truck 01').boundingBox();
  await page.mouse.click((first?.x ?? 0) + 20, (first?.y ?? 0) + 10);
  expect(await page.locator('#copy-link').isVisible()).toBe(false);
  expect(await panel(page).isVisible()).toBe(false);
  // The next click has its normal effect.
  await page.mouse.click((first?.x ?? 0) + 20, (first?.y ?? 0) + 10);
  expect(await panel(page).isVisible()).toBe(true);
  isClean(watched);
});

test('on a phone the bar has two rows, a stop lowers the sheet, and the arrow at the edge is free', async () => {
  const url = await startMap();
  const { page } = await chromium.open(new URL(url).origin);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const language of languages) {
    await page.goto(`${url}?lang=${language}`);
    await page.locator('#count', { hasText: '25' }).waitFor();
    expect([language, (await box(page, '.bar')).height]).toEqual([language, expect.toSatisfy((height) => height < 90)]);
    // The search placeholder is not truncated.
    const cut = await page.evaluate<number>(`(() => {
      const field = document.getElementById('query');
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      const context = document.createElement('canvas').getContext('2d');
      context.font = font;
      return context.measureText(field.placeholder).width - (field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
    })()`);
    expect([language, cut]).toEqual([language, expect.toSatisfy((pixels) => pixels <= 0)]);
  }
  await page.goto(url);
  await choose(page, 'Truck 05');
  const handle = page.locator('#sheet-handle');
  await handle.focus();
  await page.keyboard.press('ArrowUp');
  expect(await page.locator('#sheet').getAttribute('data-state')).toBe('full');
  await panel(page).locator('.item').first().click();
  expect(await page.locator('#sheet').getAttribute('data-state')).toBe('half');
  // The arrow to a vehicle off the screen does not overlap the buttons.
  const map = await box(page, '#map');
  for (let i = 0; i < 3; i++) {
    await page.mouse.move(300, map.y + 190);
    await page.mouse.down();
    await page.mouse.move(200, map.y + 20, { steps: 4 });
    await page.mouse.up();
  }
  await page.locator('#edge').waitFor();
  const [edge, buttons, sheet] = [await box(page, '#edge'), await box(page, '#map-buttons'), await box(page, '#sheet')];
  expect(edge.y + edge.height).toBeLessThanOrEqual(sheet.y);
  expect(edge.y >= buttons.y + buttons.height || edge.x + edge.width <= buttons.x).toBe(true);
});
