import { plainText } from "../io/plain-text.js";
import { localTime } from "../time/local-time.js";
import { cellText } from "./field-path.js";
const style = `body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#111;background:#fff}
h1{font-size:1.4em;margin:0}p{margin:.3em 0 1em;color:#555}
table{border-collapse:collapse}th,td{padding:.25em .8em;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}
thead th{border-bottom:2px solid #111}tfoot td{border-top:2px solid #111;border-bottom:0;font-weight:bold}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}td.t{white-space:nowrap}
@media print{body{margin:0;font-size:10pt}thead{display:table-header-group}tr{break-inside:avoid}@page{margin:1.5cm}}`;
const html = {
  async *rows(rows, view, options) {
    const columns = options.wide ? view.columns : view.columns.filter(({ namedBy }) => namedBy === void 0);
    const total = view.total?.begin() ?? null;
    let begin = beginOf(view, columns, options);
    for await (const row of rows) {
      total?.take(row);
      yield `${begin}<tr>${columns.map((column) => cell("td", column, textOf(column, row, options))).join("")}</tr>
`;
      begin = "";
    }
    yield `${begin}</tbody>
`;
    const last = total?.row() ?? null;
    if (last !== null) {
      const cells = columns.map(
        (column, index) => cell("td", column, column.inTotal ? textOf(column, last, options) : index === 0 ? "Total" : "")
      );
      yield `<tfoot><tr>${cells.join("")}</tr></tfoot>
`;
    }
    yield "</table>\n</html>\n";
  },
  *record(record, view, options) {
    const details = view.details ?? view.columns;
    yield headOf(view, options);
    yield "<table>\n<tbody>\n";
    for (const detail of details) {
      const text = textOf(detail, record, options);
      if (text !== "") yield `<tr><th>${escaped(detail.title)}</th><td>${escaped(text)}</td></tr>
`;
    }
    yield "</tbody>\n</table>\n</html>\n";
  }
};
function headOf({ title = "fleet", period }, { zone, now }) {
  const zoneName = zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const made = `as of ${localTime(now, "minute", { zone, offset: null })}`;
  const about = [...period === void 0 ? [] : [period], `times in ${zoneName}`, made].join(", ");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(period === void 0 ? title : `${title}, ${period}`)}</title>
<style>
${style}
</style>
<h1>${escaped(title)}</h1>
<p>${escaped(about)}</p>
`;
}
function beginOf(view, columns, options) {
  const headings = columns.map((column) => cell("th", column, column.title)).join("");
  const head = options.headers ? `<thead><tr>${headings}</tr></thead>
` : "";
  return `${headOf(view, options)}<table>
${head}<tbody>
`;
}
function cell(tag, { align, moment }, text) {
  const kind = align === "right" ? ' class="n"' : moment && tag === "td" ? ' class="t"' : "";
  return `<${tag}${kind}>${escaped(text)}</${tag}>`;
}
function textOf({ text }, row, options) {
  const shown = text(row, options);
  return plainText(cellText(shown));
}
const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
export {
  html
};
