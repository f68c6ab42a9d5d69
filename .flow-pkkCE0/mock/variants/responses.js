import { html, jsonMessage } from "../core/messages.js";
function tokenRefusal({ refusals }, isGraphql, usual) {
  if (refusals === "forbidden") {
    return jsonMessage(
      403,
      { error: "invalid_token", error_description: "The token is expired, unknown or missing." },
      { "www-authenticate": 'Bearer error="invalid_token"' }
    );
  }
  if (refusals === "graphql" && isGraphql) {
    return jsonMessage(200, {
      errors: [{ message: "Unauthorized", extensions: { code: "UNAUTHENTICATED" } }],
      data: null
    });
  }
  return usual;
}
function throughGateway({ gatewayErrors }, response) {
  const { status } = response;
  if (gatewayErrors !== "html" || status < 400) return response;
  const { "content-type": _, ...headers } = response.headers;
  const page = `<!DOCTYPE html>
<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>gateway</body></html>
`;
  return html(status, page, headers);
}
export {
  throughGateway,
  tokenRefusal
};
