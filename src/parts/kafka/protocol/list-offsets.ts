import type { WireRequest } from './request.ts'

export interface OffsetQuestion {
  readonly topic: string
  readonly partition: number
  readonly which: 'first' | 'shown' | 'end'
}

export interface FoundOffset {
  readonly code: number
  readonly offset: number
}

/**
 * The first offset that is kept, where what consumers are shown ends, or the end.
 *
 * Who leads anew refuses to say what is shown until it knows at least what was shown before; to a
 * fetch it shows less, and no error. (KIP-207)
 *
 * The end is asked for as a tool would ask, and is the leader's own: appended, perhaps not yet on
 * the other replicas. Nothing that is appended later can have an earlier log time than the asking,
 * which is not true of the end that consumers are told: that one lags, and for a moment after an
 * election even steps back.
 */
export function listOffsetsRequest({
  topic,
  partition,
  which,
}: OffsetQuestion): WireRequest<FoundOffset> {
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
          writer.text(name).list([partition], (one) => void writer.int32(one).int64(time))
        })
    },
    decode(reader) {
      reader.int32()
      const [bound] = reader
        .list(() => {
          reader.text()
          return reader.list(() => {
            reader.int32()
            const code = reader.int16()
            reader.int64()
            return { code, offset: reader.int64() }
          })
        })
        .flat()
      return bound ?? { code: -1, offset: -1 }
    },
  }
}

/** As whom we ask. */
const consumer = -1
const tool = -2

/** As whom, and which of Kafka's special times. */
const asking = { first: [consumer, -2], shown: [consumer, -1], end: [tool, -1] } as const
