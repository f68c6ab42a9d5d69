// Variants of whole responses: token refusals, gateway error pages and the limit behind 429.
import { htmlResponse, jsonMessage, type ServiceResponse } from '../core/messages.js';
import type { MockVariant } from './variant.js';

export function tokenRefusal({ refusals }: MockVariant, isGraphql: boolean, usual: ServiceResponse): ServiceResponse {
  if (refusals === 'forbidden') {
    return jsonMessage(
      403,
      { error: 'invalid_token', error_description: 'The token is expired, unknown or missing.' },
      { 'www-authenticate': 'Bearer error="invalid_token"' },
    );
  }
  if (refusals === 'graphql' && isGraphql) {
    return jsonMessage(200, {
      errors: [{ message: 'Unauthorized', extensions: { code: 'UNAUTHENTICATED' } }],
      data: null,
    });
  }
  return usual;
}

export function throughGateway({ gatewayErrors }: MockVariant, response: ServiceResponse): ServiceResponse {
  const { status } = response;
  if (gatewayErrors !== 'html' || status < 400) return response;
  const { 'content-type': _, ...headers } = response.headers;
  const page = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>gateway</body></html>\n`;
  return htmlResponse(status, page, headers);
}

/** Returns the key that active requests must not share: a user as in the contract, or a login. */
export function turnKeyOfVariant({ turns }: MockVariant, username: string, userId: string): string {
  return turns === 'by-login' ? `login ${username}` : `user ${userId}`;
}
