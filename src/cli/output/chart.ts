// The chart format: one bar for each row, with label and value. The longest bar fills the line.
import stringWidth from 'string-width';
import { CliError } from '../errors/cli-error.js';
import { plainText } from '../io/plain-text.js';
import { barOf } from './bar.js';
import type { Format } from './format.js';
import { shorten } from './table.js';
import type { ChartMeasure, View } from './view.js';

const WIDTH = 80;
const [NARROWEST_BAR, WIDEST_BAR] = [8, 80];
const LABELS = 0.4;
const GAP = 2;

export const chart: Format = {
  async *rows(rows, view, options) {
    const { label, measure } = measureOf(view);
    const bars: { readonly label: string; readonly value: number | null; readonly text: string }[] = [];
    for await (const row of rows) {
      const value = measure.value(row);
      bars.push({ label: plainText(label(row)), value, text: value === null ? '' : measure.text(value) });
    }
    if (bars.length === 0) return;
    const width = options.width ?? WIDTH;
    const widest = (texts: readonly string[]) => texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
    const texts = widest(bars.map(({ text }) => text));
    const labels = Math.min(widest(bars.map((bar) => bar.label)), Math.max(8, Math.floor(width * LABELS)));
    const room = Math.min(WIDEST_BAR, Math.max(NARROWEST_BAR, width - labels - texts - 2 * GAP));
    const most = bars.reduce((highest, { value }) => Math.max(highest, value ?? 0), 0);
    if (options.headers) yield `${options.colors.bold(measure.title)}\n`;
    for (const bar of bars) {
      const drawn = barOf(most === 0 ? 0 : Math.max(0, bar.value ?? 0) / most, room, options.ascii);
      const name =
        options.ascii && stringWidth(bar.label) > labels ? bar.label.slice(0, labels) : shorten(bar.label, labels);
      const padding = ' '.repeat(Math.max(0, labels - stringWidth(name)));
      const rest = ' '.repeat(room - stringWidth(drawn) + GAP + texts - stringWidth(bar.text));
      yield `${`${name}${padding}${' '.repeat(GAP)}${options.colors.green(drawn)}${rest}${bar.text}`.trimEnd()}\n`;
    }
  },
  record() {
    throw noChart();
  },
};

/** Returns the first field of --fields that can be drawn, by default the first measure. */
function measureOf<Row>({ chart: drawn, fields }: View<Row>): {
  readonly label: (row: Row) => string;
  readonly measure: ChartMeasure<Row>;
} {
  const measures = new Map(Object.entries(drawn?.measures ?? {}));
  const named = fields.find((field) => measures.has(field));
  const measure = named === undefined ? undefined : measures.get(named);
  if (drawn === undefined || measure === undefined) throw noChart([...measures.keys()]);
  return { label: drawn.label, measure };
}

function noChart(names: readonly string[] = []): CliError {
  return new CliError('USAGE', 'These fields have no number to draw.', {
    hint: names.length === 0 ? 'Leave out -o chart.' : `--fields takes one of ${names.join(', ')}.`,
  });
}
