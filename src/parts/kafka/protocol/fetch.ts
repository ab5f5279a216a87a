import type { WireRequest } from './request.ts'

export interface FetchRequest {
  readonly topic: string
  readonly partitions: readonly FetchPartition[]
  /** How long the broker may wait for the first byte. */
  readonly waitMs: number
  /** Of all partitions together; one batch comes even if it is larger. */
  readonly bytesMax: number
}

export interface FetchPartition {
  readonly partition: number
  readonly from: number
  readonly bytesMax: number
}

export interface Fetched {
  readonly partition: number
  /** 0, or the broker's error. */
  readonly code: number
  /** Below it everything is on all in-sync replicas. */
  readonly end: number
  /** Record batches, the last perhaps cut off. */
  readonly bytes: Buffer
}

/** Records that are on all in-sync replicas, never more. */
export function fetchRequest(request: FetchRequest): WireRequest<readonly Fetched[]> {
  const { topic, partitions, waitMs, bytesMax } = request
  return {
    name: 'Fetch',
    key: 1,
    version: 11,
    encode(writer) {
      writer.int32(consumer).int32(waitMs).int32(1).int32(bytesMax)
      // Our records are not part of transactions: those of others are for measuring to set aside.
      writer.int8(0)
      // No fetch session: a request names all that it wants, and forgets nothing.
      writer.int32(0).int32(-1)
      writer.list([topic], (name) => {
        writer.text(name).list(partitions, (one) => {
          writer.int32(one.partition).int32(-1).int64(one.from).int64(-1).int32(one.bytesMax)
        })
      })
      writer.int32(0).text('')
    },
    decode(reader) {
      reader.raw(10)
      return reader
        .list(() => {
          reader.text()
          return reader.list(() => {
            const [partition, code, end] = [reader.int32(), reader.int16(), reader.int64()]
            reader.raw(16)
            for (let aborted = reader.int32(); aborted > 0; aborted -= 1) reader.raw(16)
            reader.int32()
            return { partition, code, end, bytes: reader.blob() ?? Buffer.alloc(0) }
          })
        })
        .flat()
    },
  }
}

/** As whom we ask: not as a replica. */
const consumer = -1
