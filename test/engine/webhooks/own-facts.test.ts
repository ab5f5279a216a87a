import { expect, it } from 'vitest'
import { changes } from '../../../src/parts/store/postgres/changes/changes.ts'
import { newId } from '../../support/store/books.ts'
import { changeWith, loneFact } from '../../support/store/decided.ts'
import { telling } from '../../support/webhooks/telling.ts'

const { db, receiver, started } = telling()

it('a fact that is about no account reaches the endpoint that wants its kind', async () => {
  const { receiver: there, books } = await receiver()
  const { businessId, mode, endpoint } = books
  await endpoint({ url: there.url, filter_types: ['credit.balance_low'] })
  const fact = loneFact(newId('msg'))
  const change = changeWith({ businessId, mode }, { facts: [fact] })
  expect(await changes(db()).commit(change)).toBe('committed')
  started()
  await there.until(1)
  const [request] = there.received
  expect(request?.headers['webhook-id']).toBe(fact.messageId)
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    business_id: businessId,
    type: 'credit.balance_low',
    timestamp: '2026-01-15T12:00:00.000001Z',
    data: { customer_id: 'cus_1', available_balance: '1.5', threshold_amount: '2' },
  })
})
