// Writes a request as a curl command for a POSIX shell, which inserts the token from a variable.

interface CurlRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly variables: string;
  readonly operationName: string | null;
}

export function curlCommand({ url, headers, query, variables, operationName }: CurlRequest): string {
  const body = { query, ...readVariables(variables), ...(operationName === null ? {} : { operationName }) };
  const lines = [
    `curl ${quoted(url)}`,
    // Double quotes let the shell replace the variable.
    '--header "authorization: Bearer $FLEET_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(JSON.stringify(body))}`,
  ];
  return lines.join(' \\\n  ');
}

/** Leaves out incomplete variables. */
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
