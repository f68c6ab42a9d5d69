/**
 * One turn and one login for all machines that share a Redis.
 * @module fleet-telematics/redis
 */
export type { RedisClient } from './redis-client.js';
export {
  type RedisGate,
  type RedisGateOptions,
  redisGate,
  type WhenUnavailable,
} from './redis-gate.js';
export {
  type RedisTokenStore,
  type RedisTokenStoreOptions,
  redisTokenStore,
  type SessionProtection,
} from './redis-token-store.js';
export type { EncryptionKey } from './seal.js';
