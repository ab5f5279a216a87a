import { describe, expect, it } from 'vitest'
import type { Stretch } from '../../../src/rules/meter/route.ts'
import { folded, linkAt, relinked } from '../../../src/rules/meter/route.ts'
import { instantOf, minute } from '../../../src/std/instant.ts'
import { at, link } from './arbitraries.ts'

const [one, other, money] = [
  link('mtr_sum', 'cde_1'),
  link('mtr_sum', 'cde_2'),
  link('mtr_sum', null),
]
const of = { meterId: 'mtr_sum', entitlementId: 'cde_1' }
const stretch = (from: number, links: Stretch['links']): Stretch => ({
  from: at(from),
  anchor: at(0),
  frequency: { count: 1, interval: 'Month' },
  links,
})

describe('the terms of a segment', () => {
  const cheap = { ...one, unitsPerCredit: 5n }
  const life = [stretch(0, [one]), stretch(1, [cheap]), stretch(2, [other, money])]

  it('are those of its stretch', () => {
    expect(linkAt(life, at(0), of)).toBe(one)
    expect(linkAt(life, at(1), of)).toBe(cheap)
    expect(linkAt(life, at(2), { ...of, entitlementId: 'cde_2' })).toBe(other)
    expect(linkAt(life, at(2), { ...of, entitlementId: null })).toBe(money)
  })

  it('are the last ones before it where its own were replaced', () => {
    expect(linkAt(life, at(2), of)).toBe(cheap)
    expect(linkAt([stretch(0, [one])], at(-6 * minute), of)).toBeUndefined()
    expect(linkAt(life, at(2), { ...of, meterId: 'mtr_max' })).toBeUndefined()
    expect(linkAt([], at(2), of)).toBeUndefined()
  })
})

describe('default links that change', () => {
  it('hold for all time when they are the first, and from their moment on afterwards', () => {
    const first = relinked([], [one], at(5))
    expect(first.map(({ from, links }) => [from, links])).toEqual([[instantOf(0), [one]]])
    const second = relinked(first, [other], at(6))
    expect(second.map(({ from }) => from)).toEqual([instantOf(0), at(6)])
    expect(second[1]?.anchor).toBe(instantOf(0))
  })

  it('replace what was to begin at their moment or later', () => {
    const twice = relinked(relinked([], [one], at(0)), [other], at(6))
    const again = relinked(twice, [money], at(6))
    expect(again.map(({ links }) => links)).toEqual([[one], [money]])
    const earlier = relinked(twice, [money], at(5))
    expect(earlier.map(({ from }) => from)).toEqual([instantOf(0), at(5)])
  })

  it('are none where none ever were, and an end of those that were', () => {
    expect(relinked([], [], at(5))).toEqual([])
    const gone = relinked(relinked([], [one], at(0)), [], at(6))
    expect(gone.map(({ links }) => links)).toEqual([[one], []])
    const never = [stretch(0, [])]
    expect(relinked(never, [one], at(5)).map(({ from }) => from)).toEqual([instantOf(0)])
  })
})

describe('folding default links', () => {
  const life = [stretch(0, [one]), stretch(1, []), stretch(2, [one]), stretch(3, [other])]
  const starts = (before: number) => {
    const { stretches, over } = folded(life, at(before))
    return [
      stretches.map(({ from }) => from),
      over.map(({ stretch: { from }, end }) => [from, end]),
    ]
  }

  it('takes out what was replaced by then, and never the first nor the last', () => {
    expect(starts(1.5)).toEqual([[0, 1, 2, 3].map(at), []])
    expect(starts(2)).toEqual([[0, 2, 3].map(at), [[at(1), at(2)]]])
    expect(starts(99)).toEqual([
      [0, 3].map(at),
      [
        [at(1), at(2)],
        [at(2), at(3)],
      ],
    ])
    expect(folded([], at(9))).toEqual({ stretches: [], over: [] })
  })
})
