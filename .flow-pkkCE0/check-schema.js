async function checkSchema(client, options = {}) {
  const { introspect, isRefusal } = await import("./contract/schema-check/introspection.js");
  const live = await introspect(client, options).catch((error) => {
    if (isRefusal(error)) return null;
    throw error;
  });
  if (live === null) return (await import("./contract/schema-check/probe.js")).probe(client, options);
  return (await import("./contract/schema-check/compare.js")).compare(live);
}
async function pullSchema(client, options = {}) {
  const { introspect, sdlOf } = await import("./contract/schema-check/introspection.js");
  const live = await introspect(client, options);
  return live === null ? null : sdlOf(live);
}
export {
  checkSchema,
  pullSchema
};
