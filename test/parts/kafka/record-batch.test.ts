import { expect, it } from 'vitest'
import { checksumOf } from '../../../src/parts/kafka/protocol/checksum.ts'
import {
  batchBytes,
  readBatches,
  writeBatch,
} from '../../../src/parts/kafka/protocol/record-batch.ts'
import { WireReader, WireWriter } from '../../../src/parts/kafka/protocol/wire.ts'
import { crc32c } from '../../../src/std/crc32c.ts'

const recordOf = (text: string, key: string | null = null) => ({
  key: key === null ? null : Buffer.from(key),
  value: Buffer.from(text),
  headers: [{ name: Buffer.from('count'), value: Buffer.from(String(text.length)) }],
})

const written = (texts: readonly string[], base: number): Buffer => {
  const writer = new WireWriter()
  writeBatch(
    writer,
    texts.map((text) => recordOf(text)),
    1_700_000_000_000,
  )
  const bytes = Buffer.from(writer.bytes)
  bytes.writeBigInt64BE(BigInt(base))
  return bytes
}

it('has the checksum of the standard, wherever the bytes lie', () => {
  expect(crc32c(Buffer.from('123456789'), 0, 9) >>> 0).toBe(0xe3069283)
  const bytes = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 89) & 255))
  for (let from = 0; from < 20; from += 1)
    for (const length of [0, 1, 3, 15, 16, 17, 40, 150])
      expect(crc32c(bytes, from, from + length)).toBe(slow(bytes.subarray(from, from + length)))
})

it('has the same checksum by whatever computes it', () => {
  const bytes = Buffer.from(Array.from({ length: 9_000 }, (_, index) => (index * 89) >>> 3))
  for (const from of [0, 1, 21])
    for (const length of [0, 1, 511, 512, 513, 8_000]) {
      const end = from + length
      expect(checksumOf(bytes, from, end)).toBe(crc32c(bytes, from, end))
    }
})

it('writes batches that it reads, with the values, headers and times', () => {
  const texts = ['', 'a', 'b'.repeat(63), 'c'.repeat(64), 'd'.repeat(8_191), 'e'.repeat(100_000)]
  const { records, next } = readBatches(written(texts, 5_000_000_000), 0)
  expect(next).toBe(5_000_000_006)
  expect(records.map(({ value }) => value.toString())).toEqual(texts)
  expect(records.map(({ offset }) => offset - 5_000_000_000)).toEqual([0, 1, 2, 3, 4, 5])
  expect(records[3]?.headers.get('count')?.toString()).toBe('64')
  expect(records[0]?.at).toBe(1_700_000_000_000)
})

it('never takes more room than it says', () => {
  for (const count of [1, 2, 70, 300]) {
    const records = Array.from({ length: count }, (_, index) => recordOf('x'.repeat(index), 'key'))
    const writer = new WireWriter()
    writeBatch(writer, records, 0)
    expect(writer.length).toBeLessThanOrEqual(batchBytes(records))
  }
})

it('leaves out what comes before, what is cut off, and what only controls', () => {
  const [first, second, third] = [written(['a', 'b'], 0), written(['c'], 2), written(['d'], 3)]
  second.writeInt16BE(0x20, 21)
  const bytes = Buffer.concat([first, second, third, written(['e'], 4).subarray(0, 70)])
  const { records, next } = readBatches(bytes, 1)
  expect(records.map(({ offset, value }) => [offset, value.toString()])).toEqual([
    [1, 'b'],
    [3, 'd'],
  ])
  expect(next).toBe(4)
  expect(readBatches(second, 2)).toEqual({ records: [], next: 3 })
  expect(readBatches(Buffer.alloc(0), 7)).toEqual({ records: [], next: 7 })
})

it('gives compressed records their places, and reads none of them', () => {
  const bytes = written(['a', 'b'], 8)
  bytes.writeInt16BE(2, 21)
  const { records, next } = readBatches(Buffer.concat([bytes, written(['c'], 10)]), 8)
  expect(records.map(({ offset }) => offset)).toEqual([8, 9, 10])
  expect(records[0]?.value).toEqual(bytes.subarray(61))
  expect(records[1]?.value.toString()).toMatch(/^compressed/)
  expect([records[2]?.value.toString(), next]).toEqual(['c', 11])
})

it('writes and reads numbers of every size', () => {
  const numbers = [0, 1, 127, 128, 16_384, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]
  const writer = new WireWriter(1)
  for (const number of numbers) writer.int64(number).unsigned(number)
  writer.int64(-1).text('déjà').text(null).blob(null).compactText('vu')
  const reader = new WireReader(writer.bytes)
  for (const number of numbers)
    expect([reader.int64(), reader.unsigned()]).toEqual([number, number])
  expect([reader.int64(), reader.text(), reader.text()]).toEqual([-1, 'déjà', null])
  expect([reader.blob(), reader.compactText(), reader.left]).toEqual([null, 'vu', 0])
  expect(() => reader.int8()).toThrow(RangeError)
})

/** Bit by bit, as the polynomial is defined. */
function slow(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  }
  return ~crc
}
