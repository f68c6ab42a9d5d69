// The service as request handlers of Mock Service Worker 2, for programs whose fetch cannot be handed in.
import { type HttpHandler, HttpResponse, http } from 'msw';
import type { MockService } from './service.js';

/** Handlers that answer everything below `baseUrl` with the service. */
export function handlers(service: Pick<MockService, 'fetch'>, baseUrl: string): HttpHandler[] {
  const base = baseUrl.replace(/\/+$/, '');
  return [
    http.all(`${base}/*`, async ({ request }) => {
      try {
        return await service.fetch(request);
      } catch (error) {
        // A planned reset. Anything else is the test's own fault, an abort for example, and keeps its error.
        if (error instanceof TypeError) return HttpResponse.error();
        throw error;
      }
    }),
  ];
}
