// The html format: one table with title, period and total, in one file, to print or mail.
import { plainText } from '../io/plain-text.js';
import { localTime } from '../time/format-time.js';
import { cellText } from './field-path.js';
import type { Format } from './format.js';
import type { RenderOptions } from './render-options.js';
import type { Detail, View, ViewColumn } from './view.js';

const style = `body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#111;background:#fff}
h1{font-size:1.4em;margin:0}p{margin:.3em 0 1em;color:#555}
table{border-collapse:collapse}th,td{padding:.25em .8em;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}
thead th{border-bottom:2px solid #111}tfoot td{border-top:2px solid #111;border-bottom:0;font-weight:bold}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}td.t{white-space:nowrap}
@media print{body{margin:0;font-size:10pt}thead{display:table-header-group}tr{break-inside:avoid}@page{margin:1.5cm}}`;

export const html: Format = {
  async *rows(rows, view, options) {
    const columns = options.wide ? view.columns : view.columns.filter(({ namedBy }) => namedBy === undefined);
    const total = view.total?.begin() ?? null;
    // The start is written with the first row, so that an earlier failure leaves no output.
    let begin = beginOf(view, columns, options);
    for await (const row of rows) {
      total?.take(row);
      yield `${begin}<tr>${columns.map((column) => cell('td', column, textOf(column, row, options))).join('')}</tr>\n`;
      begin = '';
    }
    yield `${begin}</tbody>\n`;
    const last = total?.row() ?? null;
    if (last !== null) {
      const cells = columns.map((column, index) =>
        cell('td', column, column.inTotal ? textOf(column, last, options) : index === 0 ? 'Total' : ''),
      );
      yield `<tfoot><tr>${cells.join('')}</tr></tfoot>\n`;
    }
    yield '</table>\n</html>\n';
  },

  *record(record, view, options) {
    const details: readonly (Detail<typeof record> | ViewColumn<typeof record>)[] = view.details ?? view.columns;
    yield headOf(view, options);
    yield '<table>\n<tbody>\n';
    for (const detail of details) {
      const text = textOf(detail, record, options);
      if (text !== '') yield `<tr><th>${escaped(detail.title)}</th><td>${escaped(text)}</td></tr>\n`;
    }
    yield '</tbody>\n</table>\n</html>\n';
  },
};

function headOf<Row>({ title = 'fleet', period }: View<Row>, { zone, now }: RenderOptions): string {
  const zoneName = zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const made = `as of ${localTime(now, 'minute', { zone, offset: null })}`;
  const about = [...(period === undefined ? [] : [period]), `times in ${zoneName}`, made].join(', ');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(period === undefined ? title : `${title}, ${period}`)}</title>
<style>
${style}
</style>
<h1>${escaped(title)}</h1>
<p>${escaped(about)}</p>
`;
}

function beginOf<Row>(view: View<Row>, columns: readonly ViewColumn<Row>[], options: RenderOptions): string {
  const headings = columns.map((column) => cell('th', column, column.title)).join('');
  const head = options.headers ? `<thead><tr>${headings}</tr></thead>\n` : '';
  return `${headOf(view, options)}<table>\n${head}<tbody>\n`;
}

function cell<Row>(tag: 'td' | 'th', { align, moment }: ViewColumn<Row>, text: string): string {
  const kind = align === 'right' ? ' class="n"' : moment && tag === 'td' ? ' class="t"' : '';
  return `<${tag}${kind}>${escaped(text)}</${tag}>`;
}

/** The service may send another type than the contract defines; the value is shown too. */
function textOf<Row>({ text }: ViewColumn<Row> | Detail<Row>, row: Row, options: RenderOptions): string {
  const shown: unknown = text(row, options);
  return plainText(cellText(shown));
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
