// What a command gives to --watch: how to request its rows, and how to show them.
import type { PollOptions } from '../../telemetry/watch/poll.js';
import type { Context } from '../context/context.js';
import type { View } from '../output/view.js';
import type { ListShape } from '../shape/list-shape.js';
import type { RowIdentity } from './changes.js';

export interface WatchSource<Answer, Row> extends RowIdentity<Row> {
  /** The command that is watched, for the heading: `fleet vehicles status`. */
  readonly title: string;
  request(options: PollOptions): Promise<Answer>;
  /** `now` because a row may depend on the age of its data. */
  rows(answer: Answer, now: number): readonly Row[];
  /** Creates the shape for the context that prints it. */
  shape(context: Context): ListShape<Row>;
  /** Printed when there are no rows. */
  readonly emptyText: string;
  /** One line that sums up the rows. */
  summary(rows: readonly Row[], now: number): string;
  /** What stands above the table of these rows. */
  above?(rows: readonly Row[], now: number): View<Row>['above'];
  /** Says what is missing from the answer; null when nothing is. */
  missing?(answer: Answer): string | null;
}
