import { describe, expect, it } from 'vitest'
import { sharePartitions } from '../../../src/parts/event-log/kafka/partition-shares.ts'
import {
  collect,
  extend,
  moveTo,
  readAheadOf,
} from '../../../src/parts/event-log/kafka/read-ahead.ts'
import type { LogRecord } from '../../../src/parts/event-log/port.ts'
import {
  describeMember,
  heldBy,
  readShare,
  writeShare,
} from '../../../src/parts/kafka/protocol/group.ts'
import { instantOf } from '../../../src/std/instant.ts'

describe('sharing out partitions', () => {
  const shares = (held: readonly (readonly number[])[], partitions = 8) => {
    const sharers = held.map((one, index) => ({ member: `m${index}`, held: one }))
    const forwards = sharePartitions(sharers, partitions)
    expect(sharePartitions([...sharers].reverse(), partitions)).toEqual(forwards)
    const all = [...forwards.values()].flat().sort((a, b) => a - b)
    expect(all).toEqual(Array.from({ length: partitions }, (_, index) => index))
    const sizes = [...forwards.values()].map(({ length }) => length)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
    return sharers.map(({ member }) => forwards.get(member))
  }

  it('gives everybody the same number, or one more', () => {
    shares([[], [], []])
    shares([[], []], 1)
    shares(Array.from({ length: 20 }, () => []))
  })

  it('moves no more than it must', () => {
    expect(
      shares([
        [0, 1, 2, 3],
        [4, 5, 6, 7],
      ]),
    ).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ])
    const [first, second, third] = shares([[0, 1, 2, 3], [4, 5, 6, 7], []])
    expect([first, second]).toEqual([
      [0, 1, 2],
      [4, 5, 6],
    ])
    expect(third).toEqual([3, 7])
    expect(shares([[4, 5, 6, 7], []])[0]).toEqual(expect.arrayContaining([4, 5, 6, 7]))
  })

  it('believes two that hold the same, or what there is not, only as far as that goes', () => {
    shares([
      [0, 1, 2],
      [0, 1, 2],
      [2, 2, 99, -1],
    ])
  })

  it('tells and reads what members hold and get', () => {
    expect(heldBy(Buffer.from(describeMember('usage.events', [3, 1])))).toEqual([3, 1])
    expect(heldBy(Buffer.from('of another client'))).toEqual([])
    expect(readShare(Buffer.from(writeShare('usage.events', [0, 15])))).toEqual([0, 15])
    expect(readShare(Buffer.alloc(0))).toEqual([])
  })
})

describe('what is read ahead', () => {
  const recordsOf = (partition: number, offsets: readonly number[], size = 10): LogRecord[] =>
    offsets.map((offset) => {
      return { partition, offset, at: instantOf(0), events: 1, value: new Uint8Array(size) }
    })
  const filled = (partition: number, offsets: readonly number[], size = 10) => {
    const ahead = readAheadOf(partition)
    moveTo(ahead, 0)
    extend(ahead, 0, { records: recordsOf(partition, offsets, size), next: offsets.length })
    return ahead
  }

  it('takes nothing that does not follow what is there', () => {
    const ahead = filled(0, [0, 1])
    extend(ahead, 1, { records: recordsOf(0, [1]), next: 2 })
    extend(ahead, 3, { records: recordsOf(0, [3]), next: 4 })
    expect(ahead.records.map(({ offset }) => offset)).toEqual([0, 1])
    moveTo(ahead, 1)
    extend(ahead, 2, { records: recordsOf(0, [2]), next: 3 })
    expect([ahead.records, ahead.bytes, ahead.next]).toEqual([[], 0, 1])
    moveTo(ahead, null)
    extend(ahead, 0, { records: recordsOf(0, [0]), next: 1 })
    expect(ahead.records).toEqual([])
  })

  it('gives what fits, and one record in any case', () => {
    const [many, few] = [filled(0, [0, 1, 2, 3]), filled(1, [0])]
    const slices = collect([many, few], 40)
    expect(slices.map(({ records }) => records.length)).toEqual([3, 1])
    expect([many.next, many.bytes, few.next]).toEqual([3, 10, 1])
    expect(collect([many], 40).map(({ records }) => records.length)).toEqual([1])
    expect(collect([filled(2, [0, 1], 100)], 10)[0]?.records).toHaveLength(1)
    expect(collect([filled(3, [0]), filled(4, [0], 25)], 40)).toHaveLength(2)
  })
})
