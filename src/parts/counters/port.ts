import type { RateTier } from '../../rules/commerce/rate-tier.ts'
import type { Counted } from '../../rules/commerce/rate-windows.ts'

/** Who is counted: a business as a whole, or a client without a valid key by its address. */
export interface Subject {
  readonly scope: 'business' | 'address'
  readonly name: string
}

/**
 * How many requests have passed in the windows that are open now. A cache: it may be lost at any
 * time, which lets more pass, once. [requests#limits]
 */
export interface Counters {
  /**
   * Counts one request in both windows, or in none where one of them is exhausted. Never fails:
   * who cannot ask the others counts alone. [requests#limits]
   */
  take(subject: Subject, tier: RateTier): Counted | Promise<Counted>

  /** What is known here, without counting anything. */
  seen(subject: Subject, tier: RateTier): Counted

  close(): Promise<void>
}
