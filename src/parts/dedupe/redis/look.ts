import assert from 'node:assert/strict'
import type { Partition } from '../../event-log/port.ts'
import type { RedisArgument, RedisConnection } from '../../redis.ts'
import type { Fingerprints, Known } from '../port.ts'
import type { PartitionKeys } from './keys.ts'
import type { Packed } from './packed.ts'
import { idsPerScript, noteFound, packed, partsOf } from './packed.ts'
import { lookScript } from './scripts.ts'

export interface Question {
  readonly partition: Partition
  readonly namespace: string
  readonly ids: Fingerprints
}

/** Looks for the ids of many questions in as few calls as may be; an answer each. */
export async function look(
  connection: RedisConnection,
  keysOf: (partition: Partition) => PartitionKeys,
  questions: readonly Question[],
): Promise<readonly Known[]> {
  const places = placesOf(questions)
  const pieces = places.flatMap((place) => piecesOf(place, keysOf(place.partition)))
  await Promise.all(callsOf(pieces).map((call) => send(connection, call)))
  const answers: Known[] = []
  for (const { parts, known } of places) {
    for (const { index, from, count } of parts) answers[index] = known.subarray(from, from + count)
  }
  return answers
}

/** Everything that is asked of one partition and namespace. */
interface Place {
  readonly partition: Partition
  readonly namespace: string
  /** The questions by number, and where the ids of each lie. */
  readonly parts: readonly {
    readonly index: number
    readonly from: number
    readonly count: number
  }[]
  readonly ids: Fingerprints
  readonly known: Known
}

function placesOf(questions: readonly Question[]): readonly Place[] {
  const grouped = new Map<string, number[]>()
  for (const [index, { partition, namespace }] of questions.entries()) {
    const name = `${partition} ${namespace}`
    const group = grouped.get(name)
    if (group === undefined) grouped.set(name, [index])
    else group.push(index)
  }
  return [...grouped.values()].map((group) => placeOf(questions, group))
}

function placeOf(questions: readonly Question[], group: readonly number[]): Place {
  let total = 0
  const parts = group.map((index) => {
    const count = (questions[index]?.ids.length ?? 0) / 2
    total += count
    return { index, from: total - count, count }
  })
  const ids = new Uint32Array(total * 2)
  for (const { index, from } of parts) ids.set(questions[index]?.ids ?? [], from * 2)
  const { partition = 0, namespace = '' } = questions[group[0] ?? 0] ?? {}
  return { partition, namespace, parts, ids, known: new Uint8Array(total) }
}

interface Piece {
  readonly keys: PartitionKeys
  readonly namespace: string
  readonly sent: Packed
  readonly known: Known
}

const piecesOf = ({ ids, known, namespace }: Place, keys: PartitionKeys): readonly Piece[] =>
  partsOf(ids).map((part) => ({
    keys,
    namespace,
    sent: packed(part.ids),
    known: known.subarray(part.from),
  }))

/** One script's worth of pieces each. */
function callsOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const calls: Piece[][] = []
  let room = 0
  for (const piece of pieces) {
    const count = piece.sent.order.length
    if (count > room) {
      calls.push([])
      room = idsPerScript
    }
    calls.at(-1)?.push(piece)
    room -= count
  }
  return calls
}

async function send(connection: RedisConnection, call: readonly Piece[]): Promise<void> {
  const rest: RedisArgument[] = ['', '']
  for (const { keys, namespace, sent } of call) rest.push(keys.tag, namespace, '', sent.bytes)
  const keys = call.flatMap((piece) => piece.keys.keys)
  const replies = await connection.run(lookScript, keys, rest)
  assert(Array.isArray(replies), 'The script answers a list.')
  for (const [index, { sent, known }] of call.entries()) {
    const reply: unknown = replies[index]
    if (reply instanceof Buffer) noteFound(reply, sent, known)
  }
}
