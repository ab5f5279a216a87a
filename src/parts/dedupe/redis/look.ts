import assert from 'node:assert/strict'
import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { Partition } from '../../event-log/port.ts'
import type { RedisConnection } from '../../redis.ts'
import type { Fingerprints, Known } from '../port.ts'
import { idsPerScript, noteFound, packIds } from './id-packing.ts'
import type { DedupeKeys } from './keys.ts'
import { lookScript } from './scripts.ts'

export interface KnownQuestion {
  readonly partition: Partition
  readonly namespace: string
  readonly ids: Fingerprints
}

/** Looks up the ids of many questions in as few scripts as possible; one answer per question. */
export async function look(
  connection: RedisConnection,
  keys: DedupeKeys,
  questions: readonly KnownQuestion[],
): Promise<readonly Known[]> {
  const gathered = gatheredFrom(questions)
  const { known, places } = gathered
  const calls = callsOf(gathered)
  await Promise.all(calls.map((call) => ask(connection, keys, { call, condition: none })))
  return questions.map(({ ids }, index) => {
    const from = places[index] ?? 0
    return known.subarray(from, from + ids.length / fingerprintWords)
  })
}

/** Some ids of one partition. */
export interface AskedIds {
  readonly partition: Partition
  readonly namespace: string
  readonly start: string | number
  readonly count: number
}

/**
 * What one script is asked: the ids of its pieces one after the other, and where the answers go.
 */
export interface Call {
  readonly pieces: readonly AskedIds[]
  readonly ids: Fingerprints
  readonly known: Known
}

/** What must hold for an answer to count: half the window, and how many keys had been evicted. */
export interface Condition {
  readonly half: string | number
  readonly evicted: string | number
}

const none: Condition = { half: '', evicted: '' }

/**
 * Runs one script with at most 2 000 ids. Answers 1, null or an array for each piece, as the script
 * says.
 */
export async function ask(
  connection: RedisConnection,
  keys: DedupeKeys,
  { call, condition }: { readonly call: Call; readonly condition: Condition },
): Promise<readonly unknown[]> {
  const { ids, known, pieces } = call
  let end = 0
  const ends = pieces.map(({ count }) => {
    end += count
    return end
  })
  const sent = packIds(ids, ends)
  const rest = [condition.half, condition.evicted, pieces.length, sent.bytes]
  for (const { count, namespace, start } of pieces) rest.push(namespace, start, count)
  const on = keys.of(pieces.map(({ partition }) => partition))
  const reply = await connection.run(lookScript, on, rest)
  assert(Array.isArray(reply) && reply[0] instanceof Buffer, 'The script answers a list.')
  noteFound(reply[0], sent, known)
  return reply.slice(1)
}

/** The questions of one partition. */
interface Group {
  readonly partition: Partition
  readonly namespace: string
  readonly members: number[]
  count: number
}

interface Gathered {
  readonly groups: readonly Group[]
  /** The ids of all groups, one group after the other. */
  readonly ids: Fingerprints
  readonly known: Known
  /** Where the ids of each question begin. */
  readonly places: readonly number[]
}

/**
 * Puts the questions of each partition together. Under load one call carries hundreds of questions
 * about few partitions: Redis then looks once per partition, and per question nothing is allocated
 * here but the place of its answer.
 */
function gatheredFrom(questions: readonly KnownQuestion[]): Gathered {
  const groups = groupsOf(questions)
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  const ids = new Uint32Array(total * fingerprintWords)
  const places = new Array<number>(questions.length).fill(0)
  let at = 0
  for (const { members } of groups) {
    for (const index of members) {
      const own = questions[index]?.ids ?? ids
      places[index] = at / fingerprintWords
      // A question has few words: a loop is faster than `set`.
      for (let word = 0; word < own.length; word += 1) ids[at + word] = own[word] ?? 0
      at += own.length
    }
  }
  return { groups, ids, known: new Uint8Array(total), places }
}

function groupsOf(questions: readonly KnownQuestion[]): readonly Group[] {
  const groups: Group[] = []
  const open = new Map<Partition, Group>()
  for (const [index, { ids, namespace, partition }] of questions.entries()) {
    let group = open.get(partition)
    // The edge has just read another namespace: the questions before this one still name the old
    // one.
    if (group?.namespace !== namespace) {
      group = { partition, namespace, members: [], count: 0 }
      groups.push(group)
      open.set(partition, group)
    }
    group.members.push(index)
    group.count += ids.length / fingerprintWords
  }
  return groups
}

/** Cuts the groups into scripts. */
function callsOf({ groups, ids, known }: Gathered): readonly Call[] {
  const calls: Call[] = []
  let pieces: AskedIds[] = []
  let [from, at] = [0, 0]
  for (const { count, namespace, partition } of groups) {
    for (let left = count; left > 0; ) {
      const taken = Math.min(left, from + idsPerScript - at)
      pieces.push({ partition, namespace, start: '', count: taken })
      at += taken
      left -= taken
      if (at - from === idsPerScript) cut()
    }
  }
  cut()
  return calls

  function cut(): void {
    if (at === from) return
    calls.push({
      pieces,
      ids: ids.subarray(from * fingerprintWords, at * fingerprintWords),
      known: known.subarray(from, at),
    })
    pieces = []
    from = at
  }
}
