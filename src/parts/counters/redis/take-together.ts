import assert from 'node:assert/strict'
import { limits } from '../../../limits.ts'
import type { RateTier } from '../../../rules/commerce/rate-tier.ts'
import type { Counted, RateWindows } from '../../../rules/commerce/rate-windows.ts'
import { countedOf } from '../../../rules/commerce/rate-windows.ts'
import type { RedisConnection } from '../../redis.ts'
import { luaScript } from '../../redis.ts'
import type { Subject } from '../port.ts'
import type { Reserve, Reserves } from './reserves.ts'
import { sameTier } from './reserves.ts'

/** One request that wants to pass. */
export interface RateQuestion {
  readonly key: string
  readonly subject: Subject
  readonly tier: RateTier
}

/** Whether it passes. */
export interface RateAnswer {
  readonly counted: Counted
  /** 0; or in how many ms there may be room all the same, since others put back what they hold. */
  readonly againInMs: number
}

/** The requests of one subject that came together. */
interface Group extends RateQuestion {
  /** Their places among the questions. */
  readonly members: number[]
}

export interface TakeOptions {
  readonly connection: RedisConnection
  readonly nowMs: () => number
  readonly reserves: Pick<Reserves, 'wanted' | 'keep'>
  /** Called with the windows of a key whose limit is used up. */
  readonly exhausted: (key: string, windows: RateWindows) => void
}

/** A script holds Redis up for less than 2 ms. */
const groupsMax = 400

const takeScript = luaScript(import.meta.url, 'take')
const putBackScript = luaScript(import.meta.url, 'put-back')

/** Asks for all questions in as few scripts as possible; answers in the order of the questions. */
export async function takeTogether(
  options: TakeOptions,
  questions: readonly RateQuestion[],
): Promise<readonly RateAnswer[]> {
  const groups = groupsOf(questions)
  const answers: RateAnswer[] = new Array(questions.length)
  const calls: Promise<void>[] = []
  for (let from = 0; from < groups.length; from += groupsMax) {
    calls.push(ask(options, groups.slice(from, from + groupsMax), answers))
  }
  await Promise.all(calls)
  return answers
}

/** Where Redis does not hear of it, its window counts one too many until it ends. */
export function giveOneBack(
  { connection }: Pick<TakeOptions, 'connection'>,
  { key, tier }: Pick<RateQuestion, 'key' | 'tier'>,
): void {
  const rest = [...lengths, -1, 0, tier.burst, tier.sustained]
  connection.run(takeScript, [key], rest).catch(() => undefined)
}

/** Where Redis does not hear of it, their windows count so many too many until they end. */
export function putBack(
  { connection }: Pick<TakeOptions, 'connection'>,
  unused: readonly Reserve[],
): void {
  const keys = unused.map(({ key }) => key)
  const rest = unused.flatMap(({ count, ends }) => [count, ...ends])
  connection.run(putBackScript, keys, rest).catch(() => undefined)
}

/** What the script is told first: the windows, and until when what is set aside is put back. */
const lengths = [limits.rateBurstMs, limits.rateSustainedMs, 2 * limits.rateReservedMs] as const

function groupsOf(questions: readonly RateQuestion[]): readonly Group[] {
  const groups: Group[] = []
  const open = new Map<string, Group>()
  for (const [index, { key, subject, tier }] of questions.entries()) {
    let group = open.get(key)
    // A new group also where the tier differs: the business's tier was changed a moment ago.
    if (group === undefined || !sameTier(group.tier, tier)) {
      group = { key, subject, tier, members: [] }
      groups.push(group)
      open.set(key, group)
    }
    group.members.push(index)
  }
  return groups
}

async function ask(
  { connection, nowMs, reserves, exhausted }: TakeOptions,
  groups: readonly Group[],
  answers: RateAnswer[],
): Promise<void> {
  const keys = groups.map(({ key }) => key)
  const rest: number[] = [...lengths]
  for (const { key, members, tier } of groups) {
    const { length } = members
    rest.push(length, reserves.wanted(key, tier, length), tier.burst, tier.sustained)
  }
  const reply = await connection.run(takeScript, keys, rest)
  assert(Array.isArray(reply) && reply.length === groups.length * 7 + 1, 'It answers a list.')
  const times = { now: nowMs(), redisNow: reply[groups.length * 7] as number }
  for (const [index, group] of groups.entries()) {
    const numbers = reply.slice(index * 7, index * 7 + 7) as Numbers
    const [passing, , burstEnd, , sustainedEnd, aside, againInMs] = numbers
    const windows = give(group, { ...times, numbers, answers })
    const { key, members, subject, tier } = group
    const ends = [burstEnd, sustainedEnd] as const
    if (aside > 0) reserves.keep({ key, subject, tier, count: aside, windows, ends })
    if (passing < members.length && againInMs === 0) exhausted(key, windows)
  }
}

type Numbers = [
  passing: number,
  burst: number,
  burstEnd: number,
  sustained: number,
  sustainedEnd: number,
  aside: number,
  againInMs: number,
]

interface Given {
  readonly numbers: Numbers
  readonly now: number
  readonly redisNow: number
  readonly answers: RateAnswer[]
}

/**
 * Lets requests pass in the order in which they were asked. Answers the windows as they stand
 * afterwards.
 */
function give({ members, tier }: Group, { numbers, now, redisNow, answers }: Given): RateWindows {
  const [passing, burst, burstEnd, sustained, sustainedEnd, , againInMs] = numbers
  let passed = 0
  for (const place of members) {
    const passes = passed < passing
    if (passes) passed += 1
    const counted = countedOf(windows(passed), tier, { passed: passes, now })
    answers[place] = { counted, againInMs: passes ? 0 : againInMs }
  }
  return windows(passed)

  function windows(more: number): RateWindows {
    return {
      burst: { count: burst + more, endsAt: now + burstEnd - redisNow },
      sustained: { count: sustained + more, endsAt: now + sustainedEnd - redisNow },
    }
  }
}
