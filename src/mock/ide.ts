// The page at /graphiql. It says where the endpoint is and how to reach it; it loads nothing from anywhere.
import { html, type ServiceResponse } from './http.js';

const page = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Fleet telematics reference service</title></head>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem">
<h1>Fleet telematics reference service</h1>
<p>GraphQL is answered at <code>POST graphql</code>, next to this page. An interactive editor is not part of this build; any
GraphQL client will do.</p>
<ol>
<li><code>POST login/token</code>, form fields <code>username</code> and <code>password</code> (for example demo and demo),
returns <code>access_token</code>.</li>
<li><code>GET login/userinfo</code> with <code>Authorization: Bearer &lt;access_token&gt;</code> lists the users to choose from.</li>
<li><code>POST graphql</code> with the same header, <code>userId: &lt;chosen userId&gt;</code>,
<code>Content-Type: application/json</code> and a body such as <code>{"query":"{ getVehicles { id name } }"}</code>.</li>
</ol>
</body>
</html>
`;

export function idePage(): ServiceResponse {
  return html(200, page);
}
