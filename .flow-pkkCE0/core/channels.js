import { channel, tracingChannel } from "node:diagnostics_channel";
const requestChannel = tracingChannel("fleet-telematics:request");
const callChannel = tracingChannel("fleet-telematics:call");
const retryChannel = channel("fleet-telematics:retry");
export {
  callChannel,
  requestChannel,
  retryChannel
};
