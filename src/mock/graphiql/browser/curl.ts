// A request as a curl command for a POSIX shell. The token is never in it: the shell puts it in from a variable.

interface CurlRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  /** The text of the variables' editor. */
  readonly variables: string;
  readonly operationName: string | null;
}

export function curlCommand({ url, headers, query, variables, operationName }: CurlRequest): string {
  const body = { query, ...readVariables(variables), ...(operationName === null ? {} : { operationName }) };
  const lines = [
    `curl ${quoted(url)}`,
    // In double quotes, so that the shell replaces the variable.
    '--header "authorization: Bearer $FLEET_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(JSON.stringify(body))}`,
  ];
  return lines.join(' \\\n  ');
}

/** Variables that are not complete yet are left out. */
function readVariables(text: string): { readonly variables?: unknown } {
  if (text.trim() === '') return {};
  try {
    const variables: unknown = JSON.parse(text);
    return { variables };
  } catch {
    return {};
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
