import type { Clock } from '../../runtime/clock.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { second } from '../../std/instant.ts'
import { userLimits } from './user-limits.ts'

/** Who tries to log in, as far as wrong passwords are counted. */
export interface Attempt {
  readonly email: string
  readonly address: string
  /** The session by which this user has logged in here before; null: there is none. */
  readonly knownBrowser: string | null
}

/**
 * Bounds how many passwords can be tried. Each is counted before it is looked at, so that a
 * thousand at once are no way around; one that was right is taken back. A count is forgotten
 * `userLimits.attempts` after it began: nobody is locked out for longer. [security#the-console]
 */
export interface Attempts {
  /** Null: it may be tried; else after how many seconds the next one may be. */
  take(attempt: Attempt): number | null
  /** The password was right. */
  passed(attempt: Attempt): void
}

interface Count {
  tried: number
  readonly since: Instant
}

export function openAttempts(clock: Clock): Attempts {
  const counts = new Map<string, Count>()
  return { take, passed }

  function take(attempt: Attempt): number | null {
    const now = clock.now()
    const bounds = boundsOf(attempt)
    const full = bounds.flatMap(({ name, max }) => {
      const count = current(name, now)
      return count !== null && count.tried >= max ? [secondsLeft(count.since, now)] : []
    })
    if (full.length > 0) return Math.max(...full)
    for (const { name } of bounds) {
      const count = current(name, now) ?? begun(name, now)
      count.tried += 1
    }
    return null
  }

  function passed(attempt: Attempt): void {
    const [own, ...others] = boundsOf(attempt)
    if (own !== undefined) counts.delete(own.name)
    for (const { name } of others) {
      const count = counts.get(name)
      if (count !== undefined) count.tried = Math.max(0, count.tried - 1)
    }
  }

  function current(name: string, now: Instant): Count | null {
    const count = counts.get(name)
    if (count === undefined) return null
    const age = now - count.since
    if (age >= 0 && age < userLimits.attempts) return count
    counts.delete(name)
    return null
  }

  function begun(name: string, now: Instant): Count {
    const count: Count = { tried: 0, since: now }
    counts.set(name, count)
    if (counts.size > userLimits.attemptsKeptMax) {
      const [oldest] = counts.keys()
      if (oldest !== undefined) counts.delete(oldest)
    }
    return count
  }
}

/** The first is the one that a right password ends. */
function boundsOf({ email, address, knownBrowser }: Attempt) {
  const { attemptsOfAddressMax, attemptsOfPairMax, attemptsOfUserMax } = userLimits
  if (knownBrowser !== null) return [{ name: `browser ${knownBrowser}`, max: attemptsOfPairMax }]
  const user = email.toLowerCase()
  return [
    { name: `pair ${address} ${user}`, max: attemptsOfPairMax },
    { name: `address ${address}`, max: attemptsOfAddressMax },
    { name: `user ${user}`, max: attemptsOfUserMax },
  ]
}

const secondsLeft = (since: Instant, now: Instant): number => {
  const left: Duration = since + userLimits.attempts - now
  return Math.max(1, Math.ceil(left / second))
}
