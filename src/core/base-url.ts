export type BaseUrlProblem = 'no http(s) address' | 'holds credentials' | 'has a query or fragment';

/** Returns why the value cannot be a base URL; null when it can. */
export function baseUrlProblem(value: unknown): BaseUrlProblem | null {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'no http(s) address';
  if (url.username !== '' || url.password !== '') return 'holds credentials';
  return url.search !== '' || url.hash !== '' ? 'has a query or fragment' : null;
}

/** Returns the base URL in its canonical form, so that keys built from it match. */
export function normaliseBaseUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** True when the address is on this machine. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
