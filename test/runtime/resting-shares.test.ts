import { describe, expect, it } from 'vitest'
import { restingShares } from '../../src/runtime/resting-shares.ts'
import { openShares } from '../../src/runtime/shares.ts'

/** Two places, each name may hold one; time stands still until a test lets it pass. */
function resting() {
  const shares = openShares({ total: 2, each: 1, waitMs: 60_000, waitingMax: 100 })
  let now = 0
  const pauses: { readonly end: number; readonly over: () => void }[] = []
  const time = {
    now: () => now,
    pauseFor: (ms: number) =>
      new Promise<void>((over) => {
        pauses.push({ end: now + ms, over })
      }),
  }
  const { enter } = restingShares(shares, 1_000, time)
  return { shares, pass, uses }

  async function pass(ms: number): Promise<void> {
    now += ms
    for (const { end, over } of pauses) if (end <= now) over()
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** Enters, stays so long, and leaves; the caller may have hung up meanwhile. */
  async function uses(name: string, ms: number, hangsUp = false): Promise<void> {
    const caller = new AbortController()
    const leave = await enter(name, caller.signal)
    await pass(ms)
    if (hangsUp) caller.abort(new Error('gone'))
    leave()
    await pass(0)
  }
}

describe('places of those who rest', () => {
  it('are free at once where a name is alone, however much it uses', async () => {
    const { shares, uses } = resting()
    for (let round = 0; round < 20; round += 1) await uses('greedy', 500)
    expect(shares.held).toBe(0)
  })

  it('are kept for as long again where a name uses more than all others together', async () => {
    const { pass, shares, uses } = resting()
    await uses('other', 200)
    await uses('greedy', 900)
    expect(shares.held).toBe(0)
    await uses('greedy', 300)
    expect(shares.held).toBe(1)
    await pass(299)
    expect(shares.held).toBe(1)
    await uses('other', 0)
    await pass(1)
    expect(shares.held).toBe(0)
  })

  it('are kept for as long again where the caller has hung up, and twice for both', async () => {
    const { pass, shares, uses } = resting()
    await uses('other', 200, true)
    expect(shares.held).toBe(1)
    await pass(200)
    expect(shares.held).toBe(0)
    await uses('greedy', 900)
    await uses('greedy', 300, true)
    await pass(599)
    expect(shares.held).toBe(1)
    await pass(1)
    expect(shares.held).toBe(0)
  })
})
