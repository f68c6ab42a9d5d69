// The interface that every output format implements.
import type { RenderOptions } from './render-options.js';
import type { View } from './view.js';

/** Text, or bytes for a binary format. */
export type Output = string | Uint8Array;

export interface Format<Out extends Output = string> {
  rows<Row>(rows: Iterable<Row> | AsyncIterable<Row>, view: View<Row>, options: RenderOptions): AsyncIterable<Out>;
  record<Row>(record: Row, view: View<Row>, options: RenderOptions): Iterable<Out> | AsyncIterable<Out>;
}
