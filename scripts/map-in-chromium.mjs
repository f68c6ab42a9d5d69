// Starts `fleet map` over the reference service, and takes pictures of its page in Chromium (CHROMIUM_PATH).
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = fileURLToPath(new URL('..', import.meta.url));
const zone = 'Europe/Vienna';
/** Of a file in WebP, from 0 to 100: text stays sharp at this. */
const quality = 80;

/** @typedef {import('playwright-core').Page} Page */

export function openChromium() {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/**
 * Starts a command that knows nothing but its flags and `env`. It is ready with its first line, or, with `isDone`, when it has ended.
 *
 * @param {readonly string[]} words @param {string} folder of its settings @param {Readonly<Record<string, string>>} env
 * @returns {Promise<{ readonly line: string, readonly child: import('node:child_process').ChildProcess }>}
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
 * A picture as WebP of the page at an address.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {{ address: string, colours: 'light' | 'dark', size: { width: number, height: number } }} what
 * @param {(page: Page) => Promise<void>} arrange what a person does before the picture
 */
export async function takePicture(browser, { address, colours, size }, arrange = async () => {}) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: colours,
    reducedMotion: 'reduce',
    // English with kilometres.
    locale: 'en-IE',
    timezoneId: zone,
  });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await rowsOf(page).first().waitFor();
    await arrange(page);
    // The ground is drawn in pieces, and nothing tells when the last one stands.
    await page.waitForTimeout(3000);
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    return Buffer.from(data, 'base64');
  } finally {
    await context.close();
  }
}
