const commandPackages = {
  map: "fleet-telematics-map",
  sync: "fleet-telematics-sync",
  mcp: "fleet-telematics-mcp"
};
export {
  commandPackages
};
