// The scripts that read and write sessions in Redis. A session is a hash: the sealed text, and the
// fencing token of the lock under which it was saved. A set lists the sessions.
import { scriptOf } from './turn-script.js';

/**
 * KEYS: session, set. ARGV: the session's name, the text, the fencing token or '', lifetime in ms.
 * Returns 0 when a later holder has saved.
 */
export const saveScript = scriptOf(`
local last = tonumber(redis.call('HGET', KEYS[1], 'fence') or 0)
local fence = tonumber(ARGV[3]) or last
if fence < last then return 0 end
redis.call('HSET', KEYS[1], 'text', ARGV[2], 'fence', string.format('%.0f', fence))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('SADD', KEYS[2], ARGV[1])
if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[4]) then redis.call('PEXPIRE', KEYS[2], ARGV[4]) end
return 1
`);

/** KEYS: session. Returns Redis' time in ms since 1970, and the text if there is one. */
export const loadScript = scriptOf(`
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
return { string.format('%.0f', now), redis.call('HGET', KEYS[1], 'text') or nil }
`);

/** KEYS: session, set. ARGV: name, and '' or the only text to remove. The fencing token stays. */
export const clearScript = scriptOf(`
if ARGV[2] ~= '' and redis.call('HGET', KEYS[1], 'text') ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], 'text')
redis.call('SREM', KEYS[2], ARGV[1])
return 1
`);

/** KEYS: the prefix of the session keys, set. Returns names and texts alternately. */
export const listScript = scriptOf(`
local found = {}
for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  local stored = redis.call('HGET', KEYS[1] .. name, 'text')
  if stored then
    found[#found + 1] = name
    found[#found + 1] = stored
  else redis.call('SREM', KEYS[2], name) end
end
return found
`);
