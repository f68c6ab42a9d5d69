// Starts `fleet map` over the reference service, and takes screenshots in Chromium (CHROMIUM_PATH).
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from './source-files.mjs';

const zone = 'Europe/Vienna';
/** WebP quality from 0 to 100: text stays sharp at this value. */
const quality = 80;

/** @typedef {import('playwright-core').Page} Page */

export function openChromium() {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/**
 * Starts a command with only its flags and `env`. It is ready with its first line, or, with
 * `isDone`, after its end.
 * @param {readonly string[]} words
 * @param {string} folder of its settings
 * @param {Readonly<Record<string, string>>} env
 * @returns
 * {Promise<{ readonly line: string, readonly child: import('node:child_process').ChildProcess }>}
 */
export function startFleet(words, folder, env = {}, isDone = false) {
  const child = spawn(process.execPath, [join(root, 'bin/fleet.js'), ...words], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, FLEET_CONFIG_DIR: folder, TZ: zone, ...env },
  });
  const said = { out: '', error: '' };
  child.stderr.on('data', (data) => (said.error += data));
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      said.out += data;
      if (!isDone && said.out.includes('\n')) resolve({ line: said.out.trim(), child });
    });
    child.once('exit', (code) => {
      if (isDone && code === 0) resolve({ line: '', child });
      else reject(new Error(`fleet ${words.join(' ')} ended with ${code}:\n${said.error}`));
    });
  });
}

export const rowsOf = (/** @type {Page} */ page) => page.getByRole('listbox').getByRole('option');

/**
 * Returns a screenshot of a page as WebP.
 * @param {import('playwright-core').Browser} browser
 * @param {{ address: string, colours: 'light' | 'dark', size: { width: number, height: number } }}
 * what
 * @param {(page: Page) => Promise<void>} arrange the user's actions before the screenshot
 */
export async function takePicture(browser, { address, colours, size }, arrange = async () => {}) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: colours,
    reducedMotion: 'reduce',
    locale: 'en-IE',
    timezoneId: zone,
  });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await rowsOf(page).first().waitFor();
    await arrange(page);
    // The base map is drawn in pieces, and no event reports the last one.
    await page.waitForTimeout(3000);
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    return Buffer.from(data, 'base64');
  } finally {
    await context.close();
  }
}
