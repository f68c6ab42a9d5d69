// Applies the expression of --jq to JSON. jq itself does the work, compiled to WebAssembly; it is loaded only here.
import { CliError } from '../errors/cli-error.js';

/** Fails before anything is sent when jq cannot read the expression. @throws CliError USAGE */
export async function checkJq(expression: string): Promise<void> {
  if (expression.trim() === '') {
    throw new CliError('USAGE', 'The expression of --jq is empty. Nothing was sent.', {
      hint: 'Write it as ".[].name".',
    });
  }
  const { fault } = await runJq('', expression);
  if (fault === null) return;
  throw new CliError('USAGE', 'jq cannot read the expression of --jq. Nothing was sent.', {
    details: linesOf(fault),
    hint: "Quote it for your shell, such as --jq '.[].name'; `man jq` describes the language.",
  });
}

/**
 * The results, one per line: texts as they are, other values as JSON. `json` has any number of JSON texts.
 * @throws CliError USAGE when the expression does not fit the values; `partial` has the results before that.
 */
export async function applyJq(json: string, expression: string): Promise<{ text: string; failure: CliError | null }> {
  const { results, fault } = await runJq(json, expression);
  const text = results.map((result) => `${plain(result)}\n`).join('');
  if (fault === null) return { text, failure: null };
  const isInput = fault.includes('parse error');
  const failure = isInput
    ? new CliError('USAGE', 'This command printed no JSON that --jq could read.', { hint: 'Leave out --jq.' })
    : new CliError('USAGE', 'The expression of --jq does not fit the result.', {
        details: linesOf(fault),
        hint: 'Run the command with -o json to see what the expression gets.',
      });
  return { text, failure };
}

function plain(result: string): string {
  const value: unknown = result.startsWith('"') ? JSON.parse(result) : null;
  return typeof value === 'string' ? value : result;
}

interface Outcome {
  /** JSON texts. */
  readonly results: readonly string[];
  /** What jq says is wrong; null when nothing is. */
  readonly fault: string | null;
}

async function runJq(json: string, expression: string): Promise<Outcome> {
  // A leading dash would be an option of jq.
  const safe = ` ${expression}`;
  const { text, isFailed, fault } = await call(json, safe);
  const results = text.split('\n').filter((line) => line !== '');
  if (!isFailed || fault !== null) return { results, fault };
  // jq gave results before its error, and then the package keeps the error to itself.
  return { results, fault: (await call(json, `${safe} | empty`)).fault ?? 'jq stopped after these results.' };
}

async function call(json: string, expression: string) {
  const { raw } = await import('jq-wasm');
  // The package sets the exit code of the process, which is ours to decide.
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    const text = await raw(json, expression, ['-c']);
    return { text, isFailed: process.exitCode !== 0, fault: null };
  } catch (error) {
    return { text: '', isFailed: true, fault: error instanceof Error ? error.message : String(error) };
  } finally {
    process.exitCode = before;
  }
}

/** Without the name of the program, and the files that it thinks it reads. */
function linesOf(fault: string): readonly string[] {
  return fault
    .replace(/^Failed to execute raw query: /, '')
    .split('\n')
    .map((line) =>
      line
        .replace(/^jq: (error)?:? ?(\(at [^)]*\): )?/, '')
        .replace(' (Unix shell quoting issues?)', '')
        .trim(),
    )
    .filter((line) => line !== '' && !/^\d+ compile errors?$/.test(line));
}
