// The GraphiQL page in a real browser, which can reach only the built service.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createMockService, type Listening, type MockService } from 'fleet-telematics/mock';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { operations } from '../../src/generated/operation-table.js';
import { held } from '../held.js';
import { clock } from '../moment.js';
import { recordsOf } from '../records-of.js';
import { type Chromium, launchChromium, type WatchedPage } from './chromium.js';

let chromium: Chromium;
let service: MockService;
let server: Listening;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium.close());
// A new service for every test: late requests of the last page must not reach the next.
beforeEach(async () => {
  // A slow request: two at a time would overlap, and one would get a 429.
  service = createMockService({ latencyMs: 40, clock });
  server = await service.listen({ port: 0 });
  watched = await chromium.open(server.url);
  ({ page } = watched);
});
afterEach(async () => {
  await chromium.closePages();
  await server.close();
  expect(watched.foreignUrls).toEqual([]);
});

async function openPage(path = '/graphiql?path=/graphql'): Promise<void> {
  await page.goto(`${server.url}${path}`);
}

async function logIn(username: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function run(query: string): Promise<void> {
  await page.locator('.graphiql-query-editor .CodeMirror').click();
  await page.keyboard.press('ControlOrMeta+a');
  // Pasted, because the editor closes typed brackets.
  await page.keyboard.insertText(query);
  await page.getByRole('button', { name: /^Execute query/ }).click();
}

const result = () => page.locator('.graphiql-response .CodeMirror-code');

function firstVehicle(fleetName: string): string {
  const [first] = recordsOf(service, fleetName).vehicles;
  return `"name": "${first?.name}"`;
}

/** Returns the requests except the page, such as `200 getVehicles` or `401 /login/token`. */
const requestLog = (): string[] =>
  service.requests
    .filter(({ path }) => path !== '/graphiql')
    .map(({ status, operations, path }) => `${status} ${operations.join() || path}`);

test('log in, run a query, see data, read the documentation: nothing else on the network, nothing in the console', async ({
  annotate,
}) => {
  const opened = performance.now();
  await openPage();
  await page.getByLabel('User name').waitFor();
  const started = performance.now();
  await logIn('demo', 'demo');
  await run('{ getVehicles { id name } }');
  await result().getByText(firstVehicle('Demo Fleet')).waitFor();
  const figures = `page ${Math.round(started - opened)} ms, log in to data ${Math.round(performance.now() - started)} ms`;
  await annotate(`${figures}, Chromium ${chromium.version}`);

  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  const docs = page.locator('.graphiql-doc-explorer');
  await docs.getByRole('link', { name: 'Query' }).click();
  await docs.getByRole('link', { name: 'getActiveVehicles' }).click();
  await docs
    .getByText(/deactivated/)
    .first()
    .waitFor();

  await page.getByRole('button', { name: 'Open settings dialog' }).click();
  await page.getByRole('dialog').getByText('Theme').first().waitFor();
  await page.keyboard.press('Escape');

  expect(await page.getByRole('banner').textContent()).toContain('demo · Demo Fleet');
  expect(await page.getByLabel('User', { exact: true }).isVisible()).toBe(false);
  expect(requestLog()).toEqual(['200 /login/token', '200 /login/userinfo', '200 __schema', '200 getVehicles']);
  expect(watched.failedResponses).toEqual([]);
  expect(watched.pageErrors).toEqual([]);
});

test('a wrong password: a clear message, no password left behind, and the next try succeeds', async () => {
  await openPage();
  await logIn('demo', 'not-it');
  await page.getByRole('alert').getByText('User name or password is wrong.').waitFor();
  expect(await page.getByLabel('Password').inputValue()).toBe('');
  expect(await page.getByLabel('User name').inputValue()).toBe('demo');
  expect(watched.failedResponses).toEqual(['401 /login/token']);
  // The browser itself logs the 401; no other message is allowed.
  expect(watched.pageErrors).toEqual([expect.stringMatching(/status of 401 .*\/login\/token\)$/)]);

  await logIn('demo', 'demo');
  await page.locator('.graphiql-container').waitFor();
  expect(await page.getByRole('alert').isVisible()).toBe(false);
});

test('a login with three users offers them, asks as the chosen one, switches, and logs out', async () => {
  await openPage();
  const answer = page.waitForResponse('**/login/token').then((response) => response.json());
  await logIn('multi', 'multi');
  const choice = page.getByRole('region', { name: 'Choose a user' });
  const users = ['multi · North Fleet', 'multi · South Fleet', 'multi · West Fleet'];
  await choice.waitFor();
  expect(await choice.getByRole('button').allTextContents()).toEqual(users);
  await choice.getByRole('button', { name: 'South Fleet' }).click();
  await run('{ getVehicles { name } }');
  await result().getByText(firstVehicle('South Fleet')).waitFor();

  await page.getByLabel('User', { exact: true }).selectOption('multi · West Fleet');
  await run('{ getVehicles { name } }');
  await result().getByText(firstVehicle('West Fleet')).waitFor();
  expect(requestLog().slice(2)).toEqual(['200 __schema', '200 getVehicles', '200 __schema', '200 getVehicles']);

  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('User name').waitFor();
  expect(await page.locator('.graphiql-container').count()).toBe(0);
  expect(watched.pageErrors).toEqual([]);

  const storedTexts = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  const tokens = await answer;
  for (const secret of [tokens.access_token, tokens.refresh_token, 'multi']) {
    expect(secret).toMatch(/./);
    expect(storedTexts).not.toContain(secret);
  }
});

test('a token is refreshed before it expires, and once more when it expired unexpectedly', async () => {
  await page.clock.install();
  await openPage();
  await logIn('demo', 'demo');
  await expect.poll(requestLog).toContain('200 __schema');
  const ask = async () => {
    service.clearRequests();
    await run('{ getVehicles { name } }');
    await expect.poll(requestLog).toContain('200 getVehicles');
    return requestLog();
  };
  expect(await ask()).toEqual(['200 getVehicles']);

  // Page and service agree on the time: no request is sent with an old token.
  service.clock.advance(300_000);
  await page.clock.fastForward(300_000);
  expect(await ask()).toEqual(['200 /login/refresh', '200 getVehicles']);
  expect(watched.failedResponses).toEqual([]);

  // The service's clock runs ahead of the page's.
  service.clock.advance(300_000);
  expect(await ask()).toEqual(['401 /graphql', '200 /login/refresh', '200 getVehicles']);
  await result().getByText(firstVehicle('Demo Fleet')).waitFor();
});

test('when the refresh is refused, the page asks to log in again', async () => {
  await openPage();
  await logIn('demo', 'demo');
  await run('{ getVehicles { name } }');
  await result().getByText(firstVehicle('Demo Fleet')).waitFor();
  service.clock.advance(12 * 3_600_000);
  await page.getByRole('button', { name: /^Execute query/ }).click();
  await page.getByRole('alert').getByText('Your session has ended. Log in again.').waitFor();
  await logIn('demo', 'demo');
  await page.locator('.graphiql-container').waitFor();
});

test('the page asks one thing at a time: a query waits for the schema, and nothing ends with a 429', async () => {
  service.faults.add({ ...held, path: '/graphql' });
  await openPage();
  await logIn('demo', 'demo');
  await run('{ getVehicles { name } }');
  expect(requestLog()).toEqual(['200 /login/token', '200 /login/userinfo']);
  service.faults.clear();
  await result().getByText(firstVehicle('Demo Fleet')).waitFor();
  expect(requestLog().slice(2)).toEqual(['200 __schema', '200 getVehicles']);
});

const menu = () => page.getByLabel('Operations');
const query = () => page.locator('.graphiql-query-editor .CodeMirror-code');
const variables = () => page.locator('.graphiql-editor-tool .CodeMirror-code').first();

test('the menu has every operation, opens it with records that exist, and keeps what somebody has written', async () => {
  await openPage();
  await logIn('demo', 'demo');
  await expect.poll(() => menu().locator('optgroup option').count()).toBeGreaterThan(0);
  const names = await menu().locator('optgroup option').allTextContents();
  expect(names.sort()).toEqual(Object.keys(operations).sort());

  // GraphiQL updates the operation's name shortly after the text; until then it sends the old name.
  const isNamed = (name: string) => page.getByRole('tab', { name }).waitFor();
  await menu().selectOption('getVehicleById');
  await query().getByText('fragment', { exact: true }).first().waitFor();
  await isNamed('getVehicleById');
  await page.getByRole('button', { name: /^Execute query/ }).click();
  await result().getByText(firstVehicle('Demo Fleet')).waitFor();
  expect(watched.failedResponses).toEqual([]);

  await menu().selectOption('getSnapshots');
  await variables().getByText('"from"').waitFor();
  await isNamed('getSnapshots');
  await page.getByRole('button', { name: /^Execute query/ }).click();
  await result().getByText('"timestamp"').first().waitFor();
  expect(await page.getByRole('tab').count()).toBe(1);

  await run('{ getLabels { name } }');
  await menu().selectOption('getRoles');
  await query().getByText('getRoles').first().waitFor();
  expect(await page.getByRole('tab').count()).toBe(2);
  await page.getByRole('tab').first().click();
  await query().getByText('getLabels').waitFor();
  expect(watched.pageErrors).toEqual([]);
});

test('the request as curl does what the button does, and holds no token', async () => {
  await openPage();
  const answer = page.waitForResponse('**/login/token').then((response) => response.json());
  await logIn('demo', 'demo');
  const { access_token: token } = await answer;
  await menu().selectOption('createGroup');
  await variables().getByText('"Night shift"').waitFor();
  await page.getByText('Headers and curl').click();
  const command = page.getByLabel('Request as a curl command');
  await expect.poll(() => command.inputValue()).toContain('"operationName":"createGroup"');
  const text = await command.inputValue();
  expect(text).not.toContain(token);
  expect(text).toContain('userId: ');
  const asShell = text.replace('Night shift', "Father'\\''s night");
  const options = { env: { ...process.env, FLEET_TOKEN: token } };
  const { stdout } = await promisify(execFile)('sh', ['-c', asShell], options);
  expect(stdout).toContain(`"name":"Father's night"`);
  expect(watched.pageErrors).toEqual([]);
});

test.each([
  { fault: { kind: 'status', status: 503, times: 1, path: '/graphql' } as const, shown: /^503 Service Unavailable/ },
  { fault: { kind: 'status', status: 429, times: 1, path: '/graphql' } as const, shown: /^429 Too Many Requests/ },
])('an answer of the status $fault.status is shown as one', async ({ fault, shown }) => {
  await openPage();
  await logIn('demo', 'demo');
  await expect.poll(requestLog).toContain('200 __schema');
  service.faults.add(fault);
  await run('{ getLabels { name } }');
  await page.getByRole('status').getByText(shown).waitFor();
  await result().getByText(`"http": "${fault.status} `).waitFor();
  await page.getByRole('button', { name: /^Execute query/ }).click();
  await page
    .getByRole('status')
    .getByText(/^200 OK · \d+ ms · /)
    .waitFor();
});

test('works below a path of its own, as behind a gateway', async () => {
  await openPage('/telematics/v1/graphiql');
  await logIn('demo', 'demo');
  await run('{ getVehicles { name } }');
  await result().getByText(firstVehicle('Demo Fleet')).waitFor();
  expect(watched.failedResponses).toEqual([]);
});

test.each([
  '//evil.example/graphql',
  'https://evil.example/graphql',
  '/../graphql',
  '/\\evil.example',
  '/a%0Ab',
  '',
  '/"><script>',
])('the path %j is not taken: nobody is logged in there', async (path) => {
  await openPage(`/graphiql?path=${encodeURIComponent(path)}`);
  await page.getByRole('alert').getByText('is not a path of this service').waitFor();
  expect(await page.getByRole('button', { name: 'Log in' }).isDisabled()).toBe(true);
  expect(watched.pageErrors).toEqual([]);
});
