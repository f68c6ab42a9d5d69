class CsvFlaw extends Error {
  name = "CsvFlaw";
  line;
  constructor(line, reason) {
    super(reason);
    this.line = line;
  }
}
const delimiters = [",", ";", "	"];
function delimiterOf(text) {
  const header = text.slice(0, (text.search(/[\r\n]/) + 1 || text.length + 1) - 1).replace(/"(?:[^"]|"")*"/g, "");
  const counts = delimiters.map((delimiter) => header.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}
function readCsv(text, delimiter) {
  const rows = [];
  const end = new RegExp(`[\\r\\n${delimiter === "	" ? "\\t" : delimiter}]`, "g");
  let at = 0;
  let line = 1;
  let begin = 1;
  let cells = [];
  const endOfRow = () => {
    if (cells.some(({ text: text2 }) => text2.trim() !== "")) rows.push({ line: begin, cells });
    cells = [];
    begin = line;
  };
  while (at < text.length) {
    const quote = /^ *"/.exec(text.slice(at, at + 100));
    let cell;
    if (quote) {
      const from = at + quote[0].length;
      const to = closingQuote(text, from);
      if (to < 0) throw new CsvFlaw(line, "a quote opens a cell and none closes it");
      const inside = text.slice(from, to).replaceAll('""', '"');
      cell = { text: inside, quoted: true };
      line += lineEnds(inside);
      at = to + 1;
      while (text[at] === " ") at++;
      if (at < text.length && !isOneOf(text[at], delimiter)) {
        throw new CsvFlaw(line, "text follows the closing quote of a cell; a quote inside of a cell is written twice");
      }
    } else {
      end.lastIndex = at;
      const to = end.exec(text)?.index ?? text.length;
      cell = { text: text.slice(at, to), quoted: false };
      at = to;
    }
    cells.push(cell);
    const next = text[at];
    if (next === delimiter) {
      at++;
      if (at === text.length) cells.push({ text: "", quoted: false });
      continue;
    }
    if (next === "\r" && text[at + 1] === "\n") at++;
    at++;
    line++;
    endOfRow();
  }
  endOfRow();
  return rows;
}
function closingQuote(text, from) {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
function isOneOf(character, delimiter) {
  return character === delimiter || character === "\r" || character === "\n";
}
function lineEnds(text) {
  return text.split(/\r\n|\r|\n/).length - 1;
}
const escapes = { "\\\\": "\\", "\\t": "	", "\\n": "\n", "\\r": "\r" };
function readTsv(text) {
  return text.split(/\r\n|\r|\n/).flatMap((content, index) => {
    if (content.trim() === "") return [];
    const cells = content.split("	").map((cell) => ({ text: cell.replace(/\\[\\tnr]/g, (pair) => escapes[pair] ?? pair), quoted: false }));
    return [{ line: index + 1, cells }];
  });
}
export {
  CsvFlaw,
  delimiterOf,
  readCsv,
  readTsv
};
