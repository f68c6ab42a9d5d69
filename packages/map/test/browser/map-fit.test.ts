// The track of a day is fitted into the uncovered part of the map.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromium, dayOf, panel, row, startMap, writeMap } from './map-session.js';

/** Records the track's corners in the last frame. */
const recordTrack = `globalThis.track = [];
  const { moveTo, lineTo, clearRect } = CanvasRenderingContext2D.prototype;
  const isTrack = (canvas) => canvas === [...document.querySelectorAll('#map .pane')].at(-2);
  CanvasRenderingContext2D.prototype.clearRect = function (...args) {
    if (isTrack(this.canvas)) track = [];
    return clearRect.apply(this, args);
  };
  for (const [name, draw] of Object.entries({ moveTo, lineTo })) CanvasRenderingContext2D.prototype[name] = function (x, y) {
    if (isTrack(this.canvas)) track.push([x, y]);
    return draw.call(this, x, y);
  };`;

/** Returns the distances of the track from the edges of the free part; negative where covered. */
async function marginsOf(page: Page): Promise<Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>> {
  return page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const map = document.getElementById('map').getBoundingClientRect();
    const below = ['#legend', '#time', '#sheet', '#fleet', '#panel'].map((name) => document.querySelector(name).getBoundingClientRect())
      .filter(({ height, left, right }) => height > 0 && left < map.right - 1 && right > map.left + 1).map(({ top }) => top);
    const [xs, ys] = [track.map(([x]) => x), track.map(([, y]) => y)];
    const buttons = document.getElementById('map-buttons').getBoundingClientRect();
    const above = buttons.width > buttons.height ? buttons.bottom - map.top : 0;
    resolve({ left: Math.min(...xs), top: Math.min(...ys) - above, right: (above > 0 ? map.right : buttons.left) - map.left - Math.max(...xs),
      bottom: Math.min(map.bottom, ...below) - map.top - Math.max(...ys) });
  })))`);
}

test.each([
  ['live', 1_280, 800],
  ['in a file', 1_280, 800],
  ['live', 900, 700],
  ['in a file', 390, 844],
])('%s, %i pixels wide: the whole track is on the free part of the map', async (where, width, height) => {
  const url = where === 'live' ? await startMap() : await writeMap('--on', 'yesterday');
  const { page } = await chromium.open(where === 'live' ? new URL(url).origin : 'null');
  await page.setViewportSize({ width, height });
  await page.addInitScript({ content: recordTrack });
  await page.goto(url);
  for (const name of ['Truck 05', 'Truck 07']) {
    await page.getByLabel('Search by name').fill(name);
    await row(page, name).click();
    await dayOf(page).waitFor();
    await page.locator('#legend').waitFor();
    const margins = await marginsOf(page);
    expect(Object.entries(margins).filter(([, pixels]) => !(pixels >= 4 && pixels < width))).toEqual([]);
    await panel(page).getByRole('button', { name: 'Close' }).click();
  }
});
