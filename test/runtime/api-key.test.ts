import { describe, expect, it } from 'vitest'
import { mayBeApiKey, newApiKey } from '../../src/runtime/api-key.ts'

describe('an API key', () => {
  const key = newApiKey('test', 'write')

  it('carries a checksum, which a made-up one gets wrong', () => {
    expect(mayBeApiKey(key)).toBe(true)
    expect(mayBeApiKey(newApiKey('live', 'read'))).toBe(true)
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x'
      expect(mayBeApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }
  })

  it('of the first ones, which had none, stays one', () => {
    expect(mayBeApiKey(key.slice(0, -6))).toBe(true)
  })

  it.each([
    '',
    'nonsense',
    'slc_test_rw_',
    'slc_test_rw_nonsense',
    `${key}x`,
    key.slice(0, -1),
    `slc_prod_rw_${'a'.repeat(43)}`,
    `slc_test_rw_${'ä'.repeat(43)}`,
  ])('is not %j', (text) => {
    expect(mayBeApiKey(text)).toBe(false)
  })
})
