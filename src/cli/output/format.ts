// The interface that every output format implements.
import type { RenderOptions } from './render-options.js';
import type { View } from './view.js';

export interface Format {
  rows<Row>(rows: Iterable<Row> | AsyncIterable<Row>, view: View<Row>, options: RenderOptions): AsyncIterable<string>;
  record<Row>(record: Row, view: View<Row>, options: RenderOptions): Iterable<string> | AsyncIterable<string>;
}
