// Splits a line like a shell: quotes, pipes, lists, redirections and comments. Runs nothing.

export interface SimpleCommand {
  /** `FLEET_BASE_URL=…` before the command. */
  readonly assignments: readonly string[];
  readonly words: readonly string[];
  /** The file after `<`. */
  readonly stdin: string | null;
}

const token = /\s+|#[^\n]*|\d?>&\d|\d?(?:>>?|<)|\|\||&&|[|;&()]|(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\|;&<>()])+/gy;
const separators = ['|', '||', '&&', ';', '&', '(', ')'];

/** Returns the commands of a line. Throws TypeError for an unclosed quote. */
export function commandsOf(line: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let stdin: string | null = null;
  let redirection: string | null = null;
  const end = () => {
    const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    const cut = first < 0 ? words.length : first;
    if (cut < words.length)
      commands.push({ assignments: words.slice(0, cut), words: words.slice(cut).map(unquoted), stdin });
    words = [];
    stdin = null;
  };
  let at = 0;
  for (const { 0: piece, index } of line.matchAll(token)) {
    at = index + piece.length;
    if (/^\s/.test(piece) || piece.startsWith('#') || /^\d?>&\d$/.test(piece)) continue;
    if (separators.includes(piece)) end();
    else if (/^\d?(>>?|<)$/.test(piece)) redirection = piece;
    else if (redirection !== null) {
      if (redirection === '<') stdin = unquoted(piece);
      redirection = null;
    } else words.push(piece);
  }
  if (at < line.length) throw new TypeError(`a quote does not end: ${line}`);
  end();
  return commands;
}

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, plain, quoted, escaped) =>
    plain !== undefined ? plain : quoted !== undefined ? quoted.replace(/\\(["\\$`])/g, '$1') : escaped,
  );
}
