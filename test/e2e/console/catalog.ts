import { describe, expect, it } from 'vitest'
import { pictures } from '../../support/files/pictures.ts'
import { at, here, items } from './here.ts'

const png = pictures['image/png']

describe('images in the console', () => {
  const put = (who: typeof here.owner, path: string, bytes: Buffer) =>
    fetch(`${at.base()}/console/api/${path}`, {
      method: 'PUT',
      headers: { 'Sluice-Console': '1', Cookie: who.cookie ?? '', 'Content-Type': 'image/png' },
      body: new Uint8Array(bytes),
    })

  it('are taken and shown in both modes, of the own business alone', async () => {
    const made = await here.owner.call('POST /live/brands', { body: { name: 'Pictured' } })
    const brand = String(made.body['brand_id'])
    for (const [mode, path, of] of [
      ['test', `product/${here.shop.product}`, `products/${here.shop.product}`],
      ['live', `brand/${brand}`, `brands/${brand}`],
    ] as const) {
      expect([mode, (await put(here.owner, `${mode}/images/${path}`, png)).status]).toEqual([
        mode,
        204,
      ])
      const { body } = await here.viewer.call(`GET /${mode}/${of}`)
      const id = String(body['image']).split('/').at(-1)
      const image = await here.viewer.call(`GET /${mode}/images/${id}`)
      expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png'])
      expect(image.headers['content-security-policy']).toContain('sandbox')
      const other = mode === 'test' ? 'live' : 'test'
      expect((await here.viewer.call(`GET /${other}/images/${id}`)).status).toBe(404)
      expect((await here.stranger.call(`GET /${mode}/images/${id}`)).status).toBe(404)
      expect((await at.nobody().call(`GET /${mode}/images/${id}`)).status).toBe(401)
    }
  })

  it('are no way to another business, nor for viewers, nor for what is no image', async () => {
    const path = `test/images/product/${here.shop.product}`
    expect((await put(here.viewer, path, png)).status).toBe(403)
    expect((await put(here.stranger, path, png)).status).toBe(404)
    expect((await put(here.owner, path, Buffer.from('<script>1</script>'))).status).toBe(415)
    expect((await put(here.owner, path, Buffer.alloc(4 * 1024 * 1024))).status).toBe(413)
    for (const odd of ['customer', 'constructor', '%00']) {
      const target = `test/images/${odd}/${here.shop.product}`
      expect([odd, (await put(here.owner, target, png)).status]).toEqual([odd, 404])
    }
  })
})

describe('any id', () => {
  it('that the API reads below another is found alone, of the own business and mode', async () => {
    const body = { amount: 900, currency: 'USD' }
    const product = `/test/products/${here.shop.dearer}`
    await here.owner.call(`PATCH ${product}`, { body: { pricing_mode: 'by_currency' } })
    const price = await here.owner.call(`POST ${product}/localized-prices`, { body })
    const [methods, keys, messages] = await Promise.all([
      here.owner.call(`GET /test/customers/${here.shop.customer}/payment-methods`),
      here.owner.call('GET /test/keys'),
      here.owner.call(`GET /test/webhooks/${here.shop.webhook}/messages`),
    ])
    const found = [
      price.body['id'],
      items(methods)[0]?.['payment_method_id'],
      items(keys)[0]?.['key_id'],
      items(messages)[0]?.['id'],
    ]
    for (const id of found) {
      expect([id, (await here.viewer.call(`GET /test/things/${id}`)).text]).toEqual([
        id,
        expect.stringContaining(String(id)),
      ])
      expect([id, (await here.viewer.call(`GET /live/things/${id}`)).status]).toEqual([id, 404])
      expect([id, (await here.stranger.call(`GET /test/things/${id}`)).status]).toEqual([id, 404])
    }
    for (const odd of ['constructor', '__proto___x', 'pm_', '%00', 'entg_x', 'cus_x']) {
      expect([odd, (await here.owner.call(`GET /test/things/${odd}`)).status]).toEqual([odd, 404])
    }
  })
})
