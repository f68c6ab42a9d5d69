function curlCommand({ url, headers, query, variables, operationName }) {
  const body = { query, ...readVariables(variables), ...operationName === null ? {} : { operationName } };
  const lines = [
    `curl ${quoted(url)}`,
    // In double quotes, so that the shell replaces the variable.
    '--header "authorization: Bearer $FLEET_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(JSON.stringify(body))}`
  ];
  return lines.join(" \\\n  ");
}
function readVariables(text) {
  if (text.trim() === "") return {};
  try {
    const variables = JSON.parse(text);
    return { variables };
  } catch {
    return {};
  }
}
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
export {
  curlCommand
};
