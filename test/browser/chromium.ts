// A headless Chromium that reaches one origin only, and a record of all that a page must not do.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

/** What went wrong in a page, in the order it happened. */
export interface Watched {
  readonly page: Page;
  /** Console errors and warnings, uncaught errors, violations of the Content-Security-Policy. */
  readonly complaints: readonly string[];
  /** Addresses outside the service that the page asked for. */
  readonly strays: readonly string[];
  /** Answers of the service other than success, as `status path`. */
  readonly refusals: readonly string[];
}

export interface Chromium {
  readonly version: string;
  /** A page of its own, with a storage of its own. */
  open(origin: string): Promise<Watched>;
  closePages(): Promise<void>;
  close(): Promise<void>;
}

// Beside running headless: nothing that could talk to anybody but the page's service.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

export async function launchChromium(): Promise<Chromium> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const folder = mkdtempSync(join(tmpdir(), 'fleet-chromium-'));
  const browser = await chromium.launch({ executablePath, headless: true, args: flags, downloadsPath: folder });
  const contexts: BrowserContext[] = [];
  return {
    version: browser.version(),
    async open(origin) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
      contexts.push(context);
      return watch(context, origin);
    },
    async closePages() {
      for (const context of contexts.splice(0)) await context.close();
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function watch(context: BrowserContext, origin: string): Promise<Watched> {
  const complaints: string[] = [];
  const strays: string[] = [];
  const refusals: string[] = [];
  await context.route('**/*', (route) => {
    const { origin: asked } = new URL(route.request().url());
    // An address such as data: has the origin "null" and leaves the browser for nowhere.
    if (asked === origin || asked === 'null') return route.continue();
    strays.push(route.request().url());
    return route.abort();
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('response', (response) => {
    if (!response.ok() && response.status() !== 304)
      refusals.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) => console.error('CSP: ' + event.violatedDirective + ' ' + event.blockedURI));`,
  });
  return { page, complaints, strays, refusals };
}
