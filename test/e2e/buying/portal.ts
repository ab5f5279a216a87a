import { beforeAll, describe, expect, it } from 'vitest'
import { usageBased } from '../../support/wire/products.ts'
import { at } from '../here.ts'
import { onceMeasured } from '../once-measured.ts'
import type { Subscriber } from '../plan.ts'
import { fresh, subscriber } from '../plan.ts'
import { checkout, latestOf, monthly, pack, pays, shopper } from '../shopper.ts'

const linkOf = async (customerId: string, query: Readonly<Record<string, unknown>> = {}) =>
  (await at.client().customers.customerPortal.create(customerId, query)).link.slice(at.url().length)

/** A plan of a collection that has two, of which the second is free as well. */
async function planned() {
  const one = await subscriber(at)
  const client = at.client()
  const other = await client.products.create({
    name: fresh('bigger plan'),
    tax_category: 'saas',
    price: usageBased,
  })
  const hidden = await client.products.create({
    name: fresh('hidden plan'),
    tax_category: 'saas',
    price: usageBased,
  })
  await client.productCollections.create({
    name: fresh('plans'),
    groups: [
      {
        products: [
          { product_id: one.productId },
          { product_id: other.product_id },
          { product_id: hidden.product_id, status: false },
        ],
      },
    ],
  })
  return { one, otherId: other.product_id, hiddenId: hidden.product_id }
}

describe('the portal [payments#portal]', () => {
  let one: Subscriber
  let other: Subscriber
  beforeAll(async () => {
    one = await subscriber(at)
    other = await subscriber(at)
  })

  it('shows a customer what is theirs, with nothing but the link', async () => {
    await one.balance(await one.use({}, {}, {}))
    const person = shopper(at)
    const path = await linkOf(one.customerId, { return_url: 'https://shop.example/home?a=b&c=d' })
    expect(path).toMatch(/^\/portal\/[\w-]{60,}$/)
    const page = await person.visit(path, { 'Accept-Language': 'fr' })
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null])
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.text).toContain('<html lang="fr"')
    expect(page.text).toContain('Solde: 97 credit')
    expect(page.text).toContain('href="https://shop.example/home?a=b&amp;c=d"')
    for (const secret of [at.keys.write, at.businessId, other.creditId, '<script']) {
      expect(page.text).not.toContain(secret)
    }
    const ledger = await person.visit(`${path}/credits/${one.creditId}`, {
      'Accept-Language': 'en',
    })
    expect([ledger.status, ledger.text.includes('Valid until')]).toEqual([200, true])
    expect(ledger.text).toContain('+100')
    expect(ledger.text).toContain('−3')
  })

  it('has invoices, license keys and saved cards, of which one can be charged instead', async () => {
    const client = at.client()
    const { customer_id: customerId } = await client.customers.create({
      email: 'cards@example.com',
      name: 'Ada',
    })
    const customer = { customer_id: customerId }
    const { productId } = await monthly(at)
    const methods: string[] = []
    for (const card of [pays, '5555 5555 5555 4444']) {
      const { session_id: sessionId } = await checkout(at, productId, { customer })
      await shopper(at).pay(sessionId, card)
      methods.push((await latestOf(at, sessionId)).payment_method_id ?? '')
    }
    const { items } = await client.subscriptions.list({ customer_id: customerId })
    const [mastercard] = items.filter((each) => each.payment_method_id === methods[1])
    const subscriptionId = mastercard?.subscription_id ?? ''
    const path = await linkOf(customerId)
    const person = shopper(at)
    const page = await person.visit(path, { 'Accept-Language': 'en' })
    for (const shown of ['VISA •••• 4242, 12/39', 'MASTERCARD •••• 4444, 12/39']) {
      expect(page.text).toContain(shown)
    }
    const invoice = /href="(\/invoices\/payments\/[^"]+)"/.exec(page.text)?.[1] ?? ''
    const paper = await person.visit(invoice.replaceAll('&amp;', '&'))
    expect(paper.headers.get('content-type')).toBe('application/pdf')
    // Both cards are charged through, until the second subscription takes the first.
    const removal = `${path}/methods/${methods[1]}/remove`
    expect((await person.send(removal, {})).status).toBe(409)
    const use = { payment_method_id: methods[0] ?? '' }
    expect((await person.send(`${path}/subscriptions/${subscriptionId}/method`, use)).status).toBe(
      303,
    )
    expect((await client.subscriptions.retrieve(subscriptionId)).payment_method_id).toBe(methods[0])
    expect((await person.send(removal, {})).status).toBe(303)
    const left = await person.visit(path, { 'Accept-Language': 'en' })
    expect(left.text).not.toContain('4444')
    // Nobody else's card can be removed, or charged.
    const foreign = await linkOf(other.customerId)
    expect((await person.send(`${foreign}/methods/${methods[0]}/remove`, {})).status).toBe(404)
    const stolen = `${foreign}/subscriptions/${other.subscriptionId}/method`
    expect((await person.send(stolen, use)).status).toBe(404)
    await client.licenseKeys.create({
      customer_id: customerId,
      product_id: productId,
      key: fresh('KEY').replaceAll(' ', '-'),
    })
    expect((await person.visit(path)).text).toContain('KEY-')
  })

  it('shows what else was granted, and opens files, as long as it is theirs', async () => {
    const client = at.client()
    const granting = async (type: 'digital_files' | 'license_key' | 'feature_flag' | 'github') => {
      const configs = {
        digital_files: { digital_file_ids: [], instructions: 'Read <it>.' },
        license_key: { activations_limit: 3 },
        feature_flag: { feature_id: 'beta', feature_type: 'boolean' },
        github: { target_id: 'acme/book', permission: 'pull' },
      } as const
      const made = await client.entitlements.create({
        name: fresh(`the <${type}>`),
        integration_type: type,
        integration_config: configs[type],
      } as never)
      return made.id
    }
    const book = await granting('digital_files')
    const body = new FormData()
    body.append('file', new Blob(['a whole book']), 'the book.txt')
    const { file_id: fileId } = await client.entitlements.files.upload(book, { body })
    const ids = [book, await granting('license_key'), await granting('feature_flag')]
    const repository = await granting('github')
    const { productId } = await pack(at)
    await client.products.update(productId, {
      entitlements: [...ids, repository].map((entitlement_id) => ({ entitlement_id })),
    })
    const session = await checkout(at, productId)
    const person = shopper(at)
    await person.pay(session.session_id, pays)
    const paid = await latestOf(at, session.session_id)
    const path = await linkOf(paid.customer.customer_id)
    const shown = async () => (await person.visit(path, { 'Accept-Language': 'de' })).text
    const page = await shown()
    const [keyed] = (await client.entitlements.grants.list(ids[1] ?? '')).items
    for (const text of ['Was Ihnen gehört', 'Read &lt;it&gt;.', 'Aktiv', 'In Gebrauch: 0 / 3']) {
      expect(page).toContain(text)
    }
    expect(page.split(String(keyed?.license_key?.key)).length).toBe(2)
    expect(page).not.toContain('<digital_files>')
    const [waiting] = (await client.entitlements.grants.list(repository)).items
    await at.call(`POST /grants/${waiting?.id}/fulfillment`, {
      body: { status: 'Pending', oauth_url: 'https://git.example/accept?a=1&b=2' },
    })
    expect(await shown()).toContain('href="https://git.example/accept?a=1&amp;b=2"')
    const file = /href="(\/portal\/[^"]+\/files\/[^"]+)"/.exec(page)?.[1] ?? ''
    const leads = await person.visit(file)
    expect([leads.status, leads.location?.startsWith('/files/')]).toEqual([303, true])
    const read = await person.visit(leads.location ?? '')
    expect([read.status, read.text]).toEqual([200, 'a whole book'])
    // Nobody else gets a link to it, and nobody to what is not there.
    const foreign = file.replace(path, await linkOf(other.customerId))
    const none = [foreign, file.replace(fileId, crypto.randomUUID()), file.replace('entg_', 'x_')]
    for (const each of none) expect((await person.visit(each)).status, each).toBe(404)
    await client.refunds.create({ payment_id: paid.payment_id })
    expect((await person.visit(file)).status).toBe(404)
    expect((await person.visit(leads.location ?? '')).status).toBe(403)
    expect(await shown()).not.toContain('Was Ihnen gehört')
  })

  it('opens nothing of anybody else', async () => {
    const person = shopper(at)
    const path = await linkOf(one.customerId)
    const wrong = [
      `${path}/credits/${other.creditId}`,
      `${path}/subscriptions/${other.subscriptionId}/cancel`,
      `${path}/subscriptions/${other.subscriptionId}/plan`,
      `${path}/subscriptions/sub_none/cancel`,
      `${path.slice(0, -2)}${path.endsWith('A') ? 'B' : 'A'}A`,
      '/portal/x',
      `/portal/${'x'.repeat(3000)}`,
      `/portal/${one.customerId}`,
    ]
    for (const each of wrong) expect((await person.visit(each)).status, each).toBe(404)
    for (const act of ['cancel', 'keep', 'plan', 'keep-plan']) {
      const answer = await person.send(`${path}/subscriptions/${other.subscriptionId}/${act}`, {})
      expect(answer.status, act).toBe(404)
    }
    const live = await fetch(at.url('live') + path)
    expect(live.status).toBe(404)
    const theirs = await at.client().subscriptions.retrieve(other.subscriptionId)
    expect(theirs.cancel_at_next_billing_date).toBe(false)
  })

  it('ends a subscription with its period, once asked, and takes that back', async () => {
    const person = shopper(at)
    const path = `${await linkOf(one.customerId)}/subscriptions/${one.subscriptionId}`
    const read = () => at.client().subscriptions.retrieve(one.subscriptionId)
    const asked = await person.visit(`${path}/cancel`)
    expect([asked.status, (await read()).cancel_at_next_billing_date]).toEqual([200, false])
    for (const _ of ['once', 'twice']) {
      const ended = await person.send(`${path}/cancel`, {})
      expect([ended.status, ended.location]).toEqual([303, path.split('/subscriptions')[0]])
    }
    expect(await read()).toMatchObject({ cancel_at_next_billing_date: true, status: 'active' })
    await person.send(`${path}/keep`, {})
    expect((await read()).cancel_at_next_billing_date).toBe(false)
  })

  it('ends a subscription that is paused at once', async () => {
    const paused = await subscriber(at)
    await at.client().subscriptions.update(paused.subscriptionId, { status: 'paused' })
    const person = shopper(at)
    const path = await linkOf(paused.customerId)
    const end = `${path}/subscriptions/${paused.subscriptionId}/cancel`
    expect((await person.visit(path)).text).toContain(`href="${end}"`)
    expect((await person.visit(end, { 'Accept-Language': 'en' })).text).toContain('now?')
    expect((await person.send(end, {})).status).toBe(303)
    const ended = await at.client().subscriptions.retrieve(paused.subscriptionId)
    expect(ended.status).toBe('cancelled')
    expect((await person.visit(path)).text).not.toContain(`href="${end}"`)
  })

  it('changes the plan to those that its collection shows, and to no other', async () => {
    const { one: mine, otherId, hiddenId } = await planned()
    const person = shopper(at)
    const path = `${await linkOf(mine.customerId)}/subscriptions/${mine.subscriptionId}/plan`
    const offered = await person.visit(path)
    expect(offered.text).toContain(otherId)
    expect(offered.text).not.toContain(hiddenId)
    for (const productId of [hiddenId, mine.productId, 'pdt_none', '']) {
      const refused = await person.send(path, { product_id: productId })
      expect(refused.status, productId).toBe(404)
    }
    expect((await onceMeasured(() => person.send(path, { product_id: otherId }))).status).toBe(303)
    const now = await at.client().subscriptions.retrieve(mine.subscriptionId)
    expect(now.product_id).toBe(otherId)
  })

  it('is refused to keys that may only read, for other customers, and for odd addresses', async () => {
    const target = `/customers/${one.customerId}/customer-portal/session` as const
    const status = async (query: string, options = {}) =>
      (await at.call(`POST ${target}${query}`, options)).status
    expect(await status('', { key: at.keys.read })).toBe(403)
    expect(await status('', { key: at.keys.live, live: true })).toBe(404)
    expect(await status('?return_url=javascript:alert(1)')).toBe(422)
    expect(await status(`?return_url=https://a.example/${'x'.repeat(1000)}`)).toBe(422)
    expect(await status('?send_email=maybe')).toBe(422)
    expect(await status('?send_email=true')).toBe(200)
    expect((await at.call('POST /customers/cus_none/customer-portal/session')).status).toBe(404)
  })

  it('closes after a day of the business', async () => {
    const person = shopper(at)
    const path = await linkOf(one.customerId)
    const advance = (by: string) =>
      onceMeasured(() => at.call('POST /clock/advance', { body: { by } }))
    expect((await advance('PT23H59M')).status).toBe(200)
    expect((await person.visit(path)).status).toBe(200)
    expect((await advance('PT1M')).status).toBe(200)
    const late = await person.visit(path, { 'Accept-Language': 'en' })
    expect([late.status, late.text.includes('has expired')]).toEqual([410, true])
  })
})
