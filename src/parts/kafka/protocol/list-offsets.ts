import type { WireRequest } from './request.ts'

export interface OffsetQuestion {
  readonly topic: string
  readonly partition: number
  readonly which: 'first' | 'shown' | 'end'
}

/** As an OffsetQuestion, of several partitions that one broker leads. */
export interface OffsetsQuestion extends Omit<OffsetQuestion, 'partition'> {
  readonly partitions: readonly number[]
}

export interface FoundOffset {
  readonly partition: number
  readonly code: number
  readonly offset: number
}

/**
 * Asks for an offset: `first`, the first one kept; `shown`, where the records end that consumers
 * are shown; or `end`.
 *
 * A broker that has just become leader refuses to say what is `shown` until it knows at least what
 * was shown before; to a fetch it shows less, and no error (KIP-207).
 *
 * `end` is asked for as a tool would ask, and is the leader's own: records up to there are
 * appended, but perhaps not yet on the other replicas. Whatever is appended later has a log time
 * after the question. The end that consumers are told does not promise that: it lags, and for a
 * moment after an election it even steps back.
 */
export function listOffsetsRequest({
  partition,
  ...question
}: OffsetQuestion): WireRequest<FoundOffset> {
  const request = listAllOffsetsRequest({ ...question, partitions: [partition] })
  return {
    ...request,
    decode: (reader) => request.decode(reader)[0] ?? { partition, code: -1, offset: -1 },
  }
}

/** Asks for the offsets of several partitions at once; each answers with a code of its own. */
export function listAllOffsetsRequest({
  topic,
  partitions,
  which,
}: OffsetsQuestion): WireRequest<readonly FoundOffset[]> {
  const [replica, time] = asking[which]
  return {
    name: 'ListOffsets',
    key: 2,
    version: 3,
    encode(writer) {
      writer
        .int32(replica)
        .int8(0)
        .list([topic], (name) => {
          writer.text(name).list(partitions, (one) => void writer.int32(one).int64(time))
        })
    },
    decode(reader) {
      reader.int32()
      return reader
        .list(() => {
          reader.text()
          return reader.list(() => {
            const partition = reader.int32()
            const code = reader.int16()
            reader.int64()
            return { partition, code, offset: reader.int64() }
          })
        })
        .flat()
    },
  }
}

/** Replica ids that stand for clients: Kafka answers consumers and tools differently. */
const consumer = -1
const tool = -2

/** For each question the client to ask as, and the special timestamp that asks for it. */
const asking = { first: [consumer, -2], shown: [consumer, -1], end: [tool, -1] } as const
