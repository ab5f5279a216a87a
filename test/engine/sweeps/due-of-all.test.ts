import { expect, it } from 'vitest'
import { boundariesPerLook, dueOfAll, scopeOf } from '../../../src/engine/sweeps/due-of-all.ts'
import type { Boundary, DueBoundary } from '../../../src/parts/store/boundaries.ts'
import { instantOf } from '../../../src/std/instant.ts'

const now = instantOf(1_000_000)

/** A store in which each business has so many boundaries, all at one moment, in this order. */
function storeOf(counts: Readonly<Record<string, number>>) {
  let looks = 0
  const all = Object.entries(counts).flatMap(([businessId, count]) =>
    Array.from({ length: count }, (_, n): DueBoundary => {
      const scope = { businessId, mode: 'live' as const }
      return {
        kind: 'cycle_end',
        at: now,
        scope,
        subscriptionId: `${businessId} ${n}`,
        waits: false,
      }
    }),
  )
  const due = async (...[, whose, limit]: Parameters<DueOf>) => {
    looks += 1
    const except = whose !== null && 'except' in whose ? whose.except : []
    const left = all.filter((each) => except.every((one) => one.businessId !== businessOf(each)))
    return left.slice(0, limit)
  }
  return { due, looks: () => looks }
}

type DueOf = Parameters<typeof dueOfAll>[0]['due']
const businessOf = (boundary: Boundary): string => scopeOf(boundary).businessId

async function dueIn(counts: Readonly<Record<string, number>>) {
  const { due, looks } = storeOf(counts)
  const found = new Map<string, number>()
  for (const boundary of await dueOfAll({ due }, now))
    found.set(businessOf(boundary), (found.get(businessOf(boundary)) ?? 0) + 1)
  return { found: Object.fromEntries(found), looks: looks() }
}

it('passes over businesses with more than a look answers, each of which gets a look', async () => {
  const counts = { many: 1_000, more: 100_000, one: 1, two: 2 }
  const found = { many: boundariesPerLook, more: boundariesPerLook, one: 1, two: 2 }
  expect(await dueIn(counts)).toEqual({ found, looks: 3 })
})

it('looks once where little is due', async () => {
  expect(await dueIn({ one: 1, two: boundariesPerLook - 2 })).toMatchObject({ looks: 1 })
  expect(await dueIn({})).toEqual({ found: {}, looks: 1 })
})

it('looks a few times and no more, however many have much to do', async () => {
  const counts = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`many ${n}`, 500]))
  const { found, looks } = await dueIn(counts)
  expect(Object.keys(found)).toHaveLength(5)
  expect(looks).toBe(5)
})
