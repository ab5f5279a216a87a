import { setImmediate as breath } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { created, route } from '../../../src/edge/http/route.ts'
import type { HttpEngine } from '../../../src/edge/http/uws.ts'
import { requestText } from '../../support/edge/talk.ts'
import { isLong } from '../../support/run/long.ts'
import { attacks, hidden } from './attacks.ts'
import { engines, routes, suite, write } from './setup.ts'

/** Each place is cut at length, every thirteenth else. */
const cutStep = isLong ? 1 : 13

/** How many requests were carried out that nobody had sent as such. */
let carriedOut = 0
const trap = route('POST', '/hidden', 'write', async () => {
  carriedOut += 1
  return created({})
})

describe.each(engines)('requests in requests on $kind', (engine: HttpEngine) => {
  const on = suite(engine, [...routes, trap])

  /** Sends the parts so that each is a read of its own, and lets the server do what it will. */
  async function strike(...parts: readonly Buffer[]): Promise<void> {
    const one = on.raw()
    for (const part of parts) {
      if (part.length > 0) one.send(part)
      for (let turn = 0; turn < 4; turn += 1) await breath()
    }
    await on.get('/open')
    one.destroy()
  }

  async function together(strikes: readonly (() => Promise<void>)[]): Promise<void> {
    for (let at = 0; at < strikes.length; at += 64) {
      await Promise.all(strikes.slice(at, at + 64).map((each) => each()))
    }
  }

  it('would be told of one that is carried out', async () => {
    const before = carriedOut
    await strike(Buffer.from(requestText('GET', '/open') + hidden))
    expect(carriedOut).toBe(before + 1)
    carriedOut = before
  })

  it.each(attacks)('carries nothing out behind $name, wherever it is cut', async ({ text }) => {
    const before = carriedOut
    const bytes = Buffer.from(text, 'latin1')
    const places = [...bytes.keys()].filter((at) => at % cutStep === 0)
    const cuts = places.map((at) => () => strike(bytes.subarray(0, at), bytes.subarray(at)))
    await together(cuts)
    expect(carriedOut - before).toBe(0)
  })

  it.each(attacks)('carries nothing out behind $name that follows others', async ({ text }) => {
    const before = carriedOut
    const bytes = Buffer.from(text, 'latin1')
    const good = Buffer.from(requestText('GET', '/things/1', { headers: write }))
    const again = Buffer.from(hidden)
    await together([
      () => strike(Buffer.concat([good, bytes])),
      () => strike(good, bytes),
      () => strike(good, Buffer.concat([good, bytes, again, again])),
      () => strike(bytes, again),
      () => strike(bytes, again, again),
      () => strike(...[...bytes].map((byte) => Buffer.of(byte))),
    ])
    expect(carriedOut - before).toBe(0)
  })
})
