import { checksumOf } from './checksum.ts'
import type { WireWriter } from './wire.ts'
import { WireReader } from './wire.ts'

/** A record as it goes into a topic. */
export interface OutRecord {
  readonly key: Uint8Array | null
  readonly value: Uint8Array
  readonly headers: readonly Header[]
}

export interface Header {
  readonly name: Uint8Array
  readonly value: Uint8Array
}

/** A record as it was read: its bytes are views of what the broker sent. */
export interface InRecord {
  readonly offset: number
  /** In milliseconds; the broker's time of the append where the topic says LogAppendTime. */
  readonly at: number
  readonly value: Buffer
  readonly headers: ReadonlyMap<string, Buffer>
}

/*
 * A record batch of Kafka, format 2:
 *
 *   0             8        12             16      17    21           23
 *   | base offset | length | leader epoch | magic | crc | attributes | …
 *   23                  27          35         43         51      57             61
 *   | last offset delta | base time | max time | producer | seq   | record count | records …
 */
const lengthAt = 8
const crcAt = 17
const attributesAt = 21
const headBytes = 61
const format = 2
const compressionBits = 0x07
const logAppendBit = 0x08
const controlBit = 0x20

/** The most bytes that a record takes besides its key, value and headers. */
const recordOverheadBytes = 24

/** An upper bound, so that a request that would be too large is noticed before it is made. */
export function batchBytes(records: readonly OutRecord[]): number {
  let bytes = headBytes
  for (const record of records) bytes += recordBytes(record)
  return bytes
}

/** What one record adds to a batch, at most. */
export function recordBytes({ key, value, headers }: OutRecord): number {
  let bytes = recordOverheadBytes + (key?.length ?? 0) + value.length
  for (const header of headers) bytes += 10 + header.name.length + header.value.length
  return bytes
}

/** Writes one batch, not compressed, of all the records, sent at `at` (milliseconds). */
export function writeBatch(writer: WireWriter, records: readonly OutRecord[], at: number): void {
  const start = writer.length
  writer.int64(0).int32(0).int32(-1).int8(format).int32(0).int16(0)
  writer
    .int32(records.length - 1)
    .int64(at)
    .int64(at)
  // No producer id: dedupe takes repeats out, and outlives any producer.
  writer.int64(-1).int16(-1).int32(-1).int32(records.length)
  for (const [index, record] of records.entries()) writeRecord(writer, record, index)
  writer.patch32(start + lengthAt, writer.length - start - lengthAt - 4)
  const { bytes } = writer
  writer.patch32(start + crcAt, checksumOf(bytes, start + attributesAt, bytes.length))
}

function writeRecord(writer: WireWriter, record: OutRecord, index: number): void {
  const { key, value, headers } = record
  const keySize = key === null ? varintBytes(-1) : varintBytes(key.length) + key.length
  let size = 1 + varintBytes(0) + varintBytes(index) + keySize
  size += varintBytes(value.length) + value.length + varintBytes(headers.length)
  for (const header of headers) size += sized(header.name) + sized(header.value)
  varint(writer, size)
  writer.int8(0)
  varint(writer, 0)
  varint(writer, index)
  if (key === null) varint(writer, -1)
  else blob(writer, key)
  blob(writer, value)
  varint(writer, headers.length)
  for (const header of headers) {
    blob(writer, header.name)
    blob(writer, header.value)
  }
}

const varint = (writer: WireWriter, value: number): void =>
  void writer.unsigned(value >= 0 ? value * 2 : -value * 2 - 1)

function blob(writer: WireWriter, bytes: Uint8Array): void {
  varint(writer, bytes.length)
  writer.raw(bytes)
}

const sized = (bytes: Uint8Array): number => varintBytes(bytes.length) + bytes.length

function varintBytes(value: number): number {
  let rest = value >= 0 ? value * 2 : -value * 2 - 1
  let bytes = 1
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes += 1
  return bytes
}

/** What a fetch brought of one partition. */
export interface Batches {
  readonly records: readonly InRecord[]
  /** Where to read on, past control records and gaps. */
  readonly next: number
}

/**
 * Reads the whole batches of `bytes`; brokers may cut the last one off. Records before `from` are
 * left out, since a broker sends the whole batch that `from` is in.
 */
export function readBatches(bytes: Buffer, from: number): Batches {
  const records: InRecord[] = []
  let [at, next] = [0, from]
  while (bytes.length - at >= headBytes) {
    const length = bytes.readInt32BE(at + lengthAt)
    const end = at + lengthAt + 4 + length
    if (end > bytes.length) break
    next = Math.max(next, readBatch(new WireReader(bytes.subarray(at, end)), from, records))
    at = end
  }
  return { records, next }
}

function readBatch(reader: WireReader, from: number, into: InRecord[]): number {
  const base = reader.int64()
  reader.raw(8)
  if (reader.int8() !== format) throw new Error('The topic holds records from before Kafka 0.11.')
  reader.raw(4)
  const attributes = reader.int16()
  const next = base + reader.int32() + 1
  const [baseTime, maxTime] = [reader.int64(), reader.int64()]
  reader.raw(14)
  const count = reader.int32()
  if ((attributes & controlBit) !== 0) return next
  const compressed = (attributes & compressionBits) !== 0
  const whole = compressed ? reader.raw(reader.left) : null
  for (let index = 0; index < count; index += 1) {
    const record = whole === null ? readRecord(reader, base) : unreadable(base, index, whole)
    // With LogAppendTime the broker writes its time once per batch, and leaves the records as they
    // are.
    const at = (attributes & logAppendBit) !== 0 ? maxTime : baseTime + record.timeDelta
    if (record.offset >= from) into.push({ ...record, at })
  }
  return next
}

type ReadRecord = Omit<InRecord, 'at'> & { readonly timeDelta: number }

/**
 * Compressed records cannot be Sluice's, and are not unpacked. Each of their places gets a record
 * that cannot be read, the first one with the bytes, so that measuring sets them aside instead of
 * passing over them.
 */
function unreadable(base: number, index: number, whole: Buffer): ReadRecord {
  const value = index === 0 ? whole : Buffer.from('compressed: the bytes are those of the first')
  return { offset: base + index, timeDelta: 0, value, headers: new Map() }
}

function readRecord(reader: WireReader, base: number): ReadRecord {
  reader.varint()
  reader.int8()
  const timeDelta = reader.varint()
  const offset = base + reader.varint()
  nullable(reader)
  const value = nullable(reader) ?? Buffer.alloc(0)
  const headers = new Map<string, Buffer>()
  const count = reader.varint()
  for (let index = 0; index < count; index += 1) {
    const name = (nullable(reader) ?? Buffer.alloc(0)).toString('utf8')
    headers.set(name, nullable(reader) ?? Buffer.alloc(0))
  }
  return { offset, timeDelta, value, headers }
}

function nullable(reader: WireReader): Buffer | null {
  const size = reader.varint()
  return size < 0 ? null : reader.raw(size)
}
