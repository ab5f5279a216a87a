import assert from 'node:assert/strict'
import { limits } from '../../../limits.ts'
import type { RateTier } from '../../../rules/commerce/rate-tier.ts'
import type { Counted, RateWindows } from '../../../rules/commerce/rate-windows.ts'
import { countedOf } from '../../../rules/commerce/rate-windows.ts'
import type { RedisConnection } from '../../redis.ts'
import { luaScript } from '../../redis.ts'

/** One request that wants to pass. */
export interface RateQuestion {
  readonly key: string
  readonly tier: RateTier
}

/** The requests of one subject that came together. */
interface Group extends RateQuestion {
  /** Their places among the questions. */
  readonly members: number[]
}

export interface TakeOptions {
  readonly connection: RedisConnection
  readonly nowMs: () => number
  /** Called with the windows of a key whose limit is used up. */
  readonly exhausted: (key: string, windows: RateWindows) => void
}

/** A script holds Redis up for less than 2 ms. */
const groupsMax = 400

const takeScript = luaScript(import.meta.url, 'take')

/** Asks for all questions in as few scripts as possible; answers in the order of the questions. */
export async function takeTogether(
  options: TakeOptions,
  questions: readonly RateQuestion[],
): Promise<readonly Counted[]> {
  const groups = groupsOf(questions)
  const answers: Counted[] = new Array(questions.length)
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
  { key, tier }: RateQuestion,
): void {
  const rest = [limits.rateBurstMs, limits.rateSustainedMs, -1, tier.burst, tier.sustained]
  connection.run(takeScript, [key], rest).catch(() => undefined)
}

function groupsOf(questions: readonly RateQuestion[]): readonly Group[] {
  const groups: Group[] = []
  const open = new Map<string, Group>()
  for (const [index, { key, tier }] of questions.entries()) {
    let group = open.get(key)
    // A new group also where the tier differs: the business's tier was changed a moment ago.
    if (group === undefined || !sameTier(group.tier, tier)) {
      group = { key, tier, members: [] }
      groups.push(group)
      open.set(key, group)
    }
    group.members.push(index)
  }
  return groups
}

const sameTier = (one: RateTier, other: RateTier): boolean =>
  one.burst === other.burst && one.sustained === other.sustained

async function ask(
  { connection, nowMs, exhausted }: TakeOptions,
  groups: readonly Group[],
  answers: Counted[],
): Promise<void> {
  const keys = groups.map(({ key }) => key)
  const rest: number[] = [limits.rateBurstMs, limits.rateSustainedMs]
  for (const { members, tier } of groups) rest.push(members.length, tier.burst, tier.sustained)
  const reply = await connection.run(takeScript, keys, rest)
  assert(Array.isArray(reply) && reply.length === groups.length * 5, 'The script answers a list.')
  const now = nowMs()
  for (const [index, group] of groups.entries()) {
    const numbers = reply.slice(index * 5, index * 5 + 5) as Numbers
    const windows = give(group, { numbers, now, answers })
    if ((numbers[0] ?? 0) < group.members.length) exhausted(group.key, windows)
  }
}

type Numbers = [passing: number, burst: number, burstMs: number, sustained: number, endMs: number]

/**
 * Lets requests pass in the order in which they were asked. Answers the windows as they stand
 * afterwards.
 */
function give(
  { members, tier }: Group,
  given: { readonly numbers: Numbers; readonly now: number; readonly answers: Counted[] },
): RateWindows {
  const { now, answers } = given
  const [passing, burst, burstMs, sustained, sustainedMs] = given.numbers
  let passed = 0
  for (const place of members) {
    const passes = passed < passing
    if (passes) passed += 1
    answers[place] = countedOf(windows(passed), tier, { passed: passes, now })
  }
  return windows(passed)

  function windows(more: number): RateWindows {
    return {
      burst: { count: burst + more, endsAt: now + burstMs },
      sustained: { count: sustained + more, endsAt: now + sustainedMs },
    }
  }
}
