import { expect, it } from 'vitest'
import type { AdmissionNeeds, Arrival } from '../../../src/edge/http/admission.ts'
import { admit } from '../../../src/edge/http/admission.ts'
import { authenticator } from '../../../src/edge/http/auth.ts'
import { clientAddress } from '../../../src/edge/http/client-address.ts'
import { rates } from '../../../src/edge/http/rates.ts'
import { ok, route } from '../../../src/edge/http/route.ts'
import { minute } from '../../../src/std/instant.ts'
import { keys, manualClock, memoryKeys } from '../../support/edge/test-server.ts'

/** A share of the thread that is never free until it is given. */
function setup() {
  const turnedOut: boolean[] = []
  const waiting: { readonly name: string; readonly go: () => void }[] = []
  const needs: AdmissionNeeds = {
    auth: authenticator({ keys: memoryKeys(), clock: manualClock(), maxStale: 15 * minute }),
    rates: rates(null),
    strangers: {
      wait: (name) => new Promise((go) => waiting.push({ name, go })),
      turnedOut: (isGood) => turnedOut.push(isGood),
    },
    clientAddress: clientAddress([]),
    metrics: { rateLimited: () => undefined },
  }
  const come = async (key: string, access: 'read' | 'public' = 'read') => {
    const header = (name: string) => (name === 'authorization' ? `Bearer ${key}` : null)
    return admit(needs, {
      head: { header, query: '' },
      exchange: { address: () => '192.0.2.7' },
      route: route('GET', '/things', access, async () => ok({})),
      mode: 'test',
      address: null,
      rated: null,
    } as unknown as Arrival)
  }
  return { come, needs, turnedOut, waiting }
}

it('lets who has a good key pass, however many wait whose keys are not known', async () => {
  const { come, waiting } = setup()
  const first = come(keys.write)
  await expect.poll(() => waiting.length).toBe(1)
  waiting.shift()?.go()
  expect(await first).toMatchObject({ businessId: 'bus_1' })
  const guesses = ['nobody', 'nobody', 'somebody', 'impossible'].map((key) => come(key))
  // Nobody gave those a turn.
  expect(await come(keys.write)).toMatchObject({ businessId: 'bus_1' })
  expect(await come('', 'public')).toBeNull()
  expect(new Set(waiting.map(({ name }) => name)).size).toBe(1)
  expect(waiting.length).toBe(guesses.length)
  for (const { go } of waiting) go()
  const refused = await Promise.allSettled(guesses)
  expect(refused.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(
    Array(4).fill('UNAUTHORIZED'),
  )
})

it('says of each key that was not known whether it was good', async () => {
  const { come, turnedOut, waiting } = setup()
  for (const key of ['nobody', keys.write, 'somebody']) {
    const come1 = come(key)
    await expect.poll(() => waiting.length).toBe(1)
    waiting.shift()?.go()
    await come1.catch(() => undefined)
  }
  await come(keys.write)
  expect(turnedOut).toEqual([false, true, false])
})
