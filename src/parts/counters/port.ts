import type { RateTier } from '../../rules/commerce/rate-tier.ts'
import type { Counted } from '../../rules/commerce/rate-windows.ts'

/**
 * Who is counted: a business as a whole, a client without a valid key by its address, or one that
 * looks at pages, by its address too.
 */
export interface Subject {
  readonly scope: 'business' | 'address' | 'page'
  readonly name: string
}

/**
 * Counts the requests that passed in the windows that are open now. The counts are a cache: when
 * they are lost, one window's worth of requests more may pass, once. [requests#limits]
 */
export interface Counters {
  /**
   * Counts one request in both windows, or in neither where one of them is exhausted. Never fails:
   * a process that cannot reach the shared counters counts by itself. [requests#limits]
   */
  take(subject: Subject, tier: RateTier): Counted | Promise<Counted>

  /** Takes one request back that passed, because something else refused it. */
  giveBack(subject: Subject, tier: RateTier): void

  /** What this process knows already. Counts nothing and asks nobody. */
  seen(subject: Subject, tier: RateTier): Counted

  close(): Promise<void>
}

/** The counters of a process by itself, for as long as it cannot reach those that all share. */
export interface OwnCounters extends Counters {
  /** Counts requests that have passed elsewhere, whether or not there is room for them. */
  add(subject: Subject, count: number): void
}
