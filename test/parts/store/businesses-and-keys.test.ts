import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBusiness } from '../../../src/operations/businesses/create-business.ts'
import { createKey } from '../../../src/operations/businesses/create-key.ts'
import { limitBusiness } from '../../../src/operations/businesses/limit-business.ts'
import { revokeKey } from '../../../src/operations/businesses/revoke-key.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import { keys } from '../../../src/parts/store/postgres/catalog/keys.ts'
import { changes } from '../../../src/parts/store/postgres/changes/changes.ts'
import { hashOfApiKey } from '../../../src/runtime/api-key.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { instantOfMs, after as later, second } from '../../../src/std/instant.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

const noon = instantOfMs(Date.UTC(2026, 0, 31, 12))

describe('businesses and their keys', () => {
  let scratch: ScratchDatabase
  beforeAll(async () => {
    scratch = await scratchDatabase()
  })
  afterAll(() => scratch.drop())

  const ports = () => {
    const { db } = scratch
    return {
      businesses: businesses(db),
      keys: keys(db),
      changes: changes(db),
      newId: randomIds(),
      clock: { now: () => noon },
    }
  }
  const found = (...texts: string[]) => ports().keys.find(texts.map(hashOfApiKey))
  const acme = { name: 'Acme', rateTier: '1' }

  it('keeps a business with both modes', async () => {
    expect(await ports().businesses.any()).toBe(false)
    const id = await createBusiness(ports(), acme)
    expect(id).toMatch(/^bus_[\w-]{21}$/)
    expect(await ports().businesses.any()).toBe(true)
    expect(await ports().businesses.find(id)).toEqual({ businessId: id, ...acme, createdAt: noon })
    const modes = await scratch.db.query({
      text: 'select mode from business_modes where business_id = $1 order by mode',
      values: [id],
    })
    expect(modes).toEqual([{ mode: 'live' }, { mode: 'test' }])
  })

  it('changes the tier of a business that is there, and of no other', async () => {
    const id = await createBusiness(ports(), acme)
    await limitBusiness(ports(), { businessId: id, rateTier: '10/100' })
    expect((await ports().businesses.find(id))?.rateTier).toBe('10/100')
    const nobody = { businessId: 'bus_nobody', rateTier: '1' }
    await expect(limitBusiness(ports(), nobody)).rejects.toThrow(/no business with the id/)
    expect(await ports().businesses.find('bus_nobody')).toBeNull()
  })

  it.each([
    ['test', 'write', /^slc_test_rw_[\w-]{49}$/],
    ['live', 'read', /^slc_live_ro_[\w-]{49}$/],
  ] as const)('finds a key of mode %s and access %s by its hash', async (mode, access, form) => {
    const businessId = await createBusiness(ports(), acme)
    const { keyId, apiKey } = await createKey(ports(), { businessId, mode, access, name: null })
    expect(apiKey).toMatch(form)
    const [one] = await found(apiKey)
    expect(one).toEqual({
      keyId,
      businessId,
      mode,
      access,
      rateTier: '1',
      clockAheadUs: 0,
      backfillUs: 0,
      revoked: false,
    })
    expect(await found(`${apiKey}x`, apiKey, apiKey)).toEqual([null, one, one])
  })

  it('keeps no key, only its hash', async () => {
    const businessId = await createBusiness(ports(), acme)
    const request = { businessId, mode: 'test', access: 'write', name: 'CI' } as const
    const { apiKey } = await createKey(ports(), request)
    const rows = await scratch.db.query({
      text: 'select k::text as row from api_keys k',
      values: [],
    })
    expect(JSON.stringify(rows)).not.toContain(apiKey.slice(12))
  })

  it('lists keys newest first, and remembers when one was revoked', async () => {
    const businessId = await createBusiness(ports(), acme)
    const request = { businessId, mode: 'test', access: 'write', name: 'CI' } as const
    const first = await createKey(ports(), request)
    const clock = { now: () => later(noon, second) }
    const next = await createKey({ ...ports(), clock }, request)

    const at = later(noon, 5 * second)
    const revokedAt = (now: Instant) =>
      revokeKey({ ...ports(), clock: { now: () => now } }, first.keyId)
    expect(await revokedAt(at)).toBe(at)
    expect(await revokedAt(later(at, second))).toBe(at)
    expect((await found(first.apiKey))[0]?.revoked).toBe(true)
    await expect(revokeKey(ports(), 'key_nobody')).rejects.toThrow(/no key with the id/)

    const listed = await ports().keys.list(businessId)
    expect(listed.map((key) => [key.keyId, key.revokedAt])).toEqual([
      [next.keyId, null],
      [first.keyId, at],
    ])
  })

  it('makes no key for a business that is not there', async () => {
    const request = { businessId: 'bus_nobody', mode: 'test', access: 'write', name: null } as const
    await expect(createKey(ports(), request)).rejects.toThrow(/no business with the id/)
  })
})
