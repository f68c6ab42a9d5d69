// The paths of the service and the HTTP method of each.

/** Compared with the end of a request's path, so the service can be mounted at any prefix. */
export const endpoints = ['/login/token', '/login/refresh', '/login/userinfo', '/graphql', '/graphiql'] as const;

export type Endpoint = (typeof endpoints)[number];

export const methods: Readonly<Record<Endpoint, string>> = {
  '/login/token': 'POST',
  '/login/refresh': 'POST',
  '/login/userinfo': 'GET',
  '/graphql': 'POST',
  '/graphiql': 'GET',
};
