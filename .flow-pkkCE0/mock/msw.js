import { HttpResponse, http } from "msw";
function mockHandlers(service, baseUrl) {
  const base = baseUrl.replace(/\/+$/, "");
  return [
    http.all(`${base}/*`, async ({ request }) => {
      try {
        return await service.fetch(request);
      } catch (error) {
        if (error instanceof TypeError) return HttpResponse.error();
        throw error;
      }
    })
  ];
}
export {
  mockHandlers
};
