import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { instantOf } from '../../../src/std/instant.ts'
import type { Call } from '../../support/edge/call.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const start = 1_800_000_000_000_000
const at = '2027-01-15T08:00:00.000000Z'
const ten = { amount: 1_000, currency: 'USD', entry_type: 'credit' }

/** A customer of a new business, and what calls its wallets. */
async function opened() {
  const { id: businessId, call } = await catalog.business()
  const { body } = await call('POST /customers', { email: 'ada@example.com', name: 'Ada' })
  const path = `/customers/${body.customer_id}/wallets` as const
  const post = (sent: unknown, as: Call = call) => as(`POST ${path}/ledger-entries`, sent)
  return { businessId, call, customerId: body.customer_id, path, post }
}

describe('wallets', () => {
  it('are there with their customer, empty, and answered whole', async () => {
    const { call, customerId, path, post } = await opened()
    const wallet = { customer_id: customerId, currency: 'USD', created_at: at, updated_at: at }
    const empty = ['USD', 'INR'].map((currency) => ({ ...wallet, currency, balance: 0 }))
    expect((await call(`GET ${path}`)).body).toEqual({ items: empty, total_balance_usd: 0 })
    expect((await call(`GET ${path}/ledger-entries`)).body).toEqual({ items: [] })

    const opening = await post({ ...ten, unknown: 1, idempotency_key: null, reason: null })
    expect(opening).toEqual({ status: 200, body: { ...wallet, balance: 1_000 } })
    const later = call.as({ at: instantOf(start + 1) })
    const debit = await post({ ...ten, entry_type: 'debit', amount: 300 }, later)
    const updated = { ...wallet, balance: 700, updated_at: '2027-01-15T08:00:00.000001Z' }
    expect(debit.body).toEqual(updated)
    const rupees = { ...updated, currency: 'INR', balance: 5 }
    expect((await post({ ...ten, currency: 'INR', amount: 5 }, later)).body).toEqual(rupees)
    const items = [updated, rupees]
    expect((await call(`GET ${path}`)).body).toEqual({ items, total_balance_usd: 705 })
  })

  it('have a ledger: newest first, each entry where the one before it ended', async () => {
    const { businessId, call, customerId, path, post } = await opened()
    await post({ ...ten, reason: 'for the trouble', idempotency_key: 'one' })
    await post({ ...ten, currency: 'INR' }, call.as({ at: instantOf(start + 1) }))
    await post({ ...ten, entry_type: 'debit', amount: 1 }, call.as({ at: instantOf(start + 2) }))
    // A clock that runs behind does not make the ledger run backwards.
    await post({ ...ten, amount: 2 }, call.as({ at: instantOf(start) }))
    const read = async (query = '') => (await call(`GET ${path}/ledger-entries${query}`)).body.items
    const entries = await read()
    expect(entries).toHaveLength(4)
    expect(entries.at(-1)).toEqual({
      id: expect.stringMatching(/^wle_[\w-]{21}$/),
      business_id: businessId,
      customer_id: customerId,
      currency: 'USD',
      event_type: 'merchant_adjustment',
      is_credit: true,
      amount: 1_000,
      before_balance: 0,
      after_balance: 1_000,
      reason: 'for the trouble',
      reference_object_id: null,
      created_at: at,
    })
    const seen = (await read('?currency=USD')).map((entry) => [
      entry['is_credit'],
      entry['amount'],
      entry['before_balance'],
      entry['after_balance'],
      String(entry['created_at']).slice(-8, -1),
    ])
    expect(seen).toEqual([
      [true, 2, 999, 1_001, '.000002'],
      [false, 1, 1_000, 999, '.000002'],
      [true, 1_000, 0, 1_000, '.000000'],
    ])
    expect((await read('?currency=INR')).map(({ amount }) => amount)).toEqual([1_000])
    expect(await read('?currency=EUR')).toEqual([])
    expect(await read('?page_size=3&page_number=1')).toEqual(entries.slice(3))
    expect((await call(`GET ${path}/ledger-entries?currency=usd`)).status).toBe(422)
  })

  it('give all that they hold, and no more', async () => {
    const { call, path, post } = await opened()
    const short = { status: 400, body: { code: 'INSUFFICIENT_WALLET_FUNDS' } }
    const debit = (amount: number) => post({ ...ten, entry_type: 'debit', amount })
    expect(await debit(1)).toMatchObject(short)
    const balances = (await call(`GET ${path}`)).body.items.map(({ balance }) => balance)
    expect(balances).toEqual([0, 0])
    await post(ten)
    await post({ ...ten, currency: 'INR' })
    expect(await debit(1_001)).toMatchObject(short)
    expect((await debit(1_000)).body['balance']).toBe(0)
    expect(await debit(1)).toMatchObject(short)
    const most = limits.walletAdjustedMax
    expect((await post({ ...ten, amount: most })).body['balance']).toBe(most)
    expect(await post({ ...ten, amount: 1 })).toMatchObject({
      status: 422,
      body: { code: 'INTEGER_CONVERSION_FAILURE' },
    })
  })

  it('answer a repeat with what the first has answered, and change nothing', async () => {
    const { call, path, post } = await opened()
    const keyed = { ...ten, idempotency_key: 'k' }
    const first = await post(keyed)
    await post({ ...ten, amount: 5 }, call.as({ at: instantOf(start + 1) }))
    expect(await post({ ...keyed, reason: 'again' })).toEqual(first)
    expect((await call(`GET ${path}`)).body['total_balance_usd']).toBe(1_005)
    for (const other of [{ amount: 1 }, { entry_type: 'debit' }, { currency: 'INR' }]) {
      expect(await post({ ...keyed, ...other })).toMatchObject({
        status: 409,
        body: { code: 'IDEMPOTENCY_KEY_REUSED' },
      })
    }
    // A key is the customer's: others have theirs.
    const other = await call('POST /customers', { email: 'b@example.com', name: 'B' })
    const theirs = `/customers/${other.body.customer_id}/wallets/ledger-entries` as const
    expect((await call(`POST ${theirs}`, keyed)).body['balance']).toBe(1_000)
    // A debit that was refused has used no key.
    const debit = { ...ten, entry_type: 'debit', amount: 2_000, idempotency_key: 'd' }
    expect((await post(debit)).status).toBe(400)
    await post({ ...ten, amount: 995 })
    expect((await post(debit)).body['balance']).toBe(0)
  })

  it('of 64 debits that all want the last, one gets it; of 64 repeats, one acts', async () => {
    const { call, path, post } = await opened()
    await post(ten)
    const debit = { ...ten, entry_type: 'debit' }
    const answers = await Promise.all(Array.from({ length: 64 }, () => post(debit)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(63)
    const keyed = { ...ten, idempotency_key: 'same' }
    const repeats = await Promise.all(Array.from({ length: 64 }, () => post(keyed)))
    expect(new Set(repeats.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect((await call(`GET ${path}`)).body['total_balance_usd']).toBe(1_000)
    expect((await call(`GET ${path}/ledger-entries`)).body.items).toHaveLength(3)
  })

  it('belong to a customer of one business and mode', async () => {
    const { call, path, post } = await opened()
    const other = await catalog.business()
    await post(ten)
    for (const stranger of [other.call, call.as({ mode: 'live' })]) {
      expect((await stranger(`GET ${path}`)).status).toBe(404)
      expect((await stranger(`GET ${path}/ledger-entries`)).status).toBe(404)
      expect((await post(ten, stranger)).status).toBe(404)
    }
    for (const nobody of ['cus_none', '%00']) {
      expect((await call(`GET /customers/${nobody}/wallets`)).status).toBe(404)
    }
  })

  it('refuse what is wrong, with the field in the message', async () => {
    const { post } = await opened()
    const cases: [object, string, string][] = [
      [{ ...ten, amount: 0 }, 'INVALID_REQUEST_BODY', 'amount'],
      [{ ...ten, amount: -5 }, 'INVALID_REQUEST_BODY', 'amount'],
      [{ ...ten, amount: 1.5 }, 'INVALID_REQUEST_BODY', 'amount must be an integer'],
      [{ ...ten, amount: '5' }, 'INVALID_REQUEST_BODY', 'amount'],
      [{ ...ten, amount: 2 ** 53 }, 'INVALID_REQUEST_BODY', 'amount'],
      [{ ...ten, amount: null }, 'INVALID_REQUEST_BODY', 'amount'],
      [{ ...ten, currency: 'usd' }, 'INVALID_REQUEST_BODY', 'currency'],
      [{ ...ten, currency: 'EUR' }, 'UNSUPPORTED_CURRENCY', 'currency must be USD or INR'],
      [{ ...ten, entry_type: 'gift' }, 'INVALID_REQUEST_BODY', 'entry_type'],
      [{ ...ten, idempotency_key: '' }, 'INVALID_REQUEST_BODY', 'idempotency_key'],
      [{ ...ten, reason: 'a\0' }, 'INVALID_REQUEST_BODY', 'reason'],
      [{ currency: 'USD', entry_type: 'credit' }, 'INVALID_REQUEST_BODY', 'amount is required'],
    ]
    for (const [body, code, says] of cases) {
      const answer = await post(body)
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 422, body: { code } })
      expect(answer.body.message).toContain(says)
    }
  })
})
