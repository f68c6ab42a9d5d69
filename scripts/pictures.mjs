// Updates the pictures of the map in README.md and docs/map.md: `fleet map` with the demo fleet at
// a pinned time, in Chromium (CHROMIUM_PATH). docs/terminal.svg is text, checked by
// test/docs/terminal-picture.heavy.test.ts. `npm run pictures -- --all <folder>` takes screenshots
// for review after a change of the page instead: three scales, light and dark, three widths, 25 and
// 5,000 vehicles, and, with `--base-map region.pmtiles`, with and without streets.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { openChromium, rowsOf, startFleet, takePicture } from './map-in-chromium.mjs';
import { root } from './source-files.mjs';

/** Times of the live map, and of the file of the day before. */
const afternoon = '2026-03-02T14:20:00Z';
const morningAfter = '2026-03-03T06:00:00Z';
const truck = 'Truck 02';
/** Presses of Page Up, each ten minutes. */
const pressesToEleven = 66;
const size = { width: 1200, height: 750 };

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Browser} Browser */

/**
 * @typedef {object} Picture
 * @property {string} file its name in docs/
 * @property {'light' | 'dark'} colours
 * @property {string} time
 * @property {readonly string[]} flags of `fleet map`; with --file the page is the file, else the
 * live map
 * @property {(page: Page) => Promise<void>} arrange the user's actions before the screenshot
 */

async function showRegion(/** @type {Page} */ page) {
  await chooseTruck(page);
  await page.keyboard.press('Escape');
  await page.locator('#moment').focus();
  for (let i = 0; i < pressesToEleven; i++) await page.keyboard.press('PageUp');
}

async function chooseTruck(/** @type {Page} */ page) {
  await rowsOf(page).filter({ hasText: truck }).click();
  await page
    .locator('#panel summary')
    .filter({ hasText: /^Stops/ })
    .waitFor();
}

/** @type {readonly Picture[]} */
const pictures = [
  { file: 'map-fleet.webp', colours: 'light', time: afternoon, flags: [], arrange: async () => {} },
  { file: 'map-day.webp', colours: 'light', time: afternoon, flags: [], arrange: chooseTruck },
  {
    file: 'map-file.webp',
    colours: 'dark',
    time: morningAfter,
    flags: ['--on', 'yesterday', '--file'],
    arrange: showRegion,
  },
];

/** @param {Browser} browser @param {string} folder */
async function takeDocumented(browser, folder) {
  for (const { file, colours, time, flags, arrange } of pictures) {
    const isFile = flags.includes('--file');
    const path = join(folder, 'map.html');
    const words = ['map', '--demo', '--demo-time', time, ...flags, ...(isFile ? [path] : [])];
    const { line, child } = await startFleet(words, folder, {}, isFile);
    const address = isFile ? pathToFileURL(path).href : line;
    const bytes = await takePicture(browser, { address, colours, size }, arrange);
    child.kill();
    writeFileSync(join(root, 'docs', file), bytes);
    process.stdout.write(`docs/${file}: ${Math.round(bytes.length / 1000)} kB\n`);
  }
}

/** All vehicles; the roads of a town; its streets. The last two are Vienna. */
const views = { fleet: '', town: '#map=10/48.20/16.38', streets: '#map=13.5/48.22/16.42' };
const widths = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
];

/**
 * @param {Browser} browser
 * @param {string} folder
 * @param {string} target
 * @param {string | undefined} baseMap
 */
async function takeAll(browser, folder, target, baseMap) {
  mkdirSync(target, { recursive: true });
  const login = { FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' };
  for (const vehicles of [25, 5000]) {
    const words = ['mock', '--port', '0', '--quiet', '--vehicles', `${vehicles}`, '--time', afternoon];
    const service = await startFleet(words, folder);
    for (const grounds of baseMap === undefined ? [[]] : [[], ['--base-map', baseMap]]) {
      const map = await startFleet(['map', ...grounds], folder, { ...login, FLEET_BASE_URL: service.line });
      for (const [view, link] of Object.entries(views))
        for (const colours of /** @type {const} */ (['light', 'dark']))
          for (const size of widths) {
            const ground = grounds.length === 0 ? 'ground' : 'streets';
            const file = join(target, `${vehicles}-${ground}-${view}-${colours}-${size.width}.webp`);
            writeFileSync(file, await takePicture(browser, { address: map.line + link, colours, size }));
            process.stdout.write(`${file}\n`);
          }
      map.child.kill();
    }
    service.child.kill();
  }
}

const { values } = parseArgs({ options: { all: { type: 'string' }, 'base-map': { type: 'string' } } });
const browser = await openChromium();
const folder = mkdtempSync(join(tmpdir(), 'fleet-pictures-'));
try {
  if (values.all === undefined) await takeDocumented(browser, folder);
  else await takeAll(browser, folder, values.all, values['base-map']);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
