// @ts-check
// @graphql-tools/batch-execute over undici: all calls of a tick become one document of any size.
import { createBatchingExecutor } from '@graphql-tools/batch-execute';
import { parse, print } from 'graphql';
import { request } from 'undici';
import { asking, graphqlUrl } from './peer.mjs';

/** @type {import('./peer.mjs').Open} */
export function open(target) {
  const url = graphqlUrl(target);
  const { headers } = target;
  const execute = createBatchingExecutor(async ({ document, variables }) => {
    const body = JSON.stringify({ query: print(document), variables });
    const answer = await request(url, { method: 'POST', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`HTTP ${answer.statusCode}`);
    return JSON.parse(text);
  });
  /** @type {Map<string, import('graphql').DocumentNode>} */
  const parsed = new Map();
  return asking(async (text, variables) => {
    const document = parsed.get(text) ?? parse(text);
    parsed.set(text, document);
    const result = await execute({ document, variables });
    if (result instanceof Error) throw result;
    // Executors may stream; this one does not.
    if (Symbol.asyncIterator in result) throw new Error('a stream was not asked for');
    if (result.errors) throw new Error(result.errors[0]?.message);
    return result.data;
  });
}
