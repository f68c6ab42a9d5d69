// How Excel reads a csv file depends on the language that it, or the system, is set to: where numbers have a comma, columns have semicolons.
import { refusal } from '../errors/cli-error.js';
import type { ExcelForm } from './render-options.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The language is that of the flag, of LC_ALL, LC_NUMERIC or LANG, or of this machine. @throws CliError USAGE for a flag that is none */
export function excelForm(flag: string | undefined, env: Env): ExcelForm {
  const locale = flag === undefined ? (localeIn(env) ?? new Intl.NumberFormat().resolvedOptions().locale) : known(flag);
  if (locale === null) {
    throw refusal(`--locale "${flag}" is not a language.`, { hint: 'Write it as de-DE, et-EE or en-US.' });
  }
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  const decimal = parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
  return { locale, decimal, separator: decimal === ',' ? ';' : ',' };
}

export function excelRemark({ locale, decimal, separator }: ExcelForm): string {
  return `For Excel in ${locale}: ${separator} between columns, ${decimal} before decimals. --locale names another language.`;
}

/** The first that is set decides, as in other programs. C and POSIX are no language: numbers have a point. */
function localeIn({ LC_ALL, LC_NUMERIC, LANG }: Env): string | null {
  const set = [LC_ALL, LC_NUMERIC, LANG].find(Boolean);
  if (set === undefined) return null;
  return /^(C|POSIX)(\.|$)/.test(set) ? 'en-US' : known(set);
}

/** `de_DE.UTF-8` is `de-DE`. */
function known(text: string): string | null {
  const tag = text
    .trim()
    .replace(/[.@].*$/, '')
    .replaceAll('_', '-');
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? null;
  } catch {
    return null;
  }
}
