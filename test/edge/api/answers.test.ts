import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { webhooks } from '../../../src/edge/api/webhooks.ts'
import { relay } from '../../../src/engine/webhooks/relay.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { outbox } from '../../../src/parts/store/postgres/telling/outbox.ts'
import { second } from '../../../src/std/instant.ts'
import { noLinks } from '../../../src/wire/invoice-link.ts'
import { caller } from '../../support/edge/call.ts'
import type { Pages } from '../../support/edge/pages.ts'
import { openPages } from '../../support/edge/pages.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { quiet } from '../../support/runtime/logger.ts'
import { openBooks, webhookPorts } from '../../support/store/books.ts'
import { base, monthly, recurring, terms, usageBased } from '../../support/wire/products.ts'
import { everyOverride, openCatalog } from './answers-catalog.ts'

// Whole answers and webhooks, compared byte by byte, because callers see every change of them.

let pipeline: Pipeline
let pages: Pages

beforeAll(async () => {
  pipeline = await openPipeline()
  pages = openPages()
})
afterAll(() => pipeline.drop())

async function openBusiness() {
  const { businessId, call } = await pipeline.business()
  return { businessId, ask }

  async function ask(target: Parameters<ReturnType<typeof call>>[0], body?: unknown) {
    // Lists are in the order of time.
    pipeline.pass(second)
    const answer = await call()(target, body)
    pages.add(`${target} → ${answer.status}`, answer.body)
    return answer.body
  }
}

const oneTime = { ...terms, type: 'one_time_price', price: 500, tax_inclusive: true }

describe('answers', () => {
  it('are the same to the byte', async () => {
    const { ask } = await openBusiness()
    const { meter, full, bare, customer } = await openCatalog(ask)

    const single = await ask('POST /products', {
      ...base,
      description: 'once',
      price: { ...oneTime, pay_what_you_want: true, suggested_price: 700 },
    })
    const trial = { trial_period_days: 7, trial_amount: 0, trial_apply_discounts: true }
    await ask('POST /products', { ...base, price: { ...recurring, ...trial } })
    const tied = {
      meter_id: meter,
      credit_entitlement_id: full,
      meter_units_per_credit: '10.0',
      free_threshold: 3,
    }
    const used = await ask('POST /products', {
      ...base,
      price: { ...usageBased, meters: [tied] },
      credit_entitlements: [
        { credit_entitlement_id: full, ...everyOverride },
        { credit_entitlement_id: bare, credits_amount: '5' },
      ],
      metadata: { plan: 'pro' },
    })
    await ask(`GET /products/${single.product_id}`)
    await ask(`GET /products/${used.product_id}`)
    await ask('GET /products')
    const priced = { meter_id: meter, price_per_unit: '0.5' }
    const other = await ask('POST /products', {
      ...base,
      price: { ...usageBased, meters: [priced] },
      credit_entitlements: [{ credit_entitlement_id: full, credits_amount: '7' }],
    })

    const held = `GET /customers/${customer}/credit-entitlements` as const
    await ask(`POST /credit-entitlements/${bare}/balances/${customer}/ledger-entries`, {
      amount: '1.10',
      entry_type: 'credit',
      idempotency_key: 'once',
    })
    await ask(held)
    const made = await ask('POST /subscriptions', {
      billing: { country: 'GB', city: 'London' },
      customer: { customer_id: customer },
      product_id: used.product_id,
      quantity: 1,
      metadata: { seat: 'a' },
      tax_id: 'GB980780684',
    })
    const path = `/subscriptions/${String(made['subscription_id'])}` as const
    await ask(`GET ${path}`)
    await ask(`PATCH ${path}`, {
      customer_name: 'Ada L.',
      metadata: { seat: 'b' },
      billing: { country: 'FR' },
      cancel_at_next_billing_date: true,
      cancellation_comment: 'too dear',
      cancellation_feedback: 'too_expensive',
      subscription_period_count: 2,
      credit_entitlement_cart: [
        { credit_entitlement_id: full, overage_limit: '60.0', max_rollover_count: null },
      ],
    })
    await ask(`PATCH ${path}`, { cancel_at_next_billing_date: false })
    const change = {
      product_id: other.product_id,
      quantity: 1,
      proration_billing_mode: 'full_immediately',
    }
    await ask(`POST ${path}/change-plan/preview`, change)
    const waiting = { ...change, effective_at: 'next_billing_date', metadata: { why: 'less' } }
    await ask(`POST ${path}/change-plan`, waiting)
    await ask('GET /subscriptions')
    await ask(`GET ${path}/credit-usage`)

    const balances = `/credit-entitlements/${full}/balances` as const
    const entries = `${balances}/${customer}/ledger-entries` as const
    const credit = { amount: '3.50', reason: 'sorry', metadata: { by: 'me' } }
    await ask(`POST ${entries}`, {
      ...credit,
      entry_type: 'credit',
      expires_at: '2030-01-01T00:00:00Z',
    })
    await ask(`POST ${entries}`, { amount: '810', entry_type: 'debit' })
    for (const page of ['', `/${customer}`, `/${customer}/grants`] as const)
      await ask(`GET ${balances}${page}`)
    const ledger = await ask(`GET ${balances}/${customer}/ledger`)
    await ask(`GET ${path}/usage-history`)
    for (const entry of ledger.items)
      await ask(`GET /credit-ledger-entries/${entry.id}/explanation`)
    await expect(pages.text()).toMatchFileSnapshot('answers.golden')
  })

  it('about webhook endpoints are the same to the byte', async () => {
    const { businessId } = await pipeline.business()
    const call = caller(webhooks(webhookPorts(pipeline.db)), {
      businessId,
      at: pipeline.clock.now(),
    })
    const own = openPages()
    const ask = async (target: Parameters<typeof call>[0], body?: unknown) => {
      const answer = await call(target, body)
      own.add(`${target} → ${answer.status}`, answer.body)
      return answer.body
    }
    const { id } = await ask('POST /webhooks', {
      url: 'https://example.com/hooks',
      description: 'ours',
      rate_limit: 5,
      filter_types: ['credit.added'],
      metadata: { team: 'a' },
      headers: { 'X-Tier': 'gold', Authorization: 'Basic abc' },
    })
    await ask(`PATCH /webhooks/${id}`, { description: null, filter_types: null, disabled: true })
    await ask(`GET /webhooks/${id}/headers`)
    await ask('GET /webhooks')
    await expect(own.text()).toMatchFileSnapshot('webhook-endpoints.golden')
  })
})

const kinds = [
  ...['credit.added', 'credit.deducted', 'credit.expired', 'credit.rolled_over'],
  ...['credit.rollover_forfeited', 'credit.overage_charged', 'credit.overage_reset'],
  'credit.manual_adjustment',
]

describe('webhooks', () => {
  it('of every kind are the same to the byte', async () => {
    const { db } = pipeline
    await db.query(sql`truncate outbox, announcements`)
    const books = await openBooks(db)
    for (const kind of kinds) await books.facts(1, kind)
    await crossings()
    await relay({
      outbox: outbox(db),
      topic: true,
      clock: pipeline.clock,
      logger: quiet,
      linksOf: () => noLinks,
      relayed: () => undefined,
    })
    const told = await db.query<{ customer_id: string; body: string }>(
      sql`select customer_id, body from announcements order by id`,
    )
    const own = openPages()
    for (const { customer_id: customer, body } of told) own.add(customer, JSON.parse(body))
    await expect(own.text()).toMatchFileSnapshot('webhooks.golden')
    // Parsing and writing them again would prove nothing about the bytes.
    expect(told.map(({ body }) => JSON.stringify(JSON.parse(body)))).toEqual(
      told.map(({ body }) => body),
    )
  })

  /** A balance that is low for a subscription, and one for a customer without. */
  async function crossings(): Promise<void> {
    const { call } = await pipeline.business()
    const asked = call()
    const credit = {
      name: 'Credits',
      unit: 'credit',
      precision: 2,
      low_balance_threshold: '7.5',
      rollover_enabled: false,
      overage_enabled: false,
    }
    const { id } = (await asked('POST /credit-entitlements', credit)).body
    const product = await asked('POST /products', {
      ...base,
      price: { ...usageBased, ...monthly },
      credit_entitlements: [
        {
          credit_entitlement_id: id,
          credits_amount: '10',
          low_balance_threshold_percent: 33,
        },
      ],
    })
    for (const subscribes of [true, false]) {
      const customer = { name: 'Ada', email: 'ada@example.com' }
      const { customer_id } = (await asked('POST /customers', customer)).body
      const own = { billing: { country: 'GB' }, customer: { customer_id }, quantity: 1 }
      const { product_id } = product.body
      if (subscribes) await asked('POST /subscriptions', { ...own, product_id })
      const path = `/credit-entitlements/${id}/balances/${customer_id}/ledger-entries` as const
      const given = { amount: '1', entry_type: 'credit' }
      await asked(`POST ${path}`, { ...given, amount: subscribes ? '1' : '10' })
      const taken = await asked(`POST ${path}`, { ...given, amount: '8', entry_type: 'debit' })
      expect(taken.status).toBe(201)
    }
  }
})
