import {
  redisGate
} from "./redis-gate.js";
import {
  redisTokenStore
} from "./redis-token-store.js";
export {
  redisGate,
  redisTokenStore
};
