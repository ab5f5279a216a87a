import { describe, expect, it } from 'vitest'
import { openPasswords } from '../../../src/operations/users/passwords.ts'

/** Hashes nothing, and counts what it was asked for. */
function counted() {
  const asked: string[] = []
  const passwords = openPasswords({
    hashOfPassword: async (password) => `hash of ${password}`,
    isPassword: async (kept, password) => {
      asked.push(password)
      return kept === `hash of ${password}`
    },
  })
  return { asked, passwords }
}

describe('a password that somebody tries', () => {
  it('does the same work for somebody unknown, for one without a password, and for a wrong one', async () => {
    const { asked, passwords } = counted()
    expect(await passwords.matches('hash of right and long', 'right and long')).toBe(true)
    expect(await passwords.matches('hash of right and long', 'wrong and long')).toBe(false)
    expect(await passwords.matches(null, 'wrong and long')).toBe(false)
    expect(await passwords.matches(null, 'nobody has this as a password')).toBe(false)
    expect(asked).toHaveLength(4)
  })

  it('is never one that begins like the right one and goes on', async () => {
    const { passwords } = counted()
    const right = 'x'.repeat(200)
    expect(await passwords.matches(`hash of ${right}`, right)).toBe(true)
    expect(await passwords.matches(`hash of ${right}`, `${right}y`)).toBe(false)
  })
})
