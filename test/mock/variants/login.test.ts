// Variants of login and active requests: rotating tokens, and 429 by login.
import { describe, expect, test } from 'vitest';
import { held, untilHeld } from '../../held.js';
import { caller, frozenService, hour, refreshed, type TokenAnswer, tokens, users } from '../caller.js';

async function exchanged(fetch: typeof globalThis.fetch, refreshToken: string): Promise<Partial<TokenAnswer> | number> {
  const response = await refreshed(fetch, refreshToken);
  return response.status === 200 ? JSON.parse(await response.text()) : response.status;
}

describe('refresh tokens that rotate', () => {
  test('a refresh replaces the refresh token, and the old one is refused from then on', async () => {
    const { fetch } = frozenService({ variant: { refreshTokens: 'rotate' } });
    const first = await tokens(fetch);
    const second = await exchanged(fetch, first.refresh_token);
    expect(second).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
    if (typeof second === 'number') return;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await users(fetch, second.access_token ?? '')).toHaveLength(1);
    expect(await exchanged(fetch, first.refresh_token)).toBe(401);
    expect(await exchanged(fetch, second.refresh_token ?? '')).toMatchObject({ access_token: expect.any(String) });
  });

  test('a new refresh token has 12 hours of its own', async () => {
    const { fetch, clock } = frozenService({ variant: { refreshTokens: 'rotate' } });
    const first = await tokens(fetch);
    clock.advance(11 * hour);
    const second = await exchanged(fetch, first.refresh_token);
    clock.advance(11 * hour);
    expect(typeof second === 'number' ? second : await exchanged(fetch, second.refresh_token ?? '')).toBeTypeOf(
      'object',
    );
  });

  test('with a grace the old one works again until it is over', async () => {
    const { fetch, clock } = frozenService({ variant: { refreshTokens: { rotateWithGraceMs: 1_000 } } });
    const first = await tokens(fetch);
    expect(await exchanged(fetch, first.refresh_token)).toBeTypeOf('object');
    clock.advance(999);
    expect(await exchanged(fetch, first.refresh_token)).toBeTypeOf('object');
    clock.advance(1);
    expect(await exchanged(fetch, first.refresh_token)).toBe(401);
  });
});

test('429 by login: two users of one login have one turn between them, two logins have two', async () => {
  const variant = { turns: 'by-login' } as const;
  const service = frozenService({ variant });
  const { fetch, faults } = service;
  const [north, south, demo] = [await caller(fetch, 'multi', 0), await caller(fetch, 'multi', 1), await caller(fetch)];
  const query = '{ getRoles { id } }';
  faults.add(held);
  const active = north(query);
  await untilHeld(service);
  expect([(await south(query)).status, (await demo(query)).status]).toEqual([429, 200]);
  faults.clear();
  expect((await active).status).toBe(200);
  expect((await south(query)).status).toBe(200);
});

describe('setting a variant', () => {
  test('the option and setVariant refuse what is wrong and name it', () => {
    const service = frozenService();
    const cases: readonly (readonly [unknown, string])[] = [
      [7, 'variant must be an object'],
      [{ colour: 'red' }, 'variant cannot have "colour", only refreshTokens, '],
      [{ refreshTokens: 'spin' }, 'variant.refreshTokens must be "rotate" or an object'],
      [{ refreshTokens: { graceMs: 1 } }, 'variant.refreshTokens cannot have "graceMs", only rotateWithGraceMs'],
      [
        { refreshTokens: { rotateWithGraceMs: -1 } },
        'variant.refreshTokens.rotateWithGraceMs must be a whole number from 0',
      ],
      [{ turns: 'by-moon' }, 'variant.turns must be "by-login"'],
    ];
    for (const [value, problem] of cases) {
      // @ts-expect-error: no variant
      expect(() => service.setVariant(value)).toThrow(problem);
      // @ts-expect-error: no variant
      expect(() => frozenService({ variant: value })).toThrow(`createMockService: ${problem}`);
    }
    expect(service.variant).toEqual({});
  });

  test('it can be changed while the service runs, also over HTTP; reset returns to the first one', async () => {
    const service = frozenService({ variant: { turns: 'by-login' } });
    const put = async (variant: object) => {
      const response = await service.fetch('http://mock.test/__mock/variant', {
        method: 'PUT',
        body: JSON.stringify(variant),
      });
      return { status: response.status, text: await response.text() };
    };
    expect(await put({ refreshTokens: 'rotate' })).toMatchObject({ status: 204 });
    expect(service.variant).toEqual({ refreshTokens: 'rotate' });
    const shown = await service.fetch('http://mock.test/__mock/variant');
    expect(await shown.json()).toEqual({ refreshTokens: 'rotate' });
    expect(await put({ refreshTokens: 'spin' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('rotate'),
    });
    service.reset();
    expect(service.variant).toEqual({ turns: 'by-login' });
  });
});
