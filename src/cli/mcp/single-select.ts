// What SQL may be sent to a copy: one statement that reads. The file is opened for reading alone; this keeps away what reads anything else.
import { refusal } from '../errors/cli-error.js';

/** The statement, with at most so many rows. @throws CliError USAGE */
export function singleSelect(sql: string, mostRows: number): string {
  const bare = sql.replace(/;\s*$/, '');
  const code = withoutTexts(bare);
  if (code.includes(';')) throw refusal('There is more than one statement.', { hint: 'Send them one at a time.' });
  if (!/^\s*(select|with|values)\b/i.test(code)) {
    throw refusal('Only SELECT, WITH and VALUES are run.', { hint: 'The copy cannot be changed.' });
  }
  // They tell where the file is, and what else is open.
  if (/\bpragma_|\bsqlite_(dbpage|stmt)\b/i.test(code)) throw refusal('Pragmas are not run.');
  // Behind a comment at the end, the bracket needs a line of its own.
  return `SELECT * FROM (\n${bare}\n) LIMIT ${mostRows}`;
}

/** The statement without what stands in quotes and comments. */
function withoutTexts(sql: string): string {
  return sql.replace(
    /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'?|"((?:[^"]|"")*)"?|`([^`]*)`?|\[([^\]]*)\]?/g,
    (_text, ...names) => {
      // A name in quotes is a name.
      const [quoted, ticked, bracketed] = names;
      return ` ${String(quoted ?? ticked ?? bracketed ?? '').replaceAll(';', ' ')} `;
    },
  );
}
