// The paths the service answers, and how.

/** Paths are matched by their end, so that the service can be mounted below any address. */
export const endpoints = ['/login/token', '/login/refresh', '/login/userinfo', '/graphql', '/graphiql'] as const;

export type Endpoint = (typeof endpoints)[number];

export const methods: Readonly<Record<Endpoint, string>> = {
  '/login/token': 'POST',
  '/login/refresh': 'POST',
  '/login/userinfo': 'GET',
  '/graphql': 'POST',
  '/graphiql': 'GET',
};
