import { describe, expect, it } from 'vitest'
import { authenticator } from '../../../src/edge/http/auth.ts'
import { hour, minute, second } from '../../../src/std/instant.ts'
import { keys, manualClock, memoryKeys } from '../../support/edge/test-server.ts'

function setup() {
  const clock = manualClock()
  const directory = memoryKeys()
  const auth = authenticator({ keys: directory, clock, maxStale: 15 * minute })
  const call = async (key: string) => auth.caller(`Bearer ${key}`, 'test')
  return { auth, call, clock, directory }
}

describe('the authenticator', () => {
  it('asks the store once for all who come together, and again after its time', async () => {
    const { call, clock, directory } = setup()
    const callers = await Promise.all([call(keys.write), call(keys.write), call(keys.write)])
    expect(new Set(callers).size).toBe(1)
    expect(directory.asked).toBe(1)
    clock.advance(5 * second)
    await call(keys.write)
    expect(directory.asked).toBe(1)
    clock.advance(1)
    await call(keys.write)
    expect(directory.asked).toBe(2)
  })

  it('sees a revocation within ten seconds, and at once when told to forget', async () => {
    const { auth, call, clock, directory } = setup()
    await call(keys.write)
    directory.set(keys.write, { revoked: true })
    clock.advance(10 * second)
    await expect(call(keys.write)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    directory.set(keys.write, { clockAheadUs: 1 })
    auth.forget()
    expect(await call(keys.write)).toMatchObject({ clockAhead: 1 })
  })

  it('sees a revocation also when the clock has stepped back', async () => {
    const { call, clock, directory } = setup()
    await call(keys.write)
    directory.set(keys.write, { revoked: true })
    clock.advance(-6 * hour)
    await expect(call(keys.write)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('does not keep what was read before it was told to forget', async () => {
    const { auth, call, directory } = setup()
    const reading = call(keys.write)
    directory.set(keys.write, { clockAheadUs: 7 })
    auth.forget()
    await reading
    expect(await call(keys.write)).toMatchObject({ clockAhead: 7 })
  })

  it('serves known keys while the store is away, until MAX_STALE', async () => {
    const { call, clock, directory } = setup()
    await call(keys.write)
    directory.away(true)
    clock.advance(15 * minute)
    expect(await call(keys.write)).toMatchObject({ businessId: 'bus_1' })
    expect(await call(keys.write)).toMatchObject({ businessId: 'bus_1' })
    clock.advance(1)
    await expect(call(keys.write)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    directory.away(false)
    expect(await call(keys.write)).toMatchObject({ businessId: 'bus_1' })
  })

  it('asks an absent store no more than once a second for a key that it knows', async () => {
    const { call, clock, directory } = setup()
    await call(keys.write)
    directory.away(true)
    clock.advance(10 * second)
    for (let time = 0; time < 50; time += 1) await call(keys.write)
    expect(directory.asked).toBe(2)
    clock.advance(second + 1)
    for (let time = 0; time < 50; time += 1) await call(keys.write)
    expect(directory.asked).toBe(3)
  })

  it('answers 503 to a key it does not know while the store is away, never 401', async () => {
    const { call, directory } = setup()
    directory.away(true)
    await expect(call(keys.write)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(call('nobody')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('remembers that a key does not exist', async () => {
    const { call, directory } = setup()
    for (let time = 0; time < 5; time += 1) {
      await expect(call('nobody')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    }
    expect(directory.asked).toBe(1)
  })

  it('asks nobody about what cannot be a key, where the store has answered just now', async () => {
    const { call, clock, directory } = setup()
    await call(keys.write)
    for (let guess = 0; guess < 20; guess += 1) {
      await expect(call(`impossible${guess}`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    }
    expect(directory.asked).toBe(1)
    // A server that could not look must not say that a key does not exist.
    directory.away(true)
    clock.advance(2 * second)
    await expect(call('impossible')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(call('impossible-2')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    directory.away(false)
    await expect(call('impossible')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('forgets no key for guesses, however many come', async () => {
    const { call, directory } = setup()
    await call(keys.write)
    for (let guess = 0; guess < 25_000; guess += 1)
      await call(`guess-${guess}`).catch(() => undefined)
    const asked = directory.asked
    await call(keys.write)
    expect(directory.asked).toBe(asked)
  })

  it('says which keys it has known', async () => {
    const { call, clock, directory } = setup()
    await call(keys.write)
    await expect(call('nobody')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    clock.advance(6 * second)
    await call(keys.write)
    await expect(call('nobody')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(directory.known).toEqual([false, false, true, false])
  })

  it('knows good keys as such, also when it was told to forget, but not what it knew', async () => {
    const { auth, call, directory } = setup()
    expect(auth.knows(`Bearer ${keys.write}`)).toBe(false)
    await call(keys.write)
    await call('nobody').catch(() => undefined)
    auth.forget()
    expect(auth.knows(`Bearer ${keys.write}`)).toBe(true)
    expect([auth.knows('Bearer nobody'), auth.knows(null)]).toEqual([false, false])
    directory.away(true)
    await expect(call(keys.write)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    directory.away(false)
    directory.set(keys.write, { revoked: true })
    await expect(call(keys.write)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(directory.known).toEqual([false, false, true, true])
    expect(auth.knows(`Bearer ${keys.write}`)).toBe(false)
  })

  it('keeps one entry a key, however its header is written', async () => {
    const { auth, directory } = setup()
    for (const blanks of [1, 2, 3, 4])
      await auth.caller(`bearer${' '.repeat(blanks)}${keys.write}`, 'test')
    expect(directory.asked).toBe(1)
  })

  it('takes the scheme in any case, and nothing that is no bearer token', async () => {
    const { auth, directory } = setup()
    expect(await auth.caller(`bEARER  ${keys.write}`, 'test')).toMatchObject({ mode: 'test' })
    const asked = directory.asked
    for (const header of ['', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer ä', 'Basic x']) {
      await expect((async () => auth.caller(header, 'test'))()).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      })
    }
    expect(directory.asked).toBe(asked)
  })
})
