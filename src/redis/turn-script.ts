// The script that keeps the turns of one key inside of Redis. Redis runs a script as a whole, so that no two gates see a half-done
// change, and the script reads only Redis' own clock, so that the clocks of the machines do not matter.
import { createHash } from 'node:crypto';
import { FAIR_TURNS } from '../core/defaults.js';

/** A script and the hash by which Redis knows it once it has run. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export function scriptOf(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** What the script needs to know of the server, as Lua expressions. The tests of the script replace both. */
export interface ServerFacts {
  /** A pair of numbers: seconds since 1970, and microseconds. */
  readonly time: string;
  /** A text with a `run_id` and an `uptime_in_seconds`. */
  readonly info: string;
}

const ownFacts: ServerFacts = { time: "redis.call('TIME')", info: "redis.call('INFO', 'server')" };

/** The holder and each waiter report this often. */
export const beatOf = (leaseMs: number): number => leaseMs / 4;

/** Waiting tickets are ordered by rank, then by arrival: rank * 2^51 plus microseconds since 1970 is exact in a double. */
const RANK_STEP = '2251799813685248';

/**
 * KEYS: the state (a hash), the line (a sorted set of waiting tickets), the seats (ticket -> until when it counts as alive, its lease and
 * its inbox), and the caller's inbox (a list). ARGV: an operation, the caller's ticket, its lease in ms, and what the operation needs:
 *
 * - `take` rank, place: asks for the turn, or reports that the ticket still waits. `place` is '' or the one that an earlier answer gave;
 *   with it a ticket gets its old place back after Redis has lost its data. Answers `held`, fencing token, ms or `waiting`, place, ms;
 *   ms is when to ask again at the latest.
 * - `renew` fencing token: the holder is alive. Answers `held`, fencing token, lease or `lost`.
 * - `leave`: the ticket gives up its turn or its place.
 * - `pause` ms: nobody gets the turn for so long.
 * - `look`: changes nothing. Answers whether it is held, for how long, the waiting tickets, the pause.
 *
 * Who gets the turn is told so in its inbox: `G ticket token`. `L ticket` asks the first in the line to take again.
 */
export function turnScript({ time, info }: ServerFacts = ownFacts): Script {
  return scriptOf(`
local state, line, seats, box = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local op, ticket, lease = ARGV[1], ARGV[2], tonumber(ARGV[3])
local time = ${time}
local micros = tonumber(time[1]) * 1000000 + tonumber(time[2])
local now = math.floor(micros / 1000)
local function text(number) return string.format('%.0f', number) end

local f = redis.call('HMGET', state, 'id', 'fence', 'ends', 'since', 'server', 'settled', 'seq', 'pause', 'seen', 'turns')
local id, server = f[1] or '', f[5]
local fence, ends, since = tonumber(f[2] or 0), tonumber(f[3] or 0), tonumber(f[4] or 0)
local settled, seq, pause = tonumber(f[6] or 0), tonumber(f[7] or 0), tonumber(f[8] or 0)
local seen, turns = tonumber(f[9] or now), tonumber(f[10] or 0)

if op == 'look' then
  local isHeld = id ~= '' and 1 or 0
  return { isHeld, math.max(0, now - since), redis.call('ZCARD', line), math.max(0, pause - now), math.max(0, ends - now) }
end

-- Redis has been started again, or another server has taken over: its data may be old or gone. A holder gets time to report.
local facts = ${info}
local run = string.match(facts, 'run_id:(%w+)') or '-'
if server ~= run then
  local uptime = tonumber(string.match(facts, 'uptime_in_seconds:(%d+)') or 0) * 1000
  if server then settled = now + lease / 2 else settled = now + math.max(0, lease / 2 - uptime) end
  if id ~= '' then ends = math.max(ends, settled) end
  server = run
end
-- Nobody has asked for long: Redis itself may have stood still, and the holder's reports may be about to arrive.
if id ~= '' and ends <= now and now - seen > lease / 2 then ends = now + lease / 2 end
seen = now

local function grantTo(holder, ms)
  if id ~= holder then since = now end
  id, ends = holder, now + ms
end

-- The first ticket of the line, or the oldest one of all ranks, so that no rank waits for ever. Removes it.
local function pop(oldest)
  local found, best
  for rank = 0, 2 do
    local low = rank * ${RANK_STEP}
    local first = redis.call('ZRANGEBYSCORE', line, text(low), '(' .. text(low + ${RANK_STEP}), 'WITHSCORES', 'LIMIT', 0, 1)
    if first[1] and (not found or (oldest and tonumber(first[2]) - low < best)) then
      found, best = first[1], tonumber(first[2]) - low
    end
  end
  if found then redis.call('ZREM', line, found) end
  return found
end

-- Gives a free turn to the next living ticket. Returns when the turn may change by itself, in ms.
local function advance()
  if id ~= '' and ends > now then return ends - now end
  id = ''
  local rest = math.max(settled, pause) - now
  if rest > 0 then return rest end
  while true do
    local nextOne = pop((turns + 1) % ${FAIR_TURNS} == 0)
    if not nextOne then return 0 end
    local seat = redis.call('HGET', seats, nextOne)
    redis.call('HDEL', seats, nextOne)
    local alive, ms, inbox = string.match(seat or '', '^(%d+) (%d+) (.*)$')
    -- Whoever has not reported for long is passed over; if it lives after all, it gets its place back when it reports.
    if alive and tonumber(alive) > now then
      turns = turns + 1
      fence = math.max(fence + 1, micros)
      grantTo(nextOne, tonumber(ms))
      -- The answer to a 'take' says it already. A late 'renew' of an earlier turn is answered with 'lost' and must be told here.
      if nextOne ~= ticket or op ~= 'take' then
        redis.call('RPUSH', inbox, 'G ' .. nextOne .. ' ' .. text(fence))
        redis.call('PEXPIRE', inbox, 2 * tonumber(ms))
      end
      return ends - now
    end
  end
end

local function askFirst()
  local first = redis.call('ZRANGE', line, 0, 0)[1]
  local inbox = first and string.match(redis.call('HGET', seats, first) or '', '^%d+ %d+ (.*)$')
  if inbox then
    redis.call('RPUSH', inbox, 'L ' .. first)
    redis.call('PEXPIRE', inbox, text(2 * lease))
  end
end

local answer
if op == 'take' then
  if id == ticket then grantTo(ticket, lease)
  else
    if not redis.call('ZSCORE', line, ticket) then
      local place = tonumber(ARGV[5])
      if not place then
        seq = math.max(seq + 1, micros)
        place = tonumber(ARGV[4]) * ${RANK_STEP} + seq
      end
      redis.call('ZADD', line, text(place), ticket)
    end
    redis.call('HSET', seats, ticket, text(now + lease / 2) .. ' ' .. text(lease) .. ' ' .. box)
  end
  local place = redis.call('ZSCORE', line, ticket)
  local rest = advance()
  if id == ticket then answer = { 'held', text(fence), text(lease) }
  else
    local isFirst = redis.call('ZRANGE', line, 0, 0)[1] == ticket
    answer = { 'waiting', text(tonumber(place)), text(isFirst and math.min(rest, lease / 4) or lease / 4) }
  end
elseif op == 'renew' then
  local mine = tonumber(ARGV[4])
  if id == ticket or fence < mine or (id == '' and fence == mine) then
    fence = math.max(fence, mine)
    grantTo(ticket, lease)
    answer = { 'held', text(fence), text(lease) }
  else
    advance()
    answer = { 'lost' }
  end
elseif op == 'leave' then
  redis.call('ZREM', line, ticket)
  redis.call('HDEL', seats, ticket)
  if id == ticket then id = '' end
  if id == '' or ends <= now then
    advance()
    if id == '' then askFirst() end
  end
  answer = { 'left' }
else
  pause = math.max(pause, now + tonumber(ARGV[4]))
  answer = { 'paused' }
end

redis.call('HSET', state, 'id', id, 'fence', text(fence), 'ends', text(ends), 'since', text(since), 'server', server,
  'settled', text(settled), 'seq', text(seq), 'pause', text(pause), 'seen', text(seen), 'turns', text(turns))
local keep = text(math.max(3600000, 10 * lease, 2 * (pause - now)))
for _, key in ipairs({ state, line, seats }) do redis.call('PEXPIRE', key, keep) end
return answer
`);
}
