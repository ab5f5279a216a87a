import type DodoPayments from 'dodopayments'
import { describe, expect, it } from 'vitest'
import { openReceiver } from '../../support/webhooks/receiver.ts'
import { at } from '../here.ts'
import { fresh } from '../plan.ts'
import { checkout, latestOf, pack, pays, shopper } from '../shopper.ts'

const digital = (more: object = {}) =>
  at.client().entitlements.create({
    name: fresh('book'),
    integration_type: 'digital_files',
    integration_config: { digital_file_ids: [], instructions: 'Read it.', ...more },
  })

const form = (...files: readonly (readonly [name: string, text: string])[]) => {
  const body = new FormData()
  for (const [name, text] of files) body.append('file', new Blob([text]), name)
  return body
}

/** Somebody who has paid for a product that brings these. */
async function buyer(entitlementIds: readonly string[], productId?: string) {
  const id = productId ?? (await pack(at)).productId
  const attached = entitlementIds.map((entitlement_id) => ({ entitlement_id }))
  if (attached.length > 0) await at.client().products.update(id, { entitlements: attached })
  const session = await checkout(at, id)
  await shopper(at).pay(session.session_id, pays)
  return { productId: id, ...(await latestOf(at, session.session_id)) }
}

const grantsOf = async (id: string) => (await at.client().entitlements.grants.list(id)).items

const get = (url: string, headers: Readonly<Record<string, string>> = {}) => fetch(url, { headers })

describe('files that are sold [entitlements#downloads]', () => {
  it('are had by whoever paid, in parts, as long as the grant lives', async () => {
    const { id } = await digital()
    const name = 'Übersicht “1”.txt'
    const text = '0123456789'.repeat(20_000)
    const { file_id } = await at
      .client()
      .entitlements.files.upload(id, { body: form([name, text]) })
    const paid = await buyer([id])
    const [grant] = await grantsOf(id)
    expect(grant).toMatchObject({
      status: 'Delivered',
      payment_id: paid.payment_id,
      digital_product_delivery: {
        instructions: 'Read it.',
        files: [{ file_id, filename: name, file_size: text.length, expires_in: 900 }],
      },
    })
    const url = grant?.digital_product_delivery?.files[0]?.download_url ?? ''
    const whole = await get(url)
    expect([whole.status, (await whole.text()) === text]).toEqual([200, true])
    expect(whole.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
    const part = await get(url, { Range: 'bytes=5-14' })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      '5678901234',
      `bytes 5-14/${text.length}`,
    ])
    const last = await get(url, { Range: 'bytes=-3' })
    expect([last.status, await last.text()]).toEqual([206, '789'])
    expect((await get(url, { Range: 'bytes=200000-' })).status).toBe(416)
    const changed = await get(url, { Range: 'bytes=0-1', 'If-Range': '"other"' })
    expect(changed.status).toBe(200)
    await changed.arrayBuffer()
    expect((await get(`${url}x`)).status).toBe(403)
    await at.client().refunds.create({ payment_id: paid.payment_id })
    expect((await get(url)).status).toBe(403)
    expect((await grantsOf(id))[0]).toMatchObject({
      status: 'Revoked',
      revocation_reason: 'refund',
      digital_product_delivery: null,
    })
    // The seller's own link goes with the file.
    const read = await at.client().entitlements.retrieve(id)
    const config = read.integration_config as {
      digital_files: { files: { download_url: string }[] }
    }
    const own = config.digital_files.files[0]?.download_url ?? ''
    expect((await get(own)).status).toBe(200)
    await at.client().entitlements.files.delete(file_id, { id })
    expect((await get(own)).status).toBe(404)
  })

  it('are said of their payment, wherever it is told', async () => {
    const receiver = await openReceiver()
    const client = at.client()
    const filter_types: DodoPayments.WebhookEventType[] = ['payment.succeeded']
    const endpoint = await client.webhooks.create({ url: receiver.url, filter_types })
    try {
      const { id } = await digital()
      const paid = await buyer([id])
      const other = await buyer([])
      await client.refunds.create({ payment_id: paid.payment_id })
      const wanted = { [paid.payment_id]: true, [other.payment_id]: false }
      type Said = Pick<DodoPayments.Payment, 'digital_products_delivered' | 'payment_id'>
      const said = (payments: readonly Said[]) =>
        Object.fromEntries(
          payments
            .filter(({ payment_id }) => payment_id in wanted)
            .map((each) => [each.payment_id, each.digital_products_delivered]),
        )
      expect(said((await client.payments.list({ page_size: 100 })).items)).toEqual(wanted)
      const read = Object.keys(wanted).map((one) => client.payments.retrieve(one))
      expect(said(await Promise.all(read))).toEqual(wanted)
      const told = () => said(receiver.received.map(({ body }) => JSON.parse(body).data))
      await expect.poll(told, { timeout: 20_000 }).toEqual(wanted)
    } finally {
      await client.webhooks.delete(endpoint.id)
      await receiver.close()
    }
  })

  it('stay of the kind that they are', async () => {
    const { id } = await digital()
    const body = { integration_type: 'feature_flag' }
    const { body: answer, status } = await at.call(`PATCH /entitlements/${id}`, { body })
    expect([status, answer.message]).toEqual([422, 'integration_type cannot be changed.'])
  })

  it('come as a form with one file, or not at all', async () => {
    const { id } = await digital()
    const send = async (
      body: RequestInit['body'],
      headers: Readonly<Record<string, string>> = {},
    ) => {
      const answer = await fetch(`${at.url()}/entitlements/${id}/files`, {
        method: 'POST',
        body,
        headers: { Authorization: `Bearer ${at.keys.write}`, ...headers },
      } as RequestInit)
      await answer.text()
      return answer.status
    }
    const boundary = { 'Content-Type': 'multipart/form-data; boundary=b' }
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    expect(await send(form(['a', '1'], ['b', '2']))).toBe(422)
    expect(await send(new FormData())).toBe(422)
    expect(await send('{}', { 'Content-Type': 'application/json' })).toBe(415)
    expect(await send(`${head}cut short`, boundary)).toBe(422)
    expect(await send('nothing of the kind', boundary)).toBe(422)
    expect(await send(form(['a', '1']), { Authorization: `Bearer ${at.keys.read}` })).toBe(403)
    const other = await at.client().entitlements.create({
      name: fresh('flag'),
      integration_type: 'feature_flag',
      integration_config: { feature_id: 'beta', feature_type: 'boolean' },
    })
    const upload = (to: string) =>
      at.client().entitlements.files.upload(to, { body: form(['a', '1']) })
    await expect(upload(other.id)).rejects.toMatchObject({ status: 422 })
    await expect(upload('ent_none')).rejects.toMatchObject({ status: 404 })
    const { digital_files: held } = (await at.client().entitlements.retrieve(id))
      .integration_config as { digital_files: { files: unknown[] } }
    expect(held.files).toEqual([])
  })

  it('of a product itself are an entitlement of its own [entitlements#files-of-a-product]', async () => {
    const { productId } = await pack(at)
    const client = at.client()
    const offered = await client.products.updateFiles(productId, { file_name: 'guide.pdf' })
    const put = () =>
      fetch(offered.url, {
        method: 'PUT',
        body: 'a guide',
        headers: { 'Content-Type': 'application/pdf' },
      })
    expect((await put()).status).toBe(200)
    expect((await put()).status).toBe(200)
    const different = await fetch(offered.url, { method: 'PUT', body: 'another' })
    expect(different.status).toBe(409)
    await client.products.update(productId, {
      digital_product_delivery: { files: [offered.file_id], instructions: 'Print it.' },
    })
    const product = await client.products.retrieve(productId)
    expect(product.digital_product_delivery).toMatchObject({
      instructions: 'Print it.',
      files: [{ file_id: offered.file_id, filename: 'guide.pdf', content_type: 'application/pdf' }],
    })
    const sold = await client.productCollections.create({
      name: 'Guides',
      groups: [{ products: [{ product_id: productId }] }],
    })
    expect(sold.groups[0]?.products[0]?.files_count).toBe(1)
    const [own] = product.entitlements
    await buyer([], productId)
    const [grant] = await grantsOf(own?.id ?? '')
    const url = grant?.digital_product_delivery?.files[0]?.download_url ?? ''
    expect(await (await get(url)).text()).toBe('a guide')
    await client.products.update(productId, { digital_product_delivery: null })
    const after = await client.products.retrieve(productId)
    expect([after.digital_product_delivery, after.entitlements]).toEqual([null, []])
    expect((await get(url)).status).toBe(200)
    const unknown = { digital_product_delivery: { files: ['none'] } }
    await expect(client.products.update(productId, unknown)).rejects.toMatchObject({ status: 422 })
  })
})

describe('entitlements [entitlements#kinds]', () => {
  it('take the config of their type, and no other', async () => {
    const refused = [
      ['feature_flag', { feature_id: 'beta' }],
      ['feature_flag', { feature_id: 'beta', feature_type: 'number' }],
      ['license_key', { feature_id: 'beta', feature_type: 'boolean' }],
      ['license_key', { duration_count: 3 }],
      ['github', { target_id: 'a/b', permission: 'own' }],
      ['digital_files', { digital_file_ids: ['none'] }],
      ['slack', {}],
    ] as const
    for (const [integration_type, integration_config] of refused) {
      const body = { name: 'A', integration_type, integration_config }
      const answer = await at.call('POST /entitlements', { body })
      expect(answer.status, JSON.stringify(body)).toBe(422)
    }
    const github = await at.client().entitlements.create({
      name: fresh('code'),
      integration_type: 'github',
      integration_config: { target_id: 'a/b', permission: 'pull' },
    })
    expect(github).toMatchObject({
      is_active: true,
      integration_config: { target_id: 'a/b', permission: 'pull' },
    })
    const paid = await buyer([github.id])
    const [grant] = await grantsOf(github.id)
    expect(grant).toMatchObject({ status: 'Pending', oauth_url: null })
    const { customer_id } = paid.customer
    const { items: short } = await at.client().customers.listEntitlements(customer_id)
    expect(short).toMatchObject([
      { grant_id: grant?.id, entitlement_name: github.name, status: 'pending' },
    ])
    const listed = async (query: object) =>
      (await at.client().customers.listEntitlementGrants(customer_id, query)).items
    expect(await listed({ status: 'Pending', integration_type: 'github' })).toEqual([grant])
    expect(await listed({ integration_type: 'discord' })).toEqual([])
    const path = `/grants/${grant?.id}/fulfillment` as const
    const body = { status: 'Delivered' }
    const heard = await at.call(`POST ${path}`, { body })
    expect([heard.status, heard.body['status']]).toEqual([200, 'Delivered'])
    const key = await at.call(`POST /grants/${grant?.id}/license-key`, { body: { key: 'A' } })
    expect(key.status).toBe(409)
    await at.client().entitlements.delete(github.id)
    await expect(at.client().entitlements.retrieve(github.id)).rejects.toMatchObject({
      status: 404,
    })
    const again = await checkout(at, paid.productId)
    expect((await shopper(at).pay(again.session_id, pays)).status).toBe(303)
    const update = { entitlements: [{ entitlement_id: 'ent_none' }] }
    await expect(at.client().products.update(paid.productId, update)).rejects.toMatchObject({
      status: 404,
    })
  })
})
