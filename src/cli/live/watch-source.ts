// The interface of a command to --watch: how to request its rows, and how to show them.
import type { PollOptions } from '../../telemetry/watch/poll.js';
import type { Context } from '../context/context.js';
import type { View } from '../output/view.js';
import type { ListShape } from '../shape/list-shape.js';
import type { RowIdentity } from './changes.js';

export interface WatchSource<Answer, Row> extends RowIdentity<Row> {
  readonly title: string;
  request(options: PollOptions): Promise<Answer>;
  /** `now` because a row may depend on the age of its data. */
  rows(answer: Answer, now: number): readonly Row[];
  /** Creates the shape for the context that prints it. */
  shape(context: Context): ListShape<Row>;
  readonly emptyText: string;
  /** Returns one line that sums up the rows. */
  summary(rows: readonly Row[], now: number): string;
  above?(rows: readonly Row[], now: number): View<Row>['above'];
  /** Returns a message about missing data; null when the answer is complete. */
  missing?(answer: Answer): string | null;
}
