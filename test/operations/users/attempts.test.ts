import { describe, expect, it } from 'vitest'
import { openAttempts } from '../../../src/operations/users/attempts.ts'
import { userLimits } from '../../../src/operations/users/user-limits.ts'
import { after, instantOf } from '../../../src/std/instant.ts'
import { clockOf } from '../../support/runtime/clock.ts'

const start = instantOf(1_700_000_000_000_000)

function world() {
  let now = start
  const attempts = openAttempts(clockOf(() => now))
  const from = (email: string, address: string, knownBrowser: string | null = null) => ({
    email,
    address,
    knownBrowser,
  })
  return {
    attempts,
    from,
    wait: (length: number) => {
      now = after(now, length)
    },
  }
}

describe('wrong passwords', () => {
  it('are bounded for a user from one address, until a while after the first', () => {
    const { attempts, from, wait } = world()
    const one = from('a@x', '1')
    for (let tried = 0; tried < userLimits.attemptsOfPairMax; tried += 1) {
      expect(attempts.take(one)).toBeNull()
      wait(1_000_000)
    }
    expect(attempts.take(one)).toBe(900 - userLimits.attemptsOfPairMax)
    expect(attempts.take(from('A@X', '1'))).not.toBeNull()
    expect(attempts.take(from('a@x', '2'))).toBeNull()
    expect(attempts.take(from('b@x', '1'))).toBeNull()
    wait(userLimits.attempts)
    expect(attempts.take(one)).toBeNull()
  })

  it('of a thousand addresses cannot keep out a browser that is known', () => {
    const { attempts, from } = world()
    const taken = Array.from({ length: 1_000 }, (_, index) =>
      attempts.take(from('a@x', `evil ${index}`)),
    )
    expect(taken.filter((wait) => wait === null)).toHaveLength(userLimits.attemptsOfUserMax)
    expect(attempts.take(from('a@x', 'evil 1', 'cse_1'))).toBeNull()
    expect(attempts.take(from('b@x', '1'))).toBeNull()
  })

  it('are bounded for an address, whomever they are for', () => {
    const { attempts, from } = world()
    const taken = Array.from({ length: 100 }, (_, index) => attempts.take(from(`${index}@x`, '1')))
    expect(taken.filter((wait) => wait === null)).toHaveLength(userLimits.attemptsOfAddressMax)
  })

  it('are forgotten with the right one, but not those of the same address for others', () => {
    const { attempts, from } = world()
    const one = from('a@x', '1')
    for (let round = 0; round < 50; round += 1) {
      expect(attempts.take(one)).toBeNull()
      attempts.passed(one)
    }
    for (let tried = 0; tried < userLimits.attemptsOfPairMax; tried += 1) attempts.take(one)
    expect(attempts.take(one)).not.toBeNull()
  })
})
