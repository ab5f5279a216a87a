import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import type { LicenseKey } from '../../../src/rules/commerce/licenses/license-key.ts'
import { changedLicenseKey } from '../../../src/rules/commerce/licenses/license-key.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { base, oneTime } from '../../support/wire/products.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
  catalog.clock.at = 1_800_000_000_000_000 as never
})
afterAll(() => catalog.drop())

let number = 0
const newKey = () => {
  number += 1
  return `KEY-${number}`
}

async function seller() {
  const { id, call } = await catalog.business()
  const customer = (await call('POST /customers', { email: 'a@example.com', name: 'Ada' })).body
  const product = (await call('POST /products', { ...base, price: oneTime })).body.product_id
  const of = { customer_id: customer.customer_id, product_id: product }
  const imported = (more: object = {}) =>
    call('POST /license_keys', { ...of, key: newKey(), ...more })
  return { id, call, of, imported }
}

const later = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000).toISOString()

describe('license keys', () => {
  it('are imported, read, listed newest first, and changed', async () => {
    const { id, call, of, imported } = await seller()
    const made = await imported({ activations_limit: 2 })
    expect(made).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^lic_[\w-]{21}$/),
        business_id: id,
        brand_id: id,
        ...of,
        key: `KEY-${number}`,
        payment_id: null,
        subscription_id: null,
        source: 'import',
        status: 'active',
        activations_limit: 2,
        instances_count: 0,
        expires_at: null,
        created_at: '2027-01-15T08:00:00.000000Z',
      },
    })
    const path = `/license_keys/${made.body.id}` as const
    expect(await call(`GET ${path}`)).toEqual(made)
    const disabled = await call(`PATCH ${path}`, { disabled: true, activations_limit: null })
    expect(disabled.body).toMatchObject({ status: 'disabled', activations_limit: null })
    expect((await call(`PATCH ${path}`, { disabled: null })).body['status']).toBe('disabled')
    expect((await call(`PATCH ${path}`, { disabled: false })).body['status']).toBe('active')
    const over = await call(`PATCH ${path}`, { expires_at: later(-1) })
    expect(over.body).toMatchObject({ status: 'expired', expires_at: expect.any(String) })
    expect((await call('GET /license_keys?status=expired')).body.items).toEqual([over.body])
    expect((await call('GET /license_keys?status=active')).body.items).toEqual([])
    expect((await call(`PATCH ${path}`, { expires_at: null })).body['status']).toBe('active')
    expect((await call('GET /license_keys?status=active&source=import')).body.items).toHaveLength(1)
    const queries = [
      `customer_id=${of.customer_id}`,
      `product_id=${of.product_id}`,
      `created_at_gte=${later(0)}&created_at_lte=${later(0)}`,
    ]
    for (const query of queries) {
      expect((await call(`GET /license_keys?${query}`)).body.items, query).toHaveLength(1)
    }
    for (const query of [
      'customer_id=x',
      'product_id=x',
      'source=auto',
      `created_at_gte=${later(1)}`,
    ]) {
      expect((await call(`GET /license_keys?${query}`)).body.items, query).toEqual([])
    }
    for (const query of ['status=gone', 'source=x', 'created_at_gte=x', 'page_size=101']) {
      expect((await call(`GET /license_keys?${query}`)).status, query).toBe(422)
    }
  })

  it('are one over all businesses of a mode, and nobody else’s', async () => {
    const { call, of, imported } = await seller()
    const made = (await imported()).body
    const other = await seller()
    const clash = { ...other.of, key: made['key'] }
    expect((await other.call('POST /license_keys', clash)).status).toBe(409)
    expect((await call('POST /license_keys', { ...of, key: made['key'] })).status).toBe(409)
    expect((await other.call(`GET /license_keys/${made.id}`)).status).toBe(404)
    expect((await other.call(`PATCH /license_keys/${made.id}`, { disabled: true })).status).toBe(
      404,
    )
    const live = call.as({ mode: 'live' })
    expect((await live(`GET /license_keys/${made.id}`)).status).toBe(404)
    expect((await other.call('POST /license_keys', { ...of, key: newKey() })).status).toBe(404)
    const wrong = [
      { key: '' },
      { key: 'k'.repeat(256) },
      { activations_limit: 0 },
      { expires_at: 'x' },
    ]
    for (const each of wrong) expect((await imported(each)).status, JSON.stringify(each)).toBe(422)
  })

  it('are activated as often as they may be, and freed', async () => {
    const { id, call, of, imported } = await seller()
    const { id: licenseKeyId, key } = (await imported({ activations_limit: 2 })).body
    const activate = (name: string) => call('POST /licenses/activate', { license_key: key, name })
    const first = await activate('Laptop')
    expect(first).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^lki_[\w-]{21}$/),
        business_id: id,
        license_key_id: licenseKeyId,
        name: 'Laptop',
        created_at: '2027-01-15T08:00:00.000000Z',
        customer: expect.objectContaining({ customer_id: of.customer_id, name: 'Ada' }),
        product: { product_id: of.product_id, name: base.name },
      },
    })
    expect((await activate('Laptop')).status).toBe(201)
    expect(await activate('Desk')).toMatchObject({
      status: 422,
      body: { code: 'LICENSE_KEY_LIMIT_REACHED' },
    })
    const limit = await call(`PATCH /license_keys/${licenseKeyId}`, { activations_limit: 1 })
    expect(limit).toMatchObject({
      status: 422,
      body: { code: 'ACTIVATION_LIMIT_LESS_THAN_CURRENT_AMOUNT' },
    })
    const { instance_id: _, ...listed } = (
      await call(`GET /license_key_instances?license_key_id=${licenseKeyId}`)
    ).body
    expect(listed.items).toHaveLength(2)
    const instance = `/license_key_instances/${first.body.id}` as const
    expect((await call(`PATCH ${instance}`, { name: 'Old' })).body['name']).toBe('Old')
    expect((await call(`PATCH ${instance}`, { name: '' })).status).toBe(422)
    const freed = { license_key: key, license_key_instance_id: first.body.id }
    expect((await call('POST /licenses/deactivate', freed)).status).toBe(204)
    expect((await call('POST /licenses/deactivate', freed)).status).toBe(404)
    expect((await call(`GET ${instance}`)).status).toBe(404)
    expect((await activate('Desk')).status).toBe(201)
    expect((await call(`GET /license_keys/${licenseKeyId}`)).body['instances_count']).toBe(2)
  })

  it('let one of several at once have the last place', async () => {
    const { call, imported } = await seller()
    const { id, key } = (await imported({ activations_limit: 3 })).body
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        call('POST /licenses/activate', { license_key: key, name: `n${index}` }),
      ),
    )
    expect(all.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(all.filter(({ status }) => status === 422)).toHaveLength(9)
    expect((await call(`GET /license_keys/${id}`)).body['instances_count']).toBe(3)
    expect((await call(`GET /license_key_instances?license_key_id=${id}`)).body.items).toHaveLength(
      3,
    )
  })

  it('tell programs whether they are valid, and of an unknown key no more than of a wrong one', async () => {
    const { call, imported } = await seller()
    const [mine, other] = [(await imported()).body, (await imported()).body]
    const valid = async (license_key: unknown, license_key_instance_id?: unknown) =>
      (await call('POST /licenses/validate', { license_key, license_key_instance_id })).body[
        'valid'
      ]
    const activated = await call('POST /licenses/activate', { license_key: mine['key'], name: 'n' })
    expect(await valid(mine['key'])).toBe(true)
    expect(await valid(mine['key'], null)).toBe(true)
    expect(await valid(mine['key'], activated.body.id)).toBe(true)
    expect(await valid(other['key'], activated.body.id)).toBe(false)
    expect(await valid(mine['key'], 'lki_none')).toBe(false)
    expect(await valid('none')).toBe(false)
    const live = call.as({ mode: 'live' })
    expect(
      (await live('POST /licenses/validate', { license_key: mine['key'] })).body,
    ).toMatchObject({ valid: false })
    await call(`PATCH /license_keys/${mine.id}`, { disabled: true })
    expect(await valid(mine['key'])).toBe(false)
    expect(
      await call('POST /licenses/activate', { license_key: mine['key'], name: 'n' }),
    ).toMatchObject({ status: 403, body: { code: 'INACTIVE_LICENSE_KEY' } })
    expect(await call('POST /licenses/activate', { license_key: 'none', name: 'n' })).toMatchObject(
      {
        status: 404,
        body: { code: 'LICENSE_KEY_NOT_FOUND' },
      },
    )
    const notMine = { license_key: other['key'], license_key_instance_id: activated.body.id }
    expect(await call('POST /licenses/deactivate', notMine)).toMatchObject({
      status: 403,
      body: { code: 'LICENSE_KEY_NOT_FOUND' },
    })
    // The place of a key that is not active is freed all the same.
    const freed = { license_key: mine['key'], license_key_instance_id: activated.body.id }
    expect((await call('POST /licenses/deactivate', freed)).status).toBe(204)
    for (const body of [{}, { license_key: 1 }, { license_key: '' }, { license_key: 'a\u0000' }]) {
      expect((await call('POST /licenses/validate', body)).status).toBe(422)
      expect((await call('POST /licenses/activate', body)).status).toBe(422)
    }
  })

  it('keep their places counted, whatever is written', async () => {
    const { id, call, imported } = await seller()
    const made = (await imported({ activations_limit: 1 })).body
    const scope = { businessId: id, mode: 'test' } as const
    const was = (await catalog.licenseKeys.get(scope, made.id)) as LicenseKey
    const change = changedLicenseKey(was, {}, was.updatedAt)
    const wrong = { ...change, instancesCount: 2 }
    const row = { noun: 'license_key', expected: was.updatedAt, row: wrong } as const
    await expect(catalog.changes.commit(rowAlone(scope, row))).rejects.toThrow()
    expect((await call(`GET /license_keys/${made.id}`)).body['instances_count']).toBe(0)
  })
})
