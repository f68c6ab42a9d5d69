// A headless Chromium that can reach one origin only, with a record of forbidden actions of a page.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

export interface WatchedPage {
  readonly page: Page;
  /** Console errors and warnings, uncaught errors, violations of the Content-Security-Policy. */
  readonly pageErrors: readonly string[];
  readonly foreignUrls: readonly string[];
  /** Failed answers of the service, as `status path`. */
  readonly failedResponses: readonly string[];
}

export interface Chromium {
  readonly version: string;
  /** Opens a page with its own storage. */
  open(origin: string): Promise<WatchedPage>;
  closePages(): Promise<void>;
  close(): Promise<void>;
}

// No flag allows connections other than those of the page.
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

async function watch(context: BrowserContext, origin: string): Promise<WatchedPage> {
  const pageErrors: string[] = [];
  const foreignUrls: string[] = [];
  const failedResponses: string[] = [];
  await context.route('**/*', (route) => {
    const { origin: requestOrigin } = new URL(route.request().url());
    // An address such as data: has the origin "null" and causes no network request.
    if (requestOrigin === origin || requestOrigin === 'null') return route.continue();
    foreignUrls.push(route.request().url());
    return route.abort();
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) pageErrors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('response', (response) => {
    if (!response.ok() && response.status() !== 304)
      failedResponses.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) => console.error('CSP: ' + event.violatedDirective + ' ' + event.blockedURI));`,
  });
  return { page, pageErrors, foreignUrls, failedResponses };
}
