import { describe, expect, it } from 'vitest'
import { lifecycle } from '../../src/runtime/lifecycle.ts'
import { openLogger } from '../../src/runtime/logger.ts'

const logger = openLogger({ level: 'silent', part: 'test' })

describe('a lifecycle', () => {
  it('stops what it owns in the reverse order, each after the other', async () => {
    const life = lifecycle(logger)
    const told: string[] = []
    for (const name of ['store', 'engine', 'edge']) {
      life.own(name, async () => {
        told.push(`${name} stops`)
        await new Promise((done) => setTimeout(done, 5))
        told.push(`${name} stopped`)
      })
    }
    expect(await life.stop(1_000)).toEqual([])
    const order = ['edge', 'engine', 'store'].flatMap((name) => [
      `${name} stops`,
      `${name} stopped`,
    ])
    expect(told).toEqual(order)
  })

  it('goes on past a part that fails and one that hangs, and names them', async () => {
    const life = lifecycle(logger)
    const stopped: string[] = []
    life.own('store', async (withinMs) => {
      expect(withinMs).toBeGreaterThan(0)
      stopped.push('store')
    })
    life.own('engine', () => new Promise(() => undefined))
    life.own('edge', () => Promise.reject(new Error('broken')))
    expect(await life.stop(1_000)).toEqual(['edge', 'engine'])
    expect(stopped).toEqual(['store'])
  })

  it('stops once, however often it is told', async () => {
    const life = lifecycle(logger)
    let stops = 0
    life.own('store', async () => {
      stops += 1
    })
    await Promise.all([life.stop(100), life.stop(100)])
    await life.stop(100)
    expect(stops).toBe(1)
  })
})
