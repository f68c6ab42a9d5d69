// Browser, reference service and the built `fleet map` for each test of the map page.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createMockService, type Listening, type MockService } from 'fleet-telematics/mock';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Chromium, launchChromium, type WatchedPage } from '../../../../test/browser/chromium.js';
import { clock } from '../../../../test/moment.js';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export let chromium: Chromium;
export let service: MockService;
export let server: Listening;
export let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-map-'));
  service = createMockService({ clock });
  server = await service.listen({ port: 0 });
});
afterEach(async () => {
  await chromium.closePages();
  for (const child of children.splice(0)) child.kill();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function fleet(...words: readonly string[]): ChildProcess {
  const env = {
    ...process.env,
    FLEET_BASE_URL: server.url,
    FLEET_USERNAME: 'demo',
    FLEET_PASSWORD: 'demo',
    FLEET_CONFIG_DIR: folder,
    TZ: 'Europe/Tallinn',
  };
  const child = spawn(process.execPath, [join(root, 'bin/fleet.js'), ...words], { env });
  children.push(child);
  return child;
}

/** Starts `fleet map`; returns the address that it prints. */
export function startMap(...flags: readonly string[]): Promise<string> {
  const child = fleet('map', '--every', '1s', ...flags);
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('exit', (code) => reject(new Error(`fleet map ended with ${code}`)));
  });
}

export async function writeMap(...flags: readonly string[]): Promise<string> {
  const file = join(folder, 'map.html');
  const child = fleet('map', '--file', file, ...flags);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code).toBe(0);
  return pathToFileURL(file).href;
}

export async function open(url: string): Promise<WatchedPage> {
  const { protocol, origin } = new URL(url);
  const watched = await chromium.open(protocol === 'file:' ? 'null' : origin);
  if (protocol === 'file:') await watched.page.context().setOffline(true);
  await watched.page.goto(url);
  await watched.page.locator('#count', { hasText: 'vehicle' }).waitFor();
  await rows(watched.page).first().waitFor();
  return watched;
}

export const rows = (page: Page) => page.getByRole('listbox').getByRole('option');
export const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
export const panel = (page: Page) => page.locator('#panel');
export const fact = (page: Page, name: string) => panel(page).locator(`dt:text-is("${name}") + dd`);

/** The numbers of the day, present after the read. */
export const dayOf = (page: Page) => panel(page).locator('.numbers');

/** Returns axe violations of any impact. */
export async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  // Ends colour transitions, because contrast is measured as drawn. Off the screen they may never
  // end.
  await page.evaluate('document.getAnimations().forEach((animation) => animation.finish())');
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    'axe.run().then(({ violations }) => violations)',
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

export function isClean({ pageErrors, foreignUrls, failedResponses }: WatchedPage): void {
  expect({ pageErrors, foreignUrls, failedResponses }).toEqual({
    pageErrors: [],
    foreignUrls: [],
    failedResponses: [],
  });
}
