import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { canReadPdf, dotsOf, textOf } from '../support/papers/pdf-text.ts'
import { pngOf } from '../support/papers/png.ts'
import { describedWorld } from './described-world.ts'
import { fresh } from './plan.ts'
import { checkout, latestOf, onePaid, pack, pays, shopper } from './shopper.ts'

const at = describedWorld()

describe('a credit note', () => {
  it('is issued when a refund succeeds, and names its invoice [invoices#credit-notes]', async () => {
    const { payment_id: id } = await onePaid(at)
    const { invoice_id: invoiceId } = await at.client().payments.retrieve(id)
    const refund = await at.client().refunds.create({ payment_id: id })
    const pdf = await file(`${at.url()}/invoices/refunds/${refund.refund_id}`, key())
    expect(pdf.status).toBe(200)
    expect(pdf.headers.get('content-disposition')).toMatch(/^inline; filename="CRN-\d{6}\.pdf"$/)
    const again = await file(`${at.url()}/invoices/refunds/${refund.refund_id}`, key())
    expect(again.bytes.equals(pdf.bytes)).toBe(true)
    const { invoice_url: url } = await at.client().payments.retrieve(id)
    const token = new URL(url ?? '').searchParams.get('token') ?? ''
    const link = `${at.url()}/invoices/refunds/${refund.refund_id}?token=${token}`
    expect((await file(link, from(4))).status).toBe(401)
    for (const path of ['refunds/ref_x', `refunds/${id}`, 'payouts/pyt_x']) {
      expect((await at.call(`GET /invoices/${path}`)).status).toBe(404)
    }
    if (canReadPdf) expect(textOf(pdf.bytes)).toMatch(new RegExp(`Credit note.*${invoiceId}`, 's'))
  })
})

describe('an invoice', () => {
  it('is a PDF, by key and by its link, the same each time [invoices#pdf, invoices#links]', async () => {
    // Five a second: the papers before this one may have been as many.
    await sleep(1_000)
    const { id, url } = await paid()
    const byKey = await file(`${at.url()}/invoices/payments/${id}`, key())
    expect(byKey.status).toBe(200)
    expect(byKey.bytes.subarray(0, 8).toString('latin1')).toBe('%PDF-1.7')
    expect(byKey.headers.get('content-type')).toBe('application/pdf')
    expect(byKey.headers.get('content-disposition')).toMatch(/^inline; filename="INV-\d{6}\.pdf"$/)
    const byLink = await file(url, from(1))
    expect([byLink.status, byLink.bytes.equals(byKey.bytes)]).toEqual([200, true])
    const etag = byKey.headers.get('etag') ?? ''
    const again = await file(url, { ...from(1), 'If-None-Match': etag })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    const readOnly = await file(`${at.url()}/invoices/payments/${id}`, key(at.keys.read))
    expect([readOnly.status, readOnly.bytes.equals(byKey.bytes)]).toEqual([200, true])
    const client = await at.client().invoices.payments.retrieve(id)
    expect(Buffer.from(await client.arrayBuffer()).equals(byKey.bytes)).toBe(true)
  })

  it('stays as it was issued, whatever becomes of its brand', async () => {
    const client = at.client()
    const brand = await client.brands.create({ name: fresh('Issued') })
    await wears(brand.brand_id, red)
    const product = await client.products.create({
      brand_id: brand.brand_id,
      name: fresh('paper'),
      tax_category: 'saas',
      price: onceFor(1234),
    })
    const [read, unread] = [await paid(product.product_id), await paid(product.product_id)]
    const before = await file(read.url, from(2))
    await client.brands.update(brand.brand_id, { name: fresh('Renamed'), image_id: null })
    await client.products.update(product.product_id, { name: fresh('another'), price: onceFor(99) })
    await at.restart('SIGKILL')
    const after = await file(moved(read.url), from(2))
    expect([after.status, after.bytes.equals(before.bytes)]).toEqual([200, true])
    // This one is drawn only now.
    const late = await file(moved(unread.url), from(2))
    if (!canReadPdf) return
    const logos = [before, late].map(({ bytes }) => dotsOf(bytes)(52, 52))
    expect(logos).toEqual(['255 0 0', '255 0 0'])
    expect(textOf(late.bytes)).toMatch(/Issued.*paper.*€12\.34/s)
    expect(textOf(late.bytes)).not.toMatch(/Renamed|another|€0\.99/)
  })

  it('is there once its payment has succeeded, and no sooner', async () => {
    const { productId } = await pack(at)
    const session = await checkout(at, productId)
    await shopper(at).pay(session.session_id, '4000000000000002')
    const failed = await latestOf(at, session.session_id)
    expect([failed.status, failed.invoice_id, failed.invoice_url]).toEqual(['failed', null, null])
    const answer = await at.call(`GET /invoices/payments/${failed.payment_id}`)
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
    expect((await at.call('GET /invoices/payments/pay_x')).status).toBe(404)
  })

  it('opens to nobody else [invoices#links]', async () => {
    const { id, url } = await paid()
    const other = await paid()
    const token = new URL(url).searchParams.get('token') ?? ''
    assert(token.length > 40)
    const links = [
      // Of another invoice; altered; cut; with more; of another spelling; none; none at all.
      `/invoices/payments/${other.id}?token=${token}`,
      `/invoices/payments/${id}?token=${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `/invoices/payments/${id}?token=${token.slice(0, -4)}`,
      `/invoices/payments/${id}?token=${token}AAAA`,
      `/invoices/payments/${id}?token=${token}%3D`,
      `/invoices/payments/${id}?token=`,
      `/invoices/payments/${id}`,
      `/invoices/payments/pay_x?token=${token}`,
    ]
    for (const [index, link] of links.entries()) {
      expect([link, (await file(at.url() + link, from(20 + index))).status]).toEqual([link, 401])
    }
    const live = new URL(url)
    live.host = new URL(at.url('live')).host
    expect((await file(live.href, from(3))).status).toBe(401)
    // A key is judged, whatever stands beside it.
    expect((await file(url, { ...from(3), ...key('sk_test_wrong') })).status).toBe(401)
    const liveKey = await file(`${at.url('live')}/invoices/payments/${id}`, key(at.keys.live))
    expect(liveKey.status).toBe(404)
  })

  it('has the next number, without gaps, however many are paid at once [invoices#numbers]', async () => {
    const { productId } = await pack(at)
    const first = numberOf(await paidFor(productId))
    const sessions = await Promise.all(Array.from({ length: 12 }, () => checkout(at, productId)))
    // A declined card takes no number.
    await Promise.all(
      sessions.map(async ({ session_id: id }, index) => {
        if (index % 3 === 0) await shopper(at).pay(id, '4000000000000002')
        await shopper(at).pay(id, pays)
      }),
    )
    const payments = await Promise.all(sessions.map(({ session_id: id }) => latestOf(at, id)))
    const numbers = payments.map((payment) => numberOf(payment.invoice_id ?? '')).sort(byNumber)
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, index) => first + 1 + index))
    const { items } = await at
      .client()
      .payments.list({ product_id: productId, status: 'succeeded' })
    const [newest] = items
    assert(newest !== undefined)
    const one = await at.client().payments.retrieve(newest.payment_id)
    expect([newest.invoice_id, newest.invoice_url]).toEqual([one.invoice_id, one.invoice_url])
  })

  it('has windows of its own for keys and for addresses [requests#limits]', async () => {
    const { id, url } = await paid()
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await file(url, from(99))).status),
    )
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    const many = await Promise.all(
      Array.from({ length: 35 }, () => file(`${at.url()}/invoices/payments/${id}`, key())),
    )
    const refused = many.find(({ status }) => status === 429)
    assert(refused !== undefined, 'thirty-five in a minute are too many')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(JSON.parse(refused.bytes.toString())).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    // What is no invoice is not held up. (Nothing that follows may ask for one by key.)
    expect((await at.call(`GET /payments/${id}`)).status).toBe(200)
  })
})

const onceFor = (price: number) => ({
  type: 'one_time_price' as const,
  currency: 'EUR' as const,
  price,
  discount: 0,
  purchasing_power_parity: false,
})

const byNumber = (a: number, b: number): number => a - b

const numberOf = (invoiceId: string): number => Number(/^INV-(\d+)$/.exec(invoiceId)?.[1])

async function paidFor(productId: string): Promise<string> {
  const session = await checkout(at, productId)
  await shopper(at).pay(session.session_id, pays)
  return (await latestOf(at, session.session_id)).invoice_id ?? ''
}

/** A payment that has just succeeded, and its link. */
async function paid(of?: string): Promise<{ readonly id: string; readonly url: string }> {
  const productId = of ?? (await pack(at)).productId
  const session = await checkout(at, productId)
  await shopper(at).pay(session.session_id, pays)
  const { invoice_url: url, payment_id: id } = await latestOf(at, session.session_id)
  assert(typeof url === 'string', 'a payment that succeeded has a link to its invoice')
  return { id, url }
}

/** After a restart the server listens elsewhere. */
const moved = (url: string): string => {
  const { pathname, search } = new URL(url)
  return at.url() + pathname + search
}

const key = (text = at.keys.write) => ({ Authorization: `Bearer ${text}` })

/** Somebody without a key, at an address of their own. */
const from = (last: number) => ({ 'X-Forwarded-For': `10.9.0.${last}` })

async function file(url: string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(url, { headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes }
}

const red = pngOf({
  width: 40,
  height: 40,
  bits: 8,
  color: 2,
  samples: Array.from({ length: 1_600 }, () => [255, 0, 0]),
})

async function wears(brandId: string, image: Uint8Array): Promise<void> {
  const { url } = await at.client().brands.updateImages(brandId)
  const { status } = await fetch(url, { method: 'PUT', body: Buffer.from(image) })
  assert.equal(status, 200)
}
