/**
 * The service as request handlers of Mock Service Worker 2, for programs that take no fetch.
 * @module fleet-telematics/mock/msw
 */
import { type HttpHandler, HttpResponse, http } from 'msw';
import type { MockService } from './service.js';

/** Returns handlers that answer every request below `baseUrl` with the service. */
export function mockHandlers(service: Pick<MockService, 'fetch'>, baseUrl: string): HttpHandler[] {
  const base = baseUrl.replace(/\/+$/, '');
  return [
    http.all(`${base}/*`, async ({ request }) => {
      try {
        return await service.fetch(request);
      } catch (error) {
        // A planned reset. Any other error, such as an abort, is the caller's.
        if (error instanceof TypeError) return HttpResponse.error();
        throw error;
      }
    }),
  ];
}
