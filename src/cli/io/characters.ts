// Detects from the environment which characters a terminal can show.

type Env = Readonly<Record<string, string | undefined>>;

export function isAsciiOnly({ LC_ALL, LC_CTYPE, LANG, TERM }: Env): boolean {
  if (TERM === 'dumb') return true;
  const locale = [LC_ALL, LC_CTYPE, LANG].find(Boolean);
  return locale !== undefined && !/utf-?8/i.test(locale);
}
