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
  /** All records below this offset are on all in-sync replicas. */
  readonly end: number
  /** Record batches; the last one may be cut off. */
  readonly bytes: Buffer
}

/** Asks only for records that are on all in-sync replicas. */
export function fetchRequest(request: FetchRequest): WireRequest<readonly Fetched[]> {
  const { topic, partitions, waitMs, bytesMax } = request
  return {
    name: 'Fetch',
    key: 1,
    version: 11,
    encode(writer) {
      writer.int32(consumer).int32(waitMs).int32(1).int32(bytesMax)
      // Uncommitted transactions are shown too: we write none, and measuring sets records of others
      // aside.
      writer.int8(0)
      // No fetch session: each request names everything that it wants.
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

/** The "replica id" of a request that does not come from a replica. */
const consumer = -1
