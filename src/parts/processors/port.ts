import type { Currency } from '../../rules/commerce/currency.ts'
import type { EnteredCard, WrongCard } from '../../rules/commerce/payments/card.ts'
import type {
  CardDetails,
  ChargeOutcome,
  ProcessorName,
} from '../../rules/commerce/payments/payment.ts'
import type { Duration, Instant } from '../../std/instant.ts'

/** A way to pay as a processor knows it: its token can charge, and says nothing of the card. */
export interface EnteredMethod {
  readonly token: string
  readonly card: CardDetails
}

export interface ChargeRequest {
  /**
   * The payment's id. A second call with it says what became of the first charge, and charges
   * nobody twice.
   */
  readonly key: string
  /** What is to be charged, in the currency's smallest unit: the total less the wallet's part. */
  readonly amount: number
  readonly currency: Currency
  readonly token: string
  /** Whether the holder of the card has to confirm, whatever the card says. */
  readonly forcesConfirmation?: boolean
  /** Whether an earlier charge has saved the method: its holder is not there to confirm. */
  readonly isLater?: boolean
}

/** What a processor says at once, and, where it lives in this process, what it will tell later. */
export interface ChargeAnswer {
  /** Null: it did not answer, and may or may not have charged. */
  readonly outcome: ChargeOutcome | null
  readonly news: readonly LaterNews[]
}

export interface LaterNews {
  /** By the business's clock, so that a test clock brings it. */
  readonly after: Duration
  /** Null: nothing was heard, and the processor is asked again. */
  readonly outcome: ChargeOutcome | null
}

/** Who moves money. The state machines of payments do not know which one does. */
export interface Processor {
  readonly name: ProcessorName
  /** Null: it takes no cards. `at`: now, by the clock of the business. */
  readonly enter: ((card: EnteredCard, at: Instant) => EnteredMethod | WrongCard) | null
  charge(charge: ChargeRequest): Promise<ChargeAnswer>
  /**
   * Whether a refund succeeds as soon as it is asked for; otherwise it is pending until somebody
   * says what became of it. [refunds#states]
   */
  readonly refundsAtOnce: boolean
  /** Whether the payer's bank disputes what this token has charged as soon as it is paid. */
  readonly disputesAtOnce: (token: string) => boolean
  /** Whether the person passed what the processor asked for after `requires_customer_action`. */
  confirm(charge: ChargeRequest, passed: boolean): Promise<ChargeAnswer>
}
