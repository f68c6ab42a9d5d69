import { expect, it } from 'vitest';
import { createMockService } from '../../src/mock/service.js';

it('answers', async () => {
  const service = createMockService();
  const form = new FormData();
  form.set('username', 'demo');
  form.set('password', 'demo');
  const t = await service.fetch('http://x/login/token', { method: 'POST', body: form });
  const { access_token: token } = JSON.parse(await t.text());
  const u = await service.fetch('http://x/login/userinfo', { headers: { authorization: `Bearer ${token}` } });
  const [{ userId }] = JSON.parse(await u.text());
  const g = await service.fetch('http://x/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, userId, 'content-type': 'application/json' },
    body: JSON.stringify({
      query:
        '{ getVehicles { id name vin lastData { timestamp gps { latitude } } latestData { geofenceData { geofenceIds } address { address }} } }',
    }),
  });
  const body = await g.text();
  expect(body).toContain('Van 01');
  expect(g.status).toBe(200);
});
