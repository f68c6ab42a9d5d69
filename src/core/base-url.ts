// The address of a service: what is wrong with it, and its one spelling.

export type BaseUrlProblem = 'no http(s) address' | 'holds credentials' | 'has a query or fragment';

/** Null when the address can be used. */
export function baseUrlProblem(value: unknown): BaseUrlProblem | null {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'no http(s) address';
  if (url.username !== '' || url.password !== '') return 'holds credentials';
  return url.search !== '' || url.hash !== '' ? 'has a query or fragment' : null;
}

/** One spelling of every base URL, so that the keys made of it agree. */
export function normaliseBaseUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** Whether the address leads to this machine itself. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
