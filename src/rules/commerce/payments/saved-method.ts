import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { laterOf } from '../../../std/instant.ts'
import type { CardDetails, Payment } from './payment.ts'

/**
 * A way to pay that is kept with its customer: what the processor charges, and what may be shown of
 * the card. [payments#saved-methods]
 */
export interface SavedMethod {
  readonly paymentMethodId: string
  readonly customerId: string
  readonly token: string
  readonly card: CardDetails
  readonly lastUsedAt: Instant
  /** Nobody can charge it any more; null: it is there. */
  readonly deletedAt: Instant | null
  /** Rises with every change. A change is written only over the version on which it was decided. */
  readonly version: number
  readonly createdAt: Instant
}

/** What a payment has charged, to be kept; it has a token and a card. */
export const newSavedMethod = (
  newId: NewId,
  of: Pick<Payment, 'customerId'> & Pick<SavedMethod, 'token' | 'card'>,
  at: Instant,
): SavedMethod => ({
  paymentMethodId: newId('pm'),
  customerId: of.customerId,
  token: of.token,
  card: of.card,
  lastUsedAt: at,
  deletedAt: null,
  version: 1,
  createdAt: at,
})

/** The method as it was used. Every use is a change of it, so none gets past a deletion. */
export const usedMethod = (method: SavedMethod, at: Instant): SavedMethod => ({
  ...method,
  lastUsedAt: laterOf(at, method.lastUsedAt),
  version: method.version + 1,
})

export const deletedMethod = (method: SavedMethod, at: Instant): SavedMethod => ({
  ...method,
  deletedAt: at,
  version: method.version + 1,
})

/** The customer's method for the same card, so that paying twice with it keeps it once. */
export const sameMethod = (
  methods: readonly SavedMethod[],
  { token, card }: Pick<SavedMethod, 'token' | 'card'>,
): SavedMethod | null =>
  methods.find(
    (each) =>
      each.deletedAt === null &&
      each.token === token &&
      each.card.lastFour === card.lastFour &&
      each.card.network === card.network &&
      each.card.expiryMonth === card.expiryMonth &&
      each.card.expiryYear === card.expiryYear,
  ) ?? null
