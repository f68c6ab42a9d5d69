function isAsked({ globals: { fields = "", filter = [], sort = "" } }, names) {
  const asked = new Set([...fields.split(","), ...sort.split(",")].map((name) => name.trim().replace(/^-/, "")));
  for (const text of filter) asked.add(/^[\w.]*/.exec(text.trim())?.[0] ?? "");
  return names.some((name) => asked.has(name));
}
export {
  isAsked
};
