import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/faults.ts'
import type { Leave, SharesOptions } from '../../src/runtime/shares.ts'
import { openShares } from '../../src/runtime/shares.ts'

const shares = (changes: Partial<SharesOptions> = {}) =>
  openShares({ total: 3, each: 2, waitMs: 60_000, waitingMax: 100, ...changes })

const codeOf = (error: unknown) => (error instanceof Fault ? error.code : error)
const refusal = (work: Promise<Leave>) => work.then(() => 'entered', codeOf)
/** Waits until everyone who can go on has done so. */
const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('shares', () => {
  it('lets one name have its share and no more, whatever is free', async () => {
    const gate = shares()
    const leave = [await gate.enter('greedy'), await gate.enter('greedy')]
    let third = false
    void gate.enter('greedy').then(() => {
      third = true
    })
    await soon()
    expect([third, gate.held, gate.waiting]).toEqual([false, 2, 1])
    await gate.enter('other')
    leave[0]?.()
    await soon()
    expect([third, gate.held, gate.waiting]).toEqual([true, 3, 0])
  })

  it('lets in by turns of the names, however many of one wait', async () => {
    const gate = shares({ total: 1, each: 1 })
    let leave = await gate.enter('greedy')
    const order: string[] = []
    const enter = (name: string) =>
      void gate.enter(name).then((left) => {
        order.push(name)
        leave = left
      })
    for (let number = 0; number < 50; number += 1) enter('greedy')
    enter('victim')
    enter('another')
    for (let step = 0; step < 4; step += 1) {
      leave()
      await soon()
    }
    expect(order).toEqual(['greedy', 'victim', 'another', 'greedy'])
  })

  it('refuses who waits too long: by its own doing 429, by others’ 503', async () => {
    const own = shares({ waitMs: 10 })
    await own.enter('greedy')
    await own.enter('greedy')
    expect(await refusal(own.enter('greedy'))).toBe('TOO_MANY_REQUESTS')
    const full = shares({ total: 1, waitMs: 10 })
    await full.enter('greedy')
    expect(await refusal(full.enter('victim'))).toBe('UNAVAILABLE')
    expect([own.waiting, full.waiting]).toEqual([0, 0])
  })

  it('refuses at once where too many of the name wait, and nobody else', async () => {
    const gate = shares({ waitingMax: 1 })
    await gate.enter('greedy')
    await gate.enter('greedy')
    void gate.enter('greedy')
    expect(await refusal(gate.enter('greedy'))).toBe('TOO_MANY_REQUESTS')
    expect(await refusal(gate.enter('victim'))).toBe('entered')
  })

  it('forgets who gives up, and gives a place back once however often that is said', async () => {
    const gate = shares({ total: 1, each: 1 })
    const leave = await gate.enter('one')
    const over = new AbortController()
    const waiting = gate.enter('gone', over.signal).catch((error: unknown) => error)
    over.abort('hung up')
    expect(await waiting).toBe('hung up')
    await expect(gate.enter('gone', over.signal)).rejects.toBe('hung up')
    leave()
    leave()
    expect([gate.held, gate.waiting]).toEqual([0, 0])
    await gate.enter('one')
    let second = false
    void gate.enter('two').then(() => {
      second = true
    })
    await soon()
    expect(second).toBe(false)
  })
})
