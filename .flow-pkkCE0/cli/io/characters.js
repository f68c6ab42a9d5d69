function isAsciiOnly({ LC_ALL, LC_CTYPE, LANG, TERM }) {
  if (TERM === "dumb") return true;
  const locale = [LC_ALL, LC_CTYPE, LANG].find(Boolean);
  return locale !== void 0 && !/utf-?8/i.test(locale);
}
export {
  isAsciiOnly
};
