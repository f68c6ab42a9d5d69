// Which characters a terminal can show, as far as the environment says it.

type Env = Readonly<Record<string, string | undefined>>;

/** A locale that is set and is not of UTF-8, or a terminal that says it can do little. Without a word of it, it is a terminal of today. */
export function isAsciiOnly({ LC_ALL, LC_CTYPE, LANG, TERM }: Env): boolean {
  if (TERM === 'dumb') return true;
  const locale = [LC_ALL, LC_CTYPE, LANG].find(Boolean);
  return locale !== undefined && !/utf-?8/i.test(locale);
}
