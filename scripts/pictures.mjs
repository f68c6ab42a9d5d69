// Makes the pictures of the map in README.md and docs/map.md again: what `fleet map` shows of the demo fleet at a pinned time, in Chromium
// (CHROMIUM_PATH). docs/terminal.svg is text, and a test keeps it: test/docs/terminal-picture.test.ts.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Of the live map, and of the file of the day before. */
const afternoon = '2026-03-02T14:20:00Z';
const morningAfter = '2026-03-03T06:00:00Z';
const zone = 'Europe/Vienna';
const truck = 'Truck 02';
/** Presses of Page Up, each ten minutes. */
const pressesToEleven = 66;
/** Of a file in WebP, from 0 to 100: text stays sharp at this. */
const quality = 80;
const size = { width: 1200, height: 750 };

/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Picture
 * @property {string} file its name in docs/
 * @property {'light' | 'dark'} colours
 * @property {string} time
 * @property {readonly string[]} flags of `fleet map`; with --file the page is the file, else the live map
 * @property {(page: Page) => Promise<void>} arrange what a person does before the picture
 */

const rows = (/** @type {Page} */ page) => page.getByRole('listbox').getByRole('option');

/** The whole map of a file, at the time of the slider. */
async function showRegion(/** @type {Page} */ page) {
  await chooseTruck(page);
  await page.keyboard.press('Escape');
  await page.locator('#moment').focus();
  for (let i = 0; i < pressesToEleven; i++) await page.keyboard.press('PageUp');
}

async function chooseTruck(/** @type {Page} */ page) {
  await rows(page).filter({ hasText: truck }).click();
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

/** The environment of a command that knows nothing but the demo fleet. */
function environment(/** @type {string} */ folder) {
  return { PATH: process.env.PATH ?? '', HOME: folder, FLEET_CONFIG_DIR: folder, TZ: zone };
}

/**
 * The address of the page, and the process that must end after the picture.
 * @param {Picture} picture @param {string} folder
 */
async function show({ time, flags }, folder) {
  const isFile = flags.includes('--file');
  const path = join(folder, 'map.html');
  const words = ['map', '--demo', '--demo-time', time, ...flags, ...(isFile ? [path] : [])];
  const child = spawn(process.execPath, [join(root, 'bin/fleet.js'), ...words], { env: environment(folder) });
  const said = { out: '', error: '' };
  child.stderr.on('data', (data) => (said.error += data));
  /** @type {string} */
  const address = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      said.out += data;
      if (!isFile && said.out.includes('\n')) resolve(said.out.trim());
    });
    child.once('exit', (code) => {
      if (isFile && code === 0) resolve(pathToFileURL(path).href);
      else reject(new Error(`fleet ${words.join(' ')} ended with ${code}:\n${said.error}`));
    });
  });
  return { address, child };
}

/**
 * @param {import('playwright-core').Browser} browser @param {Picture} picture @param {string} folder
 */
async function take(browser, picture, folder) {
  const { address, child } = await show(picture, folder);
  const context = await browser.newContext({
    viewport: size,
    colorScheme: picture.colours,
    reducedMotion: 'reduce',
    // English with kilometres.
    locale: 'en-IE',
    timezoneId: zone,
  });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await rows(page).first().waitFor();
    await picture.arrange(page);
    // The ground is drawn in pieces, and nothing tells when the last one stands.
    await page.waitForTimeout(3000);
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const bytes = Buffer.from(data, 'base64');
    writeFileSync(join(root, 'docs', picture.file), bytes);
    process.stdout.write(`docs/${picture.file}: ${Math.round(bytes.length / 1000)} kB\n`);
  } finally {
    await context.close();
    child.kill();
  }
}

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const folder = mkdtempSync(join(tmpdir(), 'fleet-pictures-'));
try {
  for (const picture of pictures) await take(browser, picture, folder);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
