import type DodoPayments from 'dodopayments'
import { describe, expect, it } from 'vitest'
import { clientMethods, routeOf } from '../support/wire/client-methods.ts'
import { usageBased } from '../support/wire/products.ts'
import { accessCalls } from './access-calls.ts'
import { catalogCalls } from './catalog-calls.ts'
import { at } from './here.ts'
import { onceMeasured } from './once-measured.ts'
import type { Subscriber } from './plan.ts'
import { fresh, subscriber } from './plan.ts'
import { onDemandOf, onePaid, onePaidOut, pack, savedMethodOf } from './shopper.ts'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
}

type Call = (client: DodoPayments, of: Subscriber) => Promise<unknown>

const entitlement = () => ({
  name: fresh('credits'),
  unit: 'credit',
  precision: 2,
  overage_enabled: false,
  rollover_enabled: false,
})
const meter = () => ({
  name: fresh('meter'),
  event_name: fresh('used'),
  aggregation: { type: 'count' as const },
  measurement_unit: 'unit',
})
const endpoint = (client: DodoPayments) => client.webhooks.create({ url: 'http://127.0.0.1:9/' })
const discount = (client: DodoPayments) =>
  client.discounts.create({ type: 'percentage', amount: 1 })
const plan = (of: Subscriber) => ({
  product_id: of.productId,
  proration_billing_mode: 'do_not_bill' as const,
  quantity: 1,
})

/** Each method that is tried, called as a program would. Each makes what it changes. */
const calls: Readonly<Record<string, Call>> = {
  'usageEvents.ingest': (_, of) => of.use({}),
  'usageEvents.list': (client) => client.usageEvents.list(),
  'usageEvents.retrieve': async (client, of) => {
    const event_id = fresh('read')
    await of.balance(await of.use({ event_id }))
    return onceMeasured(async () => client.usageEvents.retrieve(event_id))
  },
  'customers.list': (client) => client.customers.list(),
  'customers.create': (client) => client.customers.create({ email: 'a@example.com', name: 'A' }),
  'customers.retrieve': (client, of) => client.customers.retrieve(of.customerId),
  'customers.update': (client, of) => client.customers.update(of.customerId, { name: 'B' }),
  'customers.listCreditEntitlements': (client, of) =>
    client.customers.listCreditEntitlements(of.customerId),
  'customers.retrievePaymentMethods': (client, of) =>
    client.customers.retrievePaymentMethods(of.customerId),
  'customers.customerPortal.create': (client, of) =>
    client.customers.customerPortal.create(of.customerId),
  'subscriptions.updatePaymentMethod': async (client, of) =>
    client.subscriptions.updatePaymentMethod(of.subscriptionId, {
      payment_method: { type: 'existing', payment_method_id: await savedMethodOf(at, of) },
    }),
  'subscriptions.charge': async (client) =>
    client.subscriptions.charge((await onDemandOf(at)).subscriptionId, { product_price: 2_500 }),
  'customers.deletePaymentMethod': async (client, { productId }) => {
    const { customer_id } = await client.customers.create({ email: 'a@example.com', name: 'A' })
    const method = await savedMethodOf(at, { customerId: customer_id, productId })
    // What a live subscription is paid with stays.
    const { items } = await client.subscriptions.list({ customer_id })
    for (const each of items) {
      await client.subscriptions.update(each.subscription_id, { status: 'cancelled' })
    }
    return client.customers.deletePaymentMethod(method, { customer_id })
  },
  'customers.wallets.list': (client, of) => client.customers.wallets.list(of.customerId),
  'customers.wallets.ledgerEntries.list': (client, of) =>
    client.customers.wallets.ledgerEntries.list(of.customerId),
  'customers.wallets.ledgerEntries.create': (client, of) =>
    client.customers.wallets.ledgerEntries.create(of.customerId, {
      amount: 1,
      currency: 'USD',
      entry_type: 'credit',
    }),
  'payments.create': async (client) => {
    const { productId } = await pack(at)
    return client.payments.create({
      billing: { country: 'DE' },
      customer: { email: 'ada@example.com' },
      product_cart: [{ product_id: productId, quantity: 1 }],
    })
  },
  'meters.list': (client) => client.meters.list(),
  'meters.create': (client) => client.meters.create(meter()),
  'meters.retrieve': (client, of) => client.meters.retrieve(of.meterIds[0] ?? ''),
  'meters.archive': async (client) =>
    client.meters.archive((await client.meters.create(meter())).id),
  'meters.unarchive': async (client) => {
    const { id } = await client.meters.create(meter())
    await client.meters.archive(id)
    return client.meters.unarchive(id)
  },
  'creditEntitlements.list': (client) => client.creditEntitlements.list(),
  'creditEntitlements.create': (client) => client.creditEntitlements.create(entitlement()),
  'creditEntitlements.retrieve': (client, of) => client.creditEntitlements.retrieve(of.creditId),
  'creditEntitlements.update': (client, of) =>
    client.creditEntitlements.update(of.creditId, { expires_after_days: 30 }),
  'creditEntitlements.delete': async (client) =>
    client.creditEntitlements.delete((await client.creditEntitlements.create(entitlement())).id),
  'creditEntitlements.undelete': async (client) => {
    const { id } = await client.creditEntitlements.create(entitlement())
    await client.creditEntitlements.delete(id)
    return client.creditEntitlements.undelete(id)
  },
  'creditEntitlements.balances.list': (client, of) =>
    client.creditEntitlements.balances.list(of.creditId),
  'creditEntitlements.balances.retrieve': (_, of) => of.balance(),
  'creditEntitlements.balances.listGrants': (client, of) =>
    client.creditEntitlements.balances.listGrants(of.customerId, {
      credit_entitlement_id: of.creditId,
    }),
  'creditEntitlements.balances.listLedger': (_, of) => of.ledger(),
  'creditEntitlements.balances.createLedgerEntry': (client, of) =>
    onceMeasured(() =>
      client.creditEntitlements.balances.createLedgerEntry(of.customerId, {
        credit_entitlement_id: of.creditId,
        amount: '1',
        entry_type: 'credit',
      }),
    ),
  'products.list': (client) => client.products.list(),
  'products.create': (client) =>
    client.products.create({ name: fresh('plan'), tax_category: 'saas', price: usageBased }),
  'products.retrieve': (client, of) => client.products.retrieve(of.productId),
  ...accessCalls,
  ...catalogCalls,
  'discounts.list': (client) => client.discounts.list(),
  'discounts.create': discount,
  'discounts.retrieve': async (client) =>
    client.discounts.retrieve((await discount(client)).discount_id),
  'discounts.retrieveByCode': async (client) =>
    client.discounts.retrieveByCode((await discount(client)).code),
  'discounts.update': async (client) =>
    client.discounts.update((await discount(client)).discount_id, { amount: 2 }),
  'discounts.delete': async (client) =>
    client.discounts.delete((await discount(client)).discount_id),
  'subscriptions.list': (client) => client.subscriptions.list(),
  'subscriptions.create': (client, of) =>
    client.subscriptions.create({
      billing: { country: 'DE' },
      customer: { email: 'b@example.com', name: 'B' },
      product_id: of.productId,
      quantity: 1,
    }),
  'subscriptions.retrieve': (client, of) => client.subscriptions.retrieve(of.subscriptionId),
  'subscriptions.update': (client, of) =>
    client.subscriptions.update(of.subscriptionId, { metadata: { a: 'b' } }),
  'subscriptions.changePlan': (client, of) =>
    client.subscriptions.changePlan(of.subscriptionId, plan(of)),
  'subscriptions.previewChangePlan': (client, of) =>
    client.subscriptions.previewChangePlan(of.subscriptionId, plan(of)),
  'subscriptions.cancelChangePlan': async (client, of) => {
    await client.subscriptions.changePlan(of.subscriptionId, {
      ...plan(of),
      proration_billing_mode: 'full_immediately',
      effective_at: 'next_billing_date',
    })
    return client.subscriptions.cancelChangePlan(of.subscriptionId)
  },
  'subscriptions.retrieveUsageHistory': (client, of) =>
    client.subscriptions.retrieveUsageHistory(of.subscriptionId),
  'subscriptions.retrieveCreditUsage': (client, of) =>
    client.subscriptions.retrieveCreditUsage(of.subscriptionId),
  'balances.retrieveLedger': (client) => client.balances.retrieveLedger(),
  'invoices.payments.retrieveRefund': async (client) => {
    const { refund_id: id } = await client.refunds.create(await onePaid(at))
    return client.invoices.payments.retrieveRefund(id)
  },
  'disputes.list': (client) => client.disputes.list(),
  'disputes.retrieve': async (client) => {
    const { payment_id } = await onePaid(at, '4000000000000259')
    const { disputes } = await client.payments.retrieve(payment_id)
    return client.disputes.retrieve(disputes[0]?.dispute_id ?? '')
  },
  'payouts.list': (client) => client.payouts.list(),
  'payouts.breakup.retrieve': async (client) =>
    client.payouts.breakup.retrieve((await paidOut()).id),
  'payouts.breakup.details.list': async (client) =>
    client.payouts.breakup.details.list((await paidOut()).id),
  'payouts.breakup.details.downloadCsv': async (client) =>
    client.payouts.breakup.details.downloadCsv((await paidOut()).id),
  'invoices.payments.retrievePayout': async (client) =>
    client.invoices.payments.retrievePayout((await paidOut()).id),
  'refunds.list': (client) => client.refunds.list(),
  'refunds.create': async (client) => client.refunds.create(await onePaid(at)),
  'refunds.retrieve': async (client) => {
    const { refund_id } = await client.refunds.create(await onePaid(at))
    return client.refunds.retrieve(refund_id)
  },
  'licenseKeys.list': (client) => client.licenseKeys.list(),
  'licenseKeys.create': licensed,
  'licenseKeys.retrieve': async (client, of) =>
    client.licenseKeys.retrieve((await licensed(client, of)).id),
  'licenseKeys.update': async (client, of) =>
    client.licenseKeys.update((await licensed(client, of)).id, { activations_limit: 3 }),
  'licenseKeyInstances.list': (client) => client.licenseKeyInstances.list(),
  'licenseKeyInstances.retrieve': async (client, of) =>
    client.licenseKeyInstances.retrieve((await activated(client, of)).id),
  'licenseKeyInstances.update': async (client, of) =>
    client.licenseKeyInstances.update((await activated(client, of)).id, { name: 'Desk' }),
  'licenses.activate': activated,
  'licenses.validate': async (client, of) =>
    client.licenses.validate({ license_key: (await licensed(client, of)).key }),
  'licenses.deactivate': async (client, of) => {
    const { id, key } = await activated(client, of)
    return client.licenses.deactivate({ license_key: key, license_key_instance_id: id })
  },
  'products.images.update': (client, of) => client.products.images.update(of.productId),
  'invoices.payments.retrieve': async (client) => {
    const { payment_id: id } = await onePaid(at)
    return client.invoices.payments.retrieve(id)
  },
  'webhooks.list': (client) => client.webhooks.list(),
  'webhooks.create': (client) => endpoint(client),
  'webhooks.retrieve': async (client) => client.webhooks.retrieve((await endpoint(client)).id),
  'webhooks.update': async (client) =>
    client.webhooks.update((await endpoint(client)).id, { description: 'Ours' }),
  'webhooks.delete': async (client) => client.webhooks.delete((await endpoint(client)).id),
  'webhooks.retrieveSecret': async (client) =>
    client.webhooks.retrieveSecret((await endpoint(client)).id),
  'webhooks.headers.retrieve': async (client) =>
    client.webhooks.headers.retrieve((await endpoint(client)).id),
  'webhooks.headers.update': async (client) =>
    client.webhooks.headers.update((await endpoint(client)).id, { headers: { 'X-Team': 'a' } }),
}

let made: ReturnType<typeof onePaidOut> | null = null

/** One payout for all: commands of the operator take seconds. */
function paidOut() {
  made ??= onePaidOut(at)
  return made
}

function licensed(client: DodoPayments, of: Subscriber) {
  const whose = { customer_id: of.customerId, product_id: of.productId }
  return client.licenseKeys.create({ ...whose, key: fresh('KEY') })
}

async function activated(client: DodoPayments, of: Subscriber) {
  const { key } = await licensed(client, of)
  return { key, ...(await client.licenses.activate({ license_key: key, name: 'Laptop' })) }
}

describe('the public client, method by method', () => {
  it('works with everything that is served, and is told what is not', async () => {
    const { text } = await at.call('GET /openapi.json', { key: null })
    const { paths } = JSON.parse(text) as Described
    const served = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => routeOf(method, path)),
      ),
    )
    const methods = await clientMethods()
    expect(methods).toHaveLength(137)
    const of = await subscriber(at)
    const table: { readonly name: string; readonly state: string; readonly route: string }[] = []
    const failures: string[] = []
    for (const { name, route } of methods) {
      const call = calls[name]
      const isThere = served.has(route) && call !== undefined
      const failed = isThere ? await failureOf(call(at.client(), of)) : null
      if (failed !== null) failures.push(`${name}: ${failed}`)
      const state = !isThere ? 'not yet' : failed === null ? 'works' : 'fails'
      table.push({ name, state, route })
    }
    const count = (state: string) => table.filter((one) => one.state === state).length
    const lines = table.map(({ name, state, route }) => `  ${state.padEnd(8)} ${name}  ${route}`)
    const sum = `${count('works')} work, ${count('not yet')} not yet`
    process.stdout.write(`The public client's methods: ${sum}\n${lines.join('\n')}\n`)
    expect(failures).toEqual([])
    expect([count('works'), Object.keys(calls).length]).toEqual([137, 137])
  })
})

/** What a call is refused with; null: it is not. */
const failureOf = (call: Promise<unknown>): Promise<string | null> => call.then(() => null, String)
