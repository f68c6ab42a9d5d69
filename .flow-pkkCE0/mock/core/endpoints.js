const endpoints = ["/login/token", "/login/refresh", "/login/userinfo", "/graphql", "/graphiql"];
const methods = {
  "/login/token": "POST",
  "/login/refresh": "POST",
  "/login/userinfo": "GET",
  "/graphql": "POST",
  "/graphiql": "GET"
};
export {
  endpoints,
  methods
};
