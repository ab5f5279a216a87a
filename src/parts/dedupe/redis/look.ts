import assert from 'node:assert/strict'
import type { Partition } from '../../event-log/port.ts'
import type { RedisConnection } from '../../redis.ts'
import type { Fingerprints, Known } from '../port.ts'
import type { DedupeKeys } from './keys.ts'
import { idsPerScript, noteFound, packed, partsOf } from './packed.ts'
import { lookScript } from './scripts.ts'

export interface Question {
  readonly partition: Partition
  readonly namespace: string
  readonly ids: Fingerprints
}

/** Looks for the ids of many questions in as few scripts as may be; an answer each. */
export async function look(
  connection: RedisConnection,
  keys: DedupeKeys,
  questions: readonly Question[],
): Promise<readonly Known[]> {
  const answers = questions.map(({ ids }) => new Uint8Array(ids.length / 2))
  const calls = callsOf(questions, answers)
  await Promise.all(calls.map((call) => ask(connection, keys, { call, condition: none })))
  return answers
}

/** Some ids of a question, and where their answers go. */
export interface Piece extends Question {
  readonly start: string | number
  readonly known: Known
}

/** What must hold for an answer: half the window, and what had been evicted. */
export interface Condition {
  readonly half: string | number
  readonly evicted: string | number
}

const none: Condition = { half: '', evicted: '' }

/**
 * One script, of at most 2 000 ids. Answers for each piece 1, null or an array, as the script says.
 */
export async function ask(
  connection: RedisConnection,
  keys: DedupeKeys,
  { call, condition }: { readonly call: readonly Piece[]; readonly condition: Condition },
): Promise<readonly unknown[]> {
  const { ids, known, ends } = joined(call)
  const sent = packed(ids, ends)
  const rest = [condition.half, condition.evicted, call.length, sent.bytes]
  for (const piece of call) rest.push(piece.namespace, piece.start, piece.ids.length / 2)
  const on = keys.of(call.map(({ partition }) => partition))
  const reply = await connection.run(lookScript, on, rest)
  assert(Array.isArray(reply) && reply[0] instanceof Buffer, 'The script answers a list.')
  noteFound(reply[0], sent, known)
  for (const [index, piece] of call.entries()) {
    const end = ends[index] ?? 0
    piece.known.set(known.subarray(end - piece.ids.length / 2, end))
  }
  return reply.slice(1)
}

function joined(call: readonly Piece[]) {
  const ends: number[] = []
  let count = 0
  for (const { ids } of call) {
    count += ids.length / 2
    ends.push(count)
  }
  const ids = new Uint32Array(count * 2)
  for (const [index, piece] of call.entries()) {
    ids.set(piece.ids, ((ends[index] ?? 0) - piece.ids.length / 2) * 2)
  }
  return { ids, known: new Uint8Array(count), ends }
}

/** Cut into scripts. */
function callsOf(questions: readonly Question[], answers: readonly Known[]) {
  const calls: Piece[][] = []
  let room = 0
  for (const [index, question] of questions.entries()) {
    for (const { ids, from } of partsOf(question.ids)) {
      const count = ids.length / 2
      if (count > room) {
        calls.push([])
        room = idsPerScript
      }
      const known = answers[index]?.subarray(from, from + count) ?? new Uint8Array(count)
      calls.at(-1)?.push({ ...question, ids, start: '', known })
      room -= count
    }
  }
  return calls
}
