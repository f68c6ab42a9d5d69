// The transport for a document whose root fields are long lists: as for a single one, their rows are set aside, unparsed, while the response
// arrives. The next document can be sent before they are parsed.
import { AbortFlag } from '../core/abort-flag.js';
import type { GraphQLCodec } from '../transport/graphql-codec.js';
import type { GraphQLTransport } from '../transport/graphql-transport.js';
import type { HttpTransport } from '../transport/http-transport.js';
import { decompressedLimit, type ResponseLimit, ResponseTooLarge } from '../transport/response-limits.js';
import type { ServiceClock } from '../transport/service-clock.js';
import { arrivingBodyTransport, type BodyTaker } from './arriving-body.js';
import { ListRows, type ListSink } from './list-rows.js';
import { RowScanner } from './row-scanner.js';

/** Requests to `{baseUrl}/graphql`. `sinks`: by the names that the lists have in the response. A value that is no list stays in the answer. */
export function listsTransport(
  baseUrl: string,
  http: HttpTransport,
  codec: GraphQLCodec,
  clock: ServiceClock,
  sinks: ReadonlyMap<string, ListSink>,
  limit: ResponseLimit,
): GraphQLTransport {
  return arrivingBodyTransport(baseUrl, http, codec, clock, (onComplete) => listsTaker(sinks, limit, onComplete));
}

function listsTaker(
  sinks: ReadonlyMap<string, ListSink>,
  limit: ResponseLimit,
  onComplete: (bytes: number) => void,
): BodyTaker {
  const scanner = new RowScanner(sinks.keys());
  const giveUp = new AbortFlag();
  let compressed = 0;
  let bytes = 0;
  return {
    giveUp,
    onPiece(size) {
      compressed += size;
    },
    take(decompressed) {
      bytes += decompressed.length;
      const most = compressed === 0 ? limit.maxBytes : decompressedLimit(compressed, limit);
      if (bytes > most) giveUp.abort(new ResponseTooLarge(most));
      else scanner.feed(decompressed);
      return undefined;
    },
    end() {
      // What a decompressor gives after the last byte, or a fetch without a stream, may be too much as well.
      if (giveUp.aborted) throw giveUp.reason;
      const { lists, rest } = scanner.end();
      onComplete(bytes);
      for (const [field, batches] of lists) sinks.get(field)?.(new ListRows(batches));
      return rest;
    },
    discard: () => undefined,
    close: () => undefined,
  };
}
