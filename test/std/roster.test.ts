import { expect, it } from 'vitest'
import type { Listed } from '../../src/std/roster.ts'
import { roster } from '../../src/std/roster.ts'

it('holds those who came and have not left, whatever the order', () => {
  const [here, expected] = [roster<Listed & { name: number }>(), new Set<{ name: number }>()]
  let state = 7
  const drawn = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  for (let step = 0; step < 5_000; step += 1) {
    const all = here.members()
    const leaving = all[drawn(all.length + 1)]
    // More come at first, and more leave later, so that it grows and becomes empty again.
    if (leaving !== undefined && drawn(5_000) < step) {
      here.remove(leaving)
      expected.delete(leaving)
    } else {
      const coming = { name: step, place: -1 }
      here.add(coming)
      expected.add(coming)
    }
    expect(here.size).toBe(expected.size)
    expect(new Set(here.members())).toEqual(expected)
  }
})

it('answers a list that does not change when they come and go', () => {
  const here = roster<Listed>()
  const [one, other] = [{ place: -1 }, { place: -1 }]
  here.add(one)
  here.add(other)
  const members = here.members()
  for (const member of members) here.remove(member)
  expect([members, here.size]).toEqual([[one, other], 0])
})
