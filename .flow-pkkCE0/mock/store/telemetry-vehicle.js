function telemetryVehicleOf(vehicle) {
  return {
    id: vehicle.id,
    kind: vehicle.kind,
    region: vehicle.region,
    place: vehicle.place,
    deviceSince: vehicle.deviceSince,
    deviceUntil: vehicle.deactivated ? vehicle.deactivatedAt : null,
    hasDevice: vehicle.deviceIds.length > 0
  };
}
export {
  telemetryVehicleOf
};
