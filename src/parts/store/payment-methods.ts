import type { SavedMethod } from '../../rules/commerce/payments/saved-method.ts'
import type { Scope } from './scope.ts'

export interface PaymentMethods {
  /** Also a deleted one. */
  get(scope: Scope, paymentMethodId: string): Promise<SavedMethod | null>

  /** Those that are not deleted, newest first. */
  ofCustomer(scope: Scope, customerId: string): Promise<readonly SavedMethod[]>

  /** A live subscription that is charged through it; null: there is none. */
  chargedBy(scope: Scope, paymentMethodId: string): Promise<string | null>
}
