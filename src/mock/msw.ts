/**
 * The service as request handlers of Mock Service Worker 2, for programs that do not take a fetch function.
 * @module fleet-telematics/mock/msw
 */
import { type HttpHandler, HttpResponse, http } from 'msw';
import type { MockService } from './service.js';

/** Handlers with which the service answers every request below `baseUrl`. */
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
