import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newSigningSecret, openSecrets } from '../../src/runtime/secrets.ts'

const key = randomBytes(32)
const secrets = openSecrets(key)
const plain = Buffer.from('a secret')

describe('sealed secrets', () => {
  it('open to what was sealed, and look different every time', () => {
    const [one, two] = [secrets.seal(plain, 'a'), secrets.seal(plain, 'a')]
    expect(Buffer.from(secrets.open(one, 'a'))).toEqual(plain)
    expect(Buffer.from(one)).not.toEqual(Buffer.from(two))
    expect(Buffer.from(one).includes(plain)).toBe(false)
    expect(secrets.open(secrets.seal(Buffer.alloc(0), 'a'), 'a')).toHaveLength(0)
  })

  it('do not open elsewhere, with another key, changed, cut or empty', () => {
    const sealed = Buffer.from(secrets.seal(plain, 'a'))
    expect(() => secrets.open(sealed, 'b')).toThrow('does not open')
    expect(() => openSecrets(randomBytes(32)).open(sealed, 'a')).toThrow('does not open')
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => secrets.open(changed, 'a')).toThrow('does not open')
      expect(() => secrets.open(sealed.subarray(0, at), 'a')).toThrow('does not open')
    }
  })

  it('need a key of 32 bytes', () => {
    expect(() => openSecrets(randomBytes(16))).toThrow('32 bytes')
    expect(newSigningSecret()).toHaveLength(32)
  })
})
