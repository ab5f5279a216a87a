import { afterAll, beforeAll, expect, it } from 'vitest'
import { repositories } from '../../../src/compose/store.ts'
import { endSubscriptionCycle } from '../../../src/operations/boundaries/end-cycle.ts'
import { sealing } from '../../../src/parts/store/postgres/usage/sealing.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { day } from '../../../src/std/instant.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { done, effectOf, openShop } from '../../support/process/shop.ts'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline()
})
afterAll(() => pipeline.drop())

it('everything that can be read of a subscription says the same when its old cycles are sealed', async () => {
  const { db, clock } = pipeline
  const shop = await openShop(pipeline)
  const id = await shop.subscribe('100')
  const scope = { businessId: shop.businessId, mode: 'test' } as const
  const needs = {
    ...repositories(db, { dedupeWindow: day }),
    newId: randomIds(),
  }
  for (const cycle of ['first', 'second']) {
    await shop.send(shop.event(`${cycle}-a`, { tokens: 900 }))
    await shop.send(shop.event(`${cycle}-b`, { tokens: '350.5' }))
    pipeline.pass(31 * day)
    const due = (await needs.subscriptions.find(scope, id))?.nextBillingDate ?? clock.at
    await endSubscriptionCycle({ ...needs, clock }, scope, id, due)
    await pipeline.settle()
  }
  await shop.send(shop.event('third-a', { tokens: 100 }))
  const key = { ...scope, customerId: shop.customer, entitlementId: shop.creditId }
  const loadedUsage = async () => (await needs.accounts.load([key]))[0]?.usage.length

  const before = await everything()
  expect(await loadedUsage()).toBe(3)
  await sealing(db).seal({ behind: '', accountsMax: 100, rowsMax: 100, upTo: clock.at })
  expect(await loadedUsage()).toBe(1)
  expect(await everything()).toEqual(before)
  for (const cycle of ['first', 'second', 'third']) {
    const { usage } = effectOf(await shop.explained(`${cycle}-a`))
    expect(usage).toMatchObject({ agrees_with_books: true, is_complete: true })
  }

  async function everything() {
    const credit = `/credit-entitlements/${shop.creditId}/balances/${shop.customer}` as const
    const read = async (path: `/${string}`) => done(shop.call()(`GET ${path}`))
    return {
      balance: await read(credit),
      ledger: await read(`${credit}/ledger`),
      history: await read(`/subscriptions/${id}/usage-history`),
      usage: await read(`/subscriptions/${id}/credit-usage`),
      subscription: await read(`/subscriptions/${id}`),
      first: await shop.explained('first-b'),
      second: await shop.explained('second-b'),
    }
  }
})
