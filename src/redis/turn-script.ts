// The script that manages the turns of one key inside Redis. Redis runs a script atomically, so no
// gate sees a partial change. The script reads only Redis' own clock, so the clocks of the machines
// do not matter.
import { createHash } from 'node:crypto';
import { FAIR_TURNS } from '../core/priority.js';

/** A script and its SHA-1 hash, by which Redis runs it again. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export function scriptOf(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** The facts about the server, as Lua expressions. The tests of the script replace them. */
export interface ServerFacts {
  readonly time: string;
  /** A text with `run_id` and `uptime_in_seconds`. */
  readonly info: string;
  /** A text with `master_replid2`, which is not all zeros on a promoted replica. */
  readonly replication: string;
}

const ownFacts: ServerFacts = {
  time: "redis.call('TIME')",
  info: "redis.call('INFO', 'server')",
  replication: "redis.call('INFO', 'replication')",
};

const MAX_BEAT_MS = 750;
export const beatMs = (leaseMs: number): number => Math.min(leaseMs / 4, MAX_BEAT_MS);
/**
 * Time after which a holder whose connection has ended loses the turn. It is longer than a beat: a
 * living holder with another connection has reported by then.
 */
export const GONE_MS = 1_250;
/** Lifetime of the server record after its last update by a new key. */
const SERVER_KNOWN_MS = 30 * 24 * 3_600_000;

/** Order: rank * 2^51 plus microseconds since 1970, which is exact in a double. */
const RANK_STEP = '2251799813685248';

/**
 * KEYS: state (a hash), line (a sorted set of waiting tickets), seats, the known server of this
 * prefix, the caller's inbox (a list). The seats are a hash: ticket -> time until which it counts
 * as alive, its lease, connection and inbox. ARGV: an operation, the caller's ticket, its lease in
 * ms, `hasAnswer`, the connection id, and the arguments of the operation. `hasAnswer` is 1 when the
 * caller has had an answer before, otherwise ''. The connection id is '' when unknown.
 *
 * - `take` rank, place: requests the turn, or reports that the ticket still waits. `place` is '' or
 *   the place from an earlier answer, with which a ticket gets its place back after Redis has lost
 *   its data. Returns `held`, fencing token, ms; or `waiting`, place, ms, ticket, connection. `ms`
 *   is the time until the next poll at the latest. `ticket` and `connection` are those of the
 *   ticket ahead in the line, or of the holder. The connection is '' when there is nothing to
 *   check.
 * - `renew` fencing token: reports that the holder is alive. Returns `held`, fencing token, lease;
 *   or `lost`.
 * - `gone` ticket, connection: reports that this connection has ended. A waiting ticket loses its
 *   seat, and gets its place back if it reports. A holder has a short time to report.
 * - `leave`: releases the turn or the place of the ticket.
 * - `pause` ms: grants no turn for this time.
 * - `look`: changes nothing. Returns 1 if the turn is held, else 0; for how long; the number of
 *   waiting tickets; the pause; and the rest of the lease.
 *
 * Inbox messages: `G ticket token` grants the turn. `L ticket` asks the first in the line to take
 * again.
 */
export function turnScript({ time, info, replication }: ServerFacts = ownFacts): Script {
  return scriptOf(`
local state, line, seats, record, box = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local op, ticket, lease, hasAnswer, connection = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4] == '1', ARGV[5]
local time = ${time}
local micros = tonumber(time[1]) * 1000000 + tonumber(time[2])
local now = math.floor(micros / 1000)
local function text(number) return string.format('%.0f', number) end

local f = redis.call('HMGET', state, 'id', 'fence', 'ends', 'since', 'server', 'settled', 'seq', 'pause', 'seen', 'turns', 'connection')
local id, server = f[1] or '', f[5]
local fence, ends, since = tonumber(f[2] or 0), tonumber(f[3] or 0), tonumber(f[4] or 0)
local settled, seq, pause = tonumber(f[6] or 0), tonumber(f[7] or 0), tonumber(f[8] or 0)
local seen, turns = tonumber(f[9] or now), tonumber(f[10] or 0)
local held = f[11] or ''

if op == 'look' then
  local isHeld = id ~= '' and 1 or 0
  return { isHeld, math.max(0, now - since), redis.call('ZCARD', line), math.max(0, pause - now), math.max(0, ends - now) }
end

-- Redis has been started again, or another server has taken over, or its data were deleted: they may be old or gone. A holder gets time to
-- report. A key without data is also one that nobody has used for long; the record of the prefix tells that.
local facts = ${info}
local run = string.match(facts, 'run_id:(%w+)') or '-'
if server ~= run then
  local known, quiet = string.match(redis.call('GET', record) or '', '^(%S+) (%d+)$')
  quiet = tonumber(quiet)
  if known ~= run then
    local uptime = tonumber(string.match(facts, 'uptime_in_seconds:(%d+)') or 0) * 1000
    local former = string.match(${replication}, 'master_replid2:(%x+)') or ''
    local mayBeGone = server or known or hasAnswer or string.find(former, '[^0]')
    quiet = now + (mayBeGone and lease / 2 or math.max(0, lease / 2 - uptime))
  end
  redis.call('SET', record, run .. ' ' .. text(quiet), 'PX', ${SERVER_KNOWN_MS})
  settled = server and now + lease / 2 or quiet
  if id ~= '' then ends = math.max(ends, settled) end
  server, held = run, ''
end
-- Nobody has asked for long: Redis itself may have stood still, and the holder's reports may be about to arrive.
if id ~= '' and ends <= now and now - seen > lease / 2 then ends = now + lease / 2 end
seen = now

local function grantTo(holder, ms, through)
  if id ~= holder then since = now end
  id, ends, held = holder, now + ms, through
end

-- Until when a waiting ticket counts as alive, its lease, connection and inbox; nil when it has no seat.
local function seatOf(waiting)
  return string.match(redis.call('HGET', seats, waiting) or '', '^(%d+) (%d+) (%d*) (.*)$')
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
  id, held = '', ''
  local rest = math.max(settled, pause) - now
  if rest > 0 then return rest end
  while true do
    local nextOne = pop((turns + 1) % ${FAIR_TURNS} == 0)
    if not nextOne then return 0 end
    local alive, ms, through, inbox = seatOf(nextOne)
    redis.call('HDEL', seats, nextOne)
    -- Whoever has not reported for long is passed over; if it lives after all, it gets its place back when it reports.
    if alive and tonumber(alive) > now then
      turns = turns + 1
      fence = math.max(fence + 1, micros)
      grantTo(nextOne, tonumber(ms), through)
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
  local _, _, _, inbox = seatOf(first or '')
  if inbox then
    redis.call('RPUSH', inbox, 'L ' .. first)
    redis.call('PEXPIRE', inbox, text(2 * lease))
  end
end

local answer
if op == 'take' then
  if id == ticket then grantTo(ticket, lease, connection)
  else
    if not redis.call('ZSCORE', line, ticket) then
      local place = tonumber(ARGV[7])
      if not place then
        seq = math.max(seq + 1, micros)
        place = tonumber(ARGV[6]) * ${RANK_STEP} + seq
      end
      redis.call('ZADD', line, text(place), ticket)
    end
    redis.call('HSET', seats, ticket, table.concat({ text(now + lease / 2), text(lease), connection, box }, ' '))
  end
  local place = redis.call('ZSCORE', line, ticket)
  local rest = advance()
  if id == ticket then answer = { 'held', text(fence), text(lease) }
  else
    local rank, beat = redis.call('ZRANK', line, ticket), math.min(lease / 4, ${MAX_BEAT_MS})
    local before, through, ms = id, held, math.min(rest, beat)
    if rank > 0 then
      before, ms = redis.call('ZRANGE', line, rank - 1, rank - 1)[1], beat
      through = select(3, seatOf(before)) or ''
    end
    -- Who shares the caller's connection is as alive as the caller.
    if through == connection then through = '' end
    answer = { 'waiting', text(tonumber(place)), text(ms), before, through }
  end
elseif op == 'renew' then
  local mine = tonumber(ARGV[6])
  if id == ticket or fence < mine or (id == '' and fence == mine) then
    fence = math.max(fence, mine)
    grantTo(ticket, lease, connection)
    answer = { 'held', text(fence), text(lease) }
  else
    advance()
    answer = { 'lost' }
  end
elseif op == 'gone' then
  local other, through = ARGV[6], ARGV[7]
  if id == other and held == through then ends, held = math.min(ends, now + ${GONE_MS}), '' end
  if select(3, seatOf(other)) == through then
    redis.call('ZREM', line, other)
    redis.call('HDEL', seats, other)
  end
  answer = { 'noted' }
elseif op == 'leave' then
  redis.call('ZREM', line, ticket)
  redis.call('HDEL', seats, ticket)
  if id == ticket then id, held = '', '' end
  if id == '' or ends <= now then
    advance()
    if id == '' then askFirst() end
  end
  answer = { 'left' }
else
  pause = math.max(pause, now + tonumber(ARGV[6]))
  answer = { 'paused' }
end

redis.call('HSET', state, 'id', id, 'fence', text(fence), 'ends', text(ends), 'since', text(since), 'server', server,
  'settled', text(settled), 'seq', text(seq), 'pause', text(pause), 'seen', text(seen), 'turns', text(turns),
  'connection', held)
local keep = text(math.max(3600000, 10 * lease, 2 * (pause - now)))
for _, key in ipairs({ state, line, seats }) do redis.call('PEXPIRE', key, keep) end
return answer
`);
}
