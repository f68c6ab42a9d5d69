// @ts-check
// Apollo Client without its cache, to do as little as possible. gql caches parsed documents.
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { asking, graphqlUrl } from './peer.mjs';

/** @type {import('./peer.mjs').Open} */
export function open(target) {
  const client = new ApolloClient({
    link: new HttpLink({ uri: graphqlUrl(target), headers: target.headers }),
    cache: new InMemoryCache(),
    defaultOptions: { query: { fetchPolicy: 'no-cache' } },
  });
  const apollo = asking(async (document, variables) => {
    const { data } = await client.query({ query: gql(document), variables });
    return data;
  });
  return { ...apollo, close: async () => client.stop() };
}
