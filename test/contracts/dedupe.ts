import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Dedupe, DedupeFilter, Fingerprints, Run } from '../../src/parts/dedupe/port.ts'
import { hour } from '../../src/std/instant.ts'
import { runs } from '../support/run/runs.ts'

/** One cache of one driver, which may be opened again after it was closed. */
export interface DedupePlace {
  /** The two ends of one dedupe, with a window of 24 hours and 4 partitions. */
  open(): Promise<{ readonly dedupe: Dedupe; readonly filter: DedupeFilter }>
  destroy(): Promise<void>
}

export interface DedupeDriver {
  readonly name: string
  place(): Promise<DedupePlace>
}

const windowUs = 24 * hour
const noon = 1_800_000_000_000_000

/** What every dedupe promises, whatever it is made of. */
export function testDedupe(driver: DedupeDriver): void {
  describe(`the dedupe of ${driver.name}`, () => {
    let place: DedupePlace
    let dedupe: Dedupe
    let filter: DedupeFilter

    beforeEach(async () => {
      place = await driver.place()
      ;({ dedupe, filter } = await place.open())
    })

    afterEach(async () => {
      await filter.close()
      await dedupe.close()
      await place.destroy()
    })

    it('is stale from nothing until a namespace has begun', async () => {
      expect(await dedupe.check(0, 'a', 0, ids(1))).toEqual({ kind: 'stale', synced: null })
      expect(await dedupe.mark(0, 'a', run(0, 1, ids(1)))).toBe(false)
      expect(await filter.known(0, 'a', ids(1))).toEqual(Uint8Array.of(0))
      expect(await dedupe.size()).toBe(0)
    })

    it('knows what was marked and nothing else', async () => {
      await dedupe.reset(0, 'a', 10)
      expect(await checked(0, 'a', 10, ids(1, 2, 3))).toEqual([0, 0, 0])
      expect(await dedupe.mark(0, 'a', run(10, 12, ids(1, 3)))).toBe(true)
      expect(await checked(0, 'a', 12, ids(1, 2, 3, 3))).toEqual([1, 0, 1, 1])
      expect(await dedupe.size()).toBe(2)
      await eventually(() => filter.known(0, 'a', ids(1, 2, 3)), Uint8Array.of(1, 0, 1))
    })

    it('counts an id once however often it is marked', async () => {
      await dedupe.reset(0, 'a', 0)
      await dedupe.mark(0, 'a', run(0, 1, ids(1, 1)))
      await dedupe.mark(0, 'a', run(1, 2, ids(1)))
      expect(await dedupe.size()).toBe(1)
    })

    it('answers and moves on for a run without ids', async () => {
      await dedupe.reset(0, 'a', 0)
      expect(await dedupe.mark(0, 'a', run(0, 5, ids()))).toBe(true)
      expect(await checked(0, 'a', 5, ids())).toEqual([])
      expect(await checked(0, 'a', 5, ids(1))).toEqual([0])
    })

    it('is stale from where it is synced, and from nothing where it knows too much', async () => {
      await dedupe.reset(0, 'a', 0)
      await dedupe.mark(0, 'a', run(0, 7, ids(1)))
      expect(await dedupe.check(0, 'a', 9, ids(1))).toEqual({ kind: 'stale', synced: 7 })
      expect(await dedupe.check(0, 'a', 3, ids(1))).toEqual({ kind: 'stale', synced: null })
      expect(await dedupe.check(0, 'b', 7, ids(1))).toEqual({ kind: 'stale', synced: null })
      expect(await dedupe.check(1, 'a', 7, ids(1))).toEqual({ kind: 'stale', synced: null })
    })

    it('does nothing for a mark that does not start where it is synced', async () => {
      await dedupe.reset(0, 'a', 0)
      await dedupe.mark(0, 'a', run(0, 7, ids(1)))
      expect(await dedupe.mark(0, 'a', run(8, 9, ids(2)))).toBe(false)
      expect(await dedupe.mark(0, 'a', run(0, 7, ids(3)))).toBe(false)
      expect(await dedupe.mark(0, 'b', run(7, 8, ids(4)))).toBe(false)
      expect(await checked(0, 'a', 7, ids(1, 2, 3, 4))).toEqual([1, 0, 0, 0])
    })

    it('lets one of two marks with the same start through', async () => {
      await dedupe.reset(0, 'a', 0)
      const marks = [run(0, 7, ids(1)), run(0, 9, ids(2))].map((one) => dedupe.mark(0, 'a', one))
      const done = await Promise.all(marks)
      expect([...done].sort()).toEqual([false, true])
      const end = done[0] ? 7 : 9
      expect(await checked(0, 'a', end, ids(1, 2))).toEqual(done[0] ? [1, 0] : [0, 1])
    })

    it('begins a namespace empty and drops every other one of the partition only', async () => {
      for (const partition of [0, 1]) {
        await dedupe.reset(partition, 'a', 0)
        await dedupe.mark(partition, 'a', run(0, 1, ids(1)))
      }
      await dedupe.reset(0, 'b', 4)
      expect(await dedupe.check(0, 'a', 1, ids(1))).toEqual({ kind: 'stale', synced: null })
      expect(await checked(0, 'b', 4, ids(1))).toEqual([0])
      expect(await checked(1, 'a', 1, ids(1))).toEqual([1])
      await eventually(() => filter.known(0, 'a', ids(1)), Uint8Array.of(0))
      await eventually(() => filter.known(1, 'a', ids(1)), Uint8Array.of(1))
      await dedupe.reset(1, 'a', 0)
      expect(await checked(1, 'a', 0, ids(1))).toEqual([0])
    })

    it('tells how far it goes, so that books which lost a part are found out', async () => {
      const asked = ['a', 'b'].flatMap((namespace) =>
        [0, 1].map((partition) => ({ partition, namespace })),
      )
      expect(await filter.reached(asked)).toEqual([null, null, null, null])
      await dedupe.reset(0, 'a', 3)
      await dedupe.mark(0, 'a', run(3, 9, ids(1)))
      await eventuallyIs(() => filter.reached(asked.slice(1)), [null, null, null])
      await expect.poll(async () => (await filter.reached(asked))[0]).toBeTypeOf('number')
      expect((await filter.reached(asked))[0]).toBeLessThanOrEqual(9)
      expect(await filter.reached([])).toEqual([])
      // A filter that has just opened knows no more than the books say, or admits how far it goes.
      await reopen()
      const [end = null] = await filter.reached(asked)
      const known = await filter.known(0, 'a', ids(1))
      if (known[0] === 1) expect(end).toBe(9)
      // The books have come as far, so the cache is theirs.
      await checked(0, 'a', 9, ids())
      await eventually(() => filter.known(0, 'a', ids(1)), Uint8Array.of(1))
    })

    it('keeps ids apart that differ in one word, zeros included', async () => {
      await dedupe.reset(0, 'a', 0)
      // A cache with few ids may leave lower bits out (the README of dedupe says why).
      const [five, seven] = [0x5000_0000, 0x7000_0000]
      const zero = [0, 0, 0]
      const marked = [zero, [five, 0, 0], [0, five, 0], [0, 0, five], [seven, five, five]]
      await dedupe.mark(0, 'a', run(0, 1, Uint32Array.from(marked.flat())))
      expect(await checked(0, 'a', 1, Uint32Array.from(marked.flat()))).toEqual([1, 1, 1, 1, 1])
      const others = [
        ...[
          [five, five, 0],
          [five, 0, five],
          [0, five, five],
          [five, five, five],
        ],
        ...[
          [seven, 0, 0],
          [0, seven, 0],
          [0, 0, seven],
          [seven, five, seven],
        ],
      ]
      const asked = Uint32Array.from(others.flat())
      expect(await checked(0, 'a', 1, asked)).toEqual(others.map(() => 0))
    })

    it('knows two ids for two that share their first 64 bits', async () => {
      await dedupe.reset(0, 'a', 0)
      const twin = (rest: number) => [0x9e3779b1, 0x85ebca6b, rest]
      const twins = Array.from({ length: 500 }, (_, index) => twin(index * 0x1_0000))
      await dedupe.mark(0, 'a', run(0, 1, Uint32Array.from(twins.slice(0, 250).flat())))
      const known = await checked(0, 'a', 1, Uint32Array.from(twins.flat()))
      expect(known).toEqual(twins.map((_, index) => (index < 250 ? 1 : 0)))
      expect(await dedupe.size()).toBe(250)
    })

    it('holds tens of thousands of ids', async () => {
      await dedupe.reset(2, 'a', 0)
      const all = ids(...Array.from({ length: 30_000 }, (_, index) => index))
      for (let part = 0; part < 10; part += 1) {
        await dedupe.mark(
          2,
          'a',
          run(part, part + 1, all.subarray(part * 9_000, part * 9_000 + 9_000)),
        )
      }
      expect((await checked(2, 'a', 10, all)).every((known) => known === 1)).toBe(true)
      const others = ids(...Array.from({ length: 30_000 }, (_, index) => 100_000 + index))
      expect((await checked(2, 'a', 10, others)).some((known) => known === 1)).toBe(false)
      await eventually(() => filter.known(2, 'a', all), new Uint8Array(30_000).fill(1))
    })

    it('is what it was after it was closed and opened again', async () => {
      await dedupe.reset(0, 'a', 0)
      await dedupe.mark(0, 'a', run(0, 1, ids(1), noon))
      await dedupe.mark(0, 'a', run(1, 2, ids(2), noon + windowUs / 2))
      await dedupe.mark(0, 'a', run(2, 3, ids(3), noon + windowUs))
      await dedupe.reset(1, 'old', 0)
      await dedupe.mark(1, 'old', run(0, 1, ids(4)))
      await dedupe.reset(1, 'young', 5)
      await reopen()
      expect(await checked(0, 'a', 3, ids(1, 2, 3, 4))).toEqual([1, 1, 1, 0])
      expect(await dedupe.check(1, 'old', 1, ids(4))).toEqual({ kind: 'stale', synced: null })
      expect(await checked(1, 'young', 5, ids(4))).toEqual([0])
      expect(await dedupe.size()).toBe(3)
      // The books agree with the cache.
      await checked(0, 'a', 3, ids())
      await eventually(() => filter.known(0, 'a', ids(1, 2, 3, 4)), Uint8Array.of(1, 1, 1, 0))
      expect(await dedupe.mark(0, 'a', run(3, 4, ids(5), noon + windowUs))).toBe(true)
    })

    it('keeps a whole window of running time, and nothing beyond one and a half', async () => {
      const step = fc.record({
        by: fc.oneof(
          fc.integer({ min: 0, max: windowUs / 3 }),
          fc.constantFrom(windowUs / 2, windowUs, 2 * windowUs, -hour, -windowUs),
        ),
        ids: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 5 }),
        reopen: fc.integer({ min: 0, max: 9 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const namespace = `n${Math.abs(hash(steps))}`
          await dedupe.reset(3, namespace, 0)
          const latest = new Map<number, number>()
          let [newest, offset] = [noon, 1]
          await dedupe.mark(3, namespace, run(0, 1, ids(), noon))
          for (const { by, ids: numbers, reopen: chance } of steps) {
            // As in a store that has lost some of it: ids that come now are as young as the
            // youngest.
            const at = newest + by
            newest = Math.max(newest, at)
            expect(
              await dedupe.mark(3, namespace, run(offset, offset + 1, ids(...numbers), at)),
            ).toBe(true)
            offset += 1
            for (const one of numbers) latest.set(one, newest)
            if (chance === 0) await reopen()
            await expectModel(namespace, offset, latest, newest)
          }
        }),
        runs(25),
      )
    })

    async function expectModel(
      namespace: string,
      offset: number,
      latest: ReadonlyMap<number, number>,
      newest: number,
    ): Promise<void> {
      const known = await checked(3, namespace, offset, ids(...Array(31).keys()))
      for (const [one, answer] of known.entries()) {
        const age = newest - (latest.get(one) ?? Number.NEGATIVE_INFINITY)
        if (age <= windowUs) expect(answer).toBe(1)
        if (age > windowUs * 1.5) expect(answer).toBe(0)
      }
    }

    async function checked(
      partition: number,
      namespace: string,
      start: number,
      asked: Fingerprints,
    ): Promise<number[]> {
      const answer = await dedupe.check(partition, namespace, start, asked)
      expect(answer.kind).toBe('answer')
      return answer.kind === 'answer' ? [...answer.known] : []
    }

    async function reopen(): Promise<void> {
      await filter.close()
      await dedupe.close()
      ;({ dedupe, filter } = await place.open())
    }
  })
}

/** The edge may hear of a commit a little later, and goes on without an answer that is late. */
async function eventually(ask: () => Promise<Uint8Array>, expected: Uint8Array): Promise<void> {
  const isSo = async () => Buffer.compare(await ask(), expected) === 0
  await expect.poll(isSo, { interval: 2 }).toBe(true)
}

async function eventuallyIs<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  await expect.poll(ask, { interval: 2 }).toEqual(expected)
}

/** Spread over all words, as a hash would. */
const ids = (...numbers: readonly number[]): Fingerprints =>
  Uint32Array.from(
    numbers.flatMap((n) => [
      Math.imul(n + 1, 0x9e3779b1),
      Math.imul(n + 3, 0x85ebca6b),
      Math.imul(n + 5, 0xc2b2ae35),
    ]),
  )

const run = (start: number, end: number, marked: Fingerprints, ran = noon): Run => ({
  start,
  end,
  ran,
  ids: marked,
})

const hash = (value: unknown): number =>
  [...JSON.stringify(value)].reduce((sum, c) => (Math.imul(sum, 31) + c.charCodeAt(0)) | 0, 7)
