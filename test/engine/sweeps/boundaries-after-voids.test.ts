import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openBoundarySweep } from '../../../src/engine/sweeps/boundaries.ts'
import { adjustBalance } from '../../../src/operations/accounts/adjust-balance.ts'
import { boundaries } from '../../../src/parts/store/postgres/accounts/boundaries.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { AccountKey } from '../../../src/rules/accounts/view.ts'
import { day, after as later, minute } from '../../../src/std/instant.ts'
import { clockOf } from '../../support/runtime/clock.ts'
import { rememberingLogger } from '../../support/runtime/logger.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, february, january, scratchStore } from '../../support/store/scratch-store.ts'
import { pendingVoid } from '../../support/voids/pending-void.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

it('a month ends once what was voided in it is folded, and waits for no other void', async () => {
  const scope = await store.business()
  const entitlementId = await store.entitlement(scope)
  const made = async (): Promise<AccountKey> => {
    const key = { ...scope, customerId: await store.customer(scope), entitlementId }
    const credit = { type: 'credit', amount: '100', reason: null, expiresAt: null } as const
    const once = { idempotencyKey: null, metadata: null }
    await adjustBalance(atMoment(january, store), { key, ...credit, ...once })
    return key
  }
  const [before, after, stuck, none] = [await made(), await made(), await made(), await made()]
  await pendingVoid(store.db, before, { at: later(january, day), tries: 0 })
  await pendingVoid(store.db, after, { at: later(february, 1), tries: 0 })
  await pendingVoid(store.db, stuck, { at: later(january, day), tries: 8 })

  const watermark = vi.fn(async () => later(february, minute))
  const sweep = openBoundarySweep({
    ...store,
    boundaries: boundaries(store.db),
    clock: clockOf(() => later(february, minute)),
    logger: rememberingLogger(),
    onApplied: () => undefined,
    alone: (_, work) => work,
    measuring: { ...store.measuring, watermark },
  })
  sweep.start()
  const monthOf = async (key: AccountKey) =>
    (await store.accounts.load([key]))[0]?.stored?.ownCycleAt
  const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 30_000 })
  for (const key of [after, stuck, none]) {
    await until(async () => expect(await monthOf(key)).toBe(february))
  }
  const rounds = watermark.mock.calls.length
  sweep.nudge()
  await until(() => expect(watermark.mock.calls.length).toBeGreaterThan(rounds + 1))
  expect(await monthOf(before)).toBe(january)

  await store.db.query(sql`delete from void_folds where customer_id = ${before.customerId}`)
  sweep.nudge()
  await until(async () => expect(await monthOf(before)).toBe(february))
  await sweep.stop()
})
