// The HTTP responses of the GraphiQL page: headers, caching, files, licences.
import { createMockService, type Listening } from 'fleet-telematics/mock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../graphiql/package.json' with { type: 'json' };
import { graphiqlPage } from '../../src/mock/graphiql/page.js';
import { clock } from '../moment.js';

const service = createMockService({ clock });
let server: Listening;

beforeAll(async () => {
  server = await service.listen({ port: 0 });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });

test('the page allows its own origin only, runs no inline script and says nothing that came with the address', async () => {
  const answer = await get(`/graphiql?path=${encodeURIComponent('//evil.example/"><script>alert(1)</script>')}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const policy = new Map(
    (answer.headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
      const [name = '', ...sources] = rule.split(' ');
      return [name, sources.join(' ')];
    }),
  );
  expect(policy.get('default-src')).toBe("'none'");
  expect(policy.get('script-src')).toBe("'self'");
  expect(policy.get('connect-src')).toBe("'self'");
  expect(policy.get('form-action')).toBe("'none'");
  const text = await answer.text();
  expect(text).not.toContain('evil');
  expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|https?:/);
});

test('every file that the page and its modules name is there, with the right type, and is sent once only', async () => {
  const html = await (await get('/graphiql')).text();
  const names = [...html.matchAll(/(?:src|href)="graphiql\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
  expect(names).toContain('main.js');
  for (const name of names) {
    const answer = await get(`/graphiql/assets/${name}`);
    expect(answer.status, name).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(name.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const text = await answer.text();
    expect(text, name).not.toMatch(/sourceMappingURL=|@font-face/);
    for (const [, imported = ''] of text.matchAll(/\bfrom ?"\.\/([^"]+)"/g)) names.push(imported);

    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await get(`/graphiql/assets/${name}`, { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
  }
  expect(names).toContain('session.js');
});

test.each(['page.html', 'main.d.ts', 'constructor', '__proto__', '..%2fpage.js', '%2e%2e/page.js', 'nothing.js', ''])(
  'there is no file %j',
  async (name) => {
    expect((await get(`/graphiql/assets/${name}`)).status).toBe(404);
  },
);

test('the licences of what is served are served beside it', async () => {
  const text = await (await get('/graphiql/assets/licenses.txt')).text();
  for (const name of ['graphiql', 'react', 'react-dom'] as const) {
    expect(text).toContain(`\n${name} ${manifest.dependencies[name]} (MIT)`);
  }
  expect(text).toMatch(/Permission is hereby granted/);
});

test('a service that runs from its sources says what to do', () => {
  const answer = graphiqlPage();
  expect(answer.status).toBe(503);
  expect(answer.body).toContain('npm run build');
});
