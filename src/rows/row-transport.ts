// The transport for a call whose answer is a long list: its rows are set aside, unparsed, while the response arrives, and the ordinary
// GraphQL transport reads the response without them. So the same rules for answers and failures apply to every call.
import { AbortFlag, type AbortSignalLike } from '../core/abort-flag.js';
import type { GraphQLCodec } from '../transport/graphql-codec.js';
import type { GraphQLTransport } from '../transport/graphql-transport.js';
import type { HttpTransport } from '../transport/http-transport.js';
import type { ServiceClock } from '../transport/service-clock.js';
import { arrivingBodyTransport, type BodyTaker } from './arriving-body.js';
import type { RowBuffer } from './row-buffer.js';
import type { RowReader } from './row-reader.js';
import { type ArrivingRows, RowSplitter } from './row-splitter.js';

/** Takes the rows of a response. */
export interface RowSink {
  /** The root field that is the list. */
  readonly field: string;
  /** Holds the bytes of the rows until they have been read. */
  readonly memory: RowBuffer;
  /**
   * Fires when no more rows are needed. A response that has begun is then given up at once; otherwise when it begins, because until then
   * the service works on it and would refuse the user's next request.
   */
  readonly enough: AbortSignalLike;
  /** Called when a request is sent, with the rows that its response brings, for a caller that takes them while they arrive. */
  onStart?(rows: ArrivingRows): void;
  /** Called while bytes arrive, with their number so far. May return a promise that holds the response back until it settles. */
  onProgress(bytes: number): Promise<void> | undefined;
  /** Called with all rows of a response, and its size. When a request is sent again, its rows replace the earlier ones. */
  onRows(rows: RowReader, bytes: number): void;
  /** Called when a request has failed. Returns false when it must not be sent again, because some of its rows have been delivered. */
  onFailure?(): boolean;
  /** Called when other calls wait for the turn of this one. */
  onWaitingCalls?(): void;
}

/** Requests to `{baseUrl}/graphql` whose rows go into the sink. */
export function rowTransport(
  baseUrl: string,
  http: HttpTransport,
  codec: GraphQLCodec,
  clock: ServiceClock,
  sink: RowSink,
): GraphQLTransport {
  return arrivingBodyTransport(baseUrl, http, codec, clock, (onComplete) => rowTaker(sink, onComplete));
}

function rowTaker(sink: RowSink, onComplete: (bytes: number) => void): BodyTaker {
  const splitter = new RowSplitter(sink.field, sink.memory);
  const giveUp = new AbortFlag();
  let hasBegun = false;
  const onEnough = () => {
    if (hasBegun) giveUp.abort(sink.enough.reason);
  };
  sink.enough.addEventListener('abort', onEnough);
  sink.onStart?.(splitter);
  return {
    giveUp,
    onPiece() {
      hasBegun = true;
      if (sink.enough.aborted) giveUp.abort(sink.enough.reason);
    },
    take(bytes) {
      splitter.feed(bytes);
      return sink.onProgress(splitter.bytes);
    },
    end() {
      const { rows, rest } = splitter.end();
      onComplete(splitter.bytes);
      sink.onRows(rows, splitter.bytes);
      return rest;
    },
    discard: () => splitter.discard(),
    close: () => sink.enough.removeEventListener('abort', onEnough),
  };
}
