import type { ChargeOutcome } from '../../rules/commerce/payments/payment.ts'
import type { Instant } from '../../std/instant.ts'
import type { Scope } from './scope.ts'

/** What a processor is going to say of a payment, in the business's time. */
export interface ProcessorNews {
  readonly newsId: string
  readonly customerId: string
  readonly paymentId: string
  readonly dueAt: Instant
  /** Null: nothing was heard of a charge, and the processor is to be asked again. */
  readonly outcome: ChargeOutcome | null
}

export interface AllProcessorNews {
  get(scope: Scope, newsId: string): Promise<ProcessorNews | null>
  /**
   * Makes news, due at once, of each payment that is not settled and of which none waits: another
   * release may have given up to ask. Answers how many those are.
   */
  wake(upTo: Instant): Promise<number>
}
