import { describe, expect, it } from 'vitest'
import { degraded, down, fine, isReady, openChecks, worstOf } from '../../src/runtime/checks.ts'

describe('checks', () => {
  it('are all asked, and one that throws is down', async () => {
    const checks = openChecks()
    checks.register('store', () => fine)
    checks.register('dedupe', async () => degraded('It is being healed.'))
    checks.register('log', () => {
      throw new Error('The disk is full.')
    })
    expect(await checks.run()).toEqual({
      store: fine,
      dedupe: degraded('It is being healed.'),
      log: down('The disk is full.'),
    })
  })

  it('make the process not ready only when one is down', () => {
    expect(isReady({})).toBe(true)
    expect(isReady({ a: fine, b: degraded('slow') })).toBe(true)
    expect(isReady({ a: fine, b: down('gone') })).toBe(false)
  })

  it('do not wait for one that does not answer', async () => {
    const checks = openChecks()
    checks.register('store', () => new Promise(() => undefined))
    expect((await checks.run())['store']?.state).toBe('down')
  })

  it('can be told as one', () => {
    expect(worstOf({ a: fine })).toEqual(fine)
    expect(worstOf({ a: fine, b: degraded('Slow.') })).toEqual(degraded('b: Slow.'))
    expect(worstOf({ b: degraded('Slow.'), c: down('Gone.') })).toEqual(down('b: Slow. c: Gone.'))
  })
})
