import type { Duration, Instant } from '../../std/instant.ts'
import type { Scope } from './scope.ts'

export interface Business {
  readonly businessId: string
  readonly name: string
  /** A text that rules/commerce/rate-tier.ts reads. */
  readonly rateTier: string
  readonly createdAt: Instant
}

/** The businesses whose customers are metered. Each has both modes from its first moment. */
export interface Businesses {
  find(businessId: string): Promise<Business | null>

  /** How far the clock of this mode runs ahead of real time, in microseconds. */
  clockAhead(scope: Scope): Promise<Duration>

  /** Moves the clock of this mode on. False, and nothing changes, unless it runs `from` ahead. */
  moveClock(
    scope: Scope,
    ahead: { readonly from: Duration; readonly to: Duration },
  ): Promise<boolean>

  /** Whether there is any business at all. */
  any(): Promise<boolean>

  /** Businesses with each of their modes, at most `max`; null: any. */
  scopes(
    filter: { readonly [name in keyof Scope]: Scope[name] | null },
    max: number,
  ): Promise<readonly Scope[]>
}
