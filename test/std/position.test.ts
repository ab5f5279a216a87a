import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePosition, encodePosition } from '../../src/std/position.ts'

const scope = { identity: 'log', partitions: 16 }
const position = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 15 }), fc.nat({ max: Number.MAX_SAFE_INTEGER })), {
    selector: ([partition]) => partition,
  })
  .map((entries) => new Map(entries))

describe('positions', () => {
  it('are written with partition and offset', () => {
    const entries = new Map([
      [3, 44],
      [0, 17],
    ])
    expect(encodePosition('abc', entries)).toBe('p1.abc.0-17.3-44')
    expect(encodePosition('abc', new Map())).toBe('p1.abc')
  })

  it('come back as they were, whatever the log is called', () => {
    fc.assert(
      fc.property(position, fc.string({ unit: 'grapheme', minLength: 1 }), (entries, identity) => {
        const text = encodePosition(identity, entries)
        expect(text).not.toContain(',')
        expect(decodePosition(text, { identity, partitions: 16 })).toEqual(entries)
      }),
    )
  })

  it('merge to the greatest offset of each partition', () => {
    fc.assert(
      fc.property(fc.array(position, { minLength: 1, maxLength: 5 }), (several) => {
        const text = several.map((one) => encodePosition('log', one)).join(', ')
        const greatest = new Map<number, number>()
        for (const [partition, offset] of several.flatMap((one) => [...one])) {
          greatest.set(partition, Math.max(greatest.get(partition) ?? 0, offset))
        }
        expect(decodePosition(text, scope)).toEqual(greatest)
      }),
    )
  })

  it.each([
    '',
    'p1',
    'p2.log.0-1',
    'p1.other.0-1',
    'p1.log.0',
    'p1.log.0-',
    'p1.log.0-01',
    'p1.log.00-1',
    'p1.log.0--1',
    'p1.log.0-1.0-2',
    'p1.log.1-1.0-2',
    'p1.log.16-1',
    'p1.log.0-9007199254740993',
    'p1.log.0-1e3',
    'p1.log.0-1.',
    'p1.log.0-1,',
    'p1.log.0-1,x',
    'p1.log.0-1 p1.log.1-1',
    `p1.log${'.0-1'.repeat(10_000)}`,
  ])('refuses %s', (text) => {
    expect(decodePosition(text, scope)).toBeNull()
  })

  it('reads positions of the logs that this one continues', () => {
    const next = { ...scope, identity: 'next', formerly: ['older', 'log'] }
    expect(decodePosition('p1.log.0-7,p1.next.0-5.1-2', next)).toEqual(
      new Map([
        [0, 7],
        [1, 2],
      ]),
    )
    expect(decodePosition('p1.other.0-7', next)).toBeNull()
  })

  it('refuses arbitrary text without throwing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodePosition(text, scope)).toBeNull()
      }),
    )
  })
})
