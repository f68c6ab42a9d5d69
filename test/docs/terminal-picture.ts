// Draws terminal output with its colours as an SVG: docs/terminal.svg in the README.

export interface Scene {
  readonly command: string;
  readonly printed: string;
}

interface Piece {
  readonly text: string;
  readonly classes: readonly string[];
}

const charWidth = 7.8;
const lineHeight = 18;
const margin = 16;
const bar = 28;

/** Classes by Select Graphic Rendition code. */
const starts: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  90: 'dim',
};
const ends: Readonly<Record<string, readonly string[]>> = {
  0: Object.values(starts),
  22: ['bold', 'dim'],
  39: ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'dim'],
};

export function pictureOf(scenes: readonly Scene[], columns: number): string {
  const lines = scenes.flatMap(({ command, printed }, place) => [
    ...(place === 0 ? [] : [[]]),
    [
      { text: '$ ', classes: ['green'] },
      { text: command, classes: ['bold'] },
    ],
    ...printed.trimEnd().split('\n').map(piecesOf),
  ]);
  const width = Math.ceil(columns * charWidth) + 2 * margin;
  const height = bar + lines.length * lineHeight + margin;
  const texts = lines.map((pieces, row) => {
    const spans = pieces.map(({ text, classes }) =>
      classes.length === 0 ? escaped(text) : `<tspan class="${classes.join(' ')}">${escaped(text)}</tspan>`,
    );
    return `<text x="${margin}" y="${bar + row * lineHeight + 13}">${spans.join('')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: ${escaped(scenes.map(({ command }) => command).join('; '))}">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d8dee9; white-space: pre; }
.bold { font-weight: bold; } .dim { fill: #8a93a5; } .red { fill: #e06c75; } .green { fill: #98c379; }
.yellow { fill: #e5c07b; } .blue { fill: #61afef; } .magenta { fill: #c678dd; } .cyan { fill: #56b6c2; }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#1e222a"/>
<g fill="#4b5263"><circle cx="18" cy="14" r="5"/><circle cx="34" cy="14" r="5"/><circle cx="50" cy="14" r="5"/></g>
${texts.join('\n')}
</svg>
`;
}

function piecesOf(line: string): readonly Piece[] {
  const open = new Set<string>();
  const pieces: Piece[] = [];
  const escapeCode = String.fromCharCode(27);
  // Progress erases its line.
  const shown = line.slice(line.lastIndexOf(`${escapeCode}[2K`) + 1).replace(/^\[2K/, '');
  // Splitting by a pattern with a group returns text and code alternately.
  const parts = shown.split(new RegExp(`${escapeCode}\\[([\\d;]*)m`));
  for (const [place, part] of parts.entries()) {
    if (place % 2 === 0) {
      if (part !== '') pieces.push({ text: part, classes: [...open] });
      continue;
    }
    for (const code of (part || '0').split(';')) {
      for (const end of ends[code] ?? []) open.delete(end);
      const start = starts[code];
      if (start !== undefined) open.add(start);
    }
  }
  return pieces;
}

/** Escapes XML. Spaces become non-breaking, because some viewers ignore `white-space`. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll(' ', '\u00a0');
}
