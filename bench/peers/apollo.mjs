// @ts-check
// Apollo Client with its cache passed by: as little as it can do. gql keeps what it parsed.
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
