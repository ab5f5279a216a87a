import type { OutRecord } from './record-batch.ts'
import { batchBytes, writeBatch } from './record-batch.ts'
import type { WireRequest } from './request.ts'
import type { WireWriter } from './wire.ts'

export interface ProduceRequest {
  readonly topic: string
  readonly batches: readonly PartitionBatch[]
  /** How long the broker waits for its replicas. */
  readonly timeoutMs: number
  /** The time in milliseconds, for topics that keep the sender's time. */
  readonly at: number
}

export interface PartitionBatch {
  readonly partition: number
  readonly records: readonly OutRecord[]
}

/** What became of one partition's batch. */
export interface Produced {
  readonly partition: number
  /** 0, or the broker's error. */
  readonly code: number
  /** The first record's offset; the others follow without gaps. */
  readonly base: number
  /**
   * The broker's own time at the append, in milliseconds; -1 where the topic keeps the sender's.
   */
  readonly stampedMs: number
}

/**
 * A request that a broker answers when all in-sync replicas have the records, with a result per
 * partition.
 */
export function produceRequest(request: ProduceRequest): WireRequest<readonly Produced[]> {
  const { topic, batches, timeoutMs, at } = request
  const bytes = batches.reduce((sum, { records }) => sum + batchBytes(records) + 16, 64)
  return {
    name: 'Produce',
    key: 0,
    version: 7,
    bytes,
    encode(writer) {
      writer.text(null).int16(acksAll).int32(timeoutMs)
      writer.list([topic], (name) => {
        writer.text(name).list(batches, (batch) => encodeBatch(writer, batch, at))
      })
    },
    decode: (reader) =>
      reader
        .list(() => {
          reader.text()
          return reader.list(() => {
            const [partition, code, base] = [reader.int32(), reader.int16(), reader.int64()]
            const stampedMs = reader.int64()
            reader.raw(8)
            return { partition, code, base, stampedMs }
          })
        })
        .flat(),
  }
}

const acksAll = -1

function encodeBatch(writer: WireWriter, batch: PartitionBatch, at: number): void {
  writer.int32(batch.partition)
  const sizeAt = writer.length
  writer.int32(0)
  writeBatch(writer, batch.records, at)
  writer.patch32(sizeAt, writer.length - sizeAt - 4)
}
