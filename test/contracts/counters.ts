import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Counters, Subject } from '../../src/parts/counters/port.ts'
import { parseRateTier } from '../../src/rules/commerce/rate-tier.ts'
import type { Counted } from '../../src/rules/commerce/rate-windows.ts'

/** Counters that share their counts, like all processes of one installation. */
export interface CountersPlace {
  readonly one: Counters
  readonly another: Counters
  /** Lets so much time pass. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

export interface CountersDriver {
  readonly name: string
  place(): Promise<CountersPlace>
}

/** What all counters promise. [requests#limits] */
export function testCounters(driver: CountersDriver): void {
  describe(`the counters of ${driver.name}`, () => {
    let place: CountersPlace
    let names = 0
    beforeEach(async () => {
      place = await driver.place()
    })
    afterEach(() => place.close())

    const somebody = (scope: Subject['scope'] = 'business'): Subject => {
      names += 1
      return { scope, name: `${driver.name} ${names}` }
    }

    /** So many requests at once, alternating between the two counters. */
    const rush = (subject: Subject, tier: string, count: number): Promise<readonly Counted[]> =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          (index % 2 === 0 ? place.one : place.another).take(subject, tierOf(tier)),
        ),
      )

    it('lets exactly the burst pass at once, and the same again in the next second', async () => {
      const subject = somebody()
      expect(passed(await rush(subject, '0', 100))).toBe(40)
      await place.pass(1_050)
      expect(passed(await rush(subject, '0', 41))).toBe(40)
    })

    it('takes back one that passed, and none that did not come', async () => {
      const [subject, other] = [somebody(), somebody()]
      expect(passed(await rush(subject, '5/12', 6))).toBe(5)
      place.one.giveBack(subject, tierOf('5/12'))
      place.one.giveBack(other, tierOf('5/12'))
      expect((await place.one.take(other, tierOf('5/12'))).sustained.left).toBe(11)
      await place.pass(1_050)
      // Of twelve in a minute five passed, and one of them was taken back.
      expect(passed(await rush(subject, '5/12', 5))).toBe(5)
      await place.pass(1_050)
      expect(passed(await rush(subject, '5/12', 9))).toBe(3)
    })

    it('lets exactly the sustained number pass, whatever the seconds', async () => {
      const subject = somebody()
      expect(passed(await rush(subject, '5/12', 9))).toBe(5)
      await place.pass(1_050)
      expect(passed(await rush(subject, '5/12', 9))).toBe(5)
      await place.pass(1_050)
      const last = await rush(subject, '5/12', 9)
      expect(passed(last)).toBe(2)
      await place.pass(1_050)
      const refused = await place.one.take(subject, tierOf('5/12'))
      expect(refused).toMatchObject({ passed: false, burst: { left: 5 }, sustained: { left: 0 } })
      expect(refused.sustained.endsIn).toBeGreaterThan(0)
      expect(refused.sustained.endsIn).toBeLessThanOrEqual(60_000)
    })

    it('lets exactly a wide window pass, whoever comes when most of it is used', async () => {
      const subject = somebody()
      const few = () => Promise.all(Array.from({ length: 30 }, () => place.one.take(subject, wide)))
      const wide = tierOf('1000/1000')
      let before = 0
      for (let round = 0; round < 10; round += 1) before += passed(await few())
      // One of them may hold some that it has set aside, and uses a part of them meanwhile.
      const [rest, last] = await Promise.all([
        Promise.all(Array.from({ length: 1_200 }, () => place.another.take(subject, wide))),
        few(),
      ])
      expect(before + passed(rest) + passed(last)).toBe(1_000)
      expect(passed(await rush(subject, '1000/1000', 40))).toBe(0)
    })

    it('counts a request that is refused in neither window', async () => {
      const subject = somebody()
      expect(passed(await rush(subject, '3/6', 50))).toBe(3)
      await place.pass(1_050)
      expect(passed(await rush(subject, '3/6', 50))).toBe(3)
    })

    it('tells what is left, one less each time, and when the windows end', async () => {
      const subject = somebody()
      const counted = await rush(subject, '50/100', 4)
      expect(counted.map(({ burst }) => burst.left).sort()).toEqual([46, 47, 48, 49])
      expect(counted.map(({ sustained }) => sustained.left).sort()).toEqual([96, 97, 98, 99])
      for (const { burst, sustained } of counted) {
        expect(burst.endsIn).toBeGreaterThan(-1)
        expect(burst.endsIn).toBeLessThanOrEqual(1_000)
        expect(sustained.endsIn).toBeGreaterThan(burst.endsIn)
        expect(sustained.endsIn).toBeLessThanOrEqual(60_000)
      }
    })

    it('keeps subjects apart, and a business from an address of its name', async () => {
      const [one, other] = [somebody(), somebody()]
      expect(passed(await rush(one, '1/2', 5))).toBe(1)
      expect(passed(await rush(other, '1/2', 5))).toBe(1)
      expect(passed(await rush({ ...one, scope: 'address' }, '1/2', 5))).toBe(1)
    })

    it('goes by the tier that it is told, from the next request on', async () => {
      const subject = somebody()
      expect(passed(await rush(subject, '2/10', 6))).toBe(2)
      expect(passed(await rush(subject, '5/10', 6))).toBe(3)
      expect(passed(await rush(subject, '2/10', 6))).toBe(0)
      expect(passed(await rush(subject, '6/6', 6))).toBe(1)
    })

    it('takes questions about hundreds at once', async () => {
      const subjects = Array.from({ length: 900 }, () => somebody('address'))
      const counted = await Promise.all(
        subjects.flatMap((subject) =>
          [place.one, place.another, place.one].map((at) => at.take(subject, tierOf('2/2'))),
        ),
      )
      expect(passed(counted)).toBe(1_800)
    })

    it('shows without counting', async () => {
      const subject = somebody()
      for (let time = 0; time < 9; time += 1) place.one.seen(subject, tierOf('3/3'))
      expect(passed(await rush(subject, '3/3', 5))).toBe(3)
    })
  })
}

function tierOf(text: string) {
  const tier = parseRateTier(text)
  if (tier === null) throw new Error(`${text} is no tier.`)
  return tier
}

const passed = (counted: readonly Counted[]): number => counted.filter((one) => one.passed).length
