import { describe, expect, it } from 'vitest'
import { confirming } from '../../../src/operations/events/confirming.ts'

const owner = { businessId: 'bus_1', mode: 'test' } as const

describe('confirming', () => {
  it('tells others from repeats', async () => {
    const isAnother = async (_: object, id: string) => id === 'b'
    const { others } = confirming({ isAnother, perSecond: 10, withinMs: 10_000 })
    expect(await others(owner, ['a', 'b', 'c'])).toEqual(new Set(['b']))
  })

  it('looks no more often than can be afforded', async () => {
    let looks = 0
    const isAnother = async () => {
      looks += 1
      return true
    }
    const { others } = confirming({ isAnother, perSecond: 3, withinMs: 60_000 })
    const ids = Array.from({ length: 500 }, (_, id) => `${id}`)
    expect((await others(owner, ids)).size).toBe(3)
    expect(looks).toBe(3)
  })

  it('takes what fails or hangs for a repeat, and is not buried by it', async () => {
    const failing = confirming({
      isAnother: () => Promise.reject(new Error('away')),
      ...{ perSecond: 10, withinMs: 10_000 },
    })
    expect(await failing.others(owner, ['a'])).toEqual(new Set())
    let looks = 0
    const isAnother = () => {
      looks += 1
      return new Promise<boolean>(() => undefined)
    }
    const hanging = confirming({ isAnother, perSecond: 1_000, withinMs: 1 })
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await hanging.others(owner, ['a', 'b'])).toEqual(new Set())
    }
    expect(looks).toBeLessThanOrEqual(4)
  })
})
