import type { RejectionCode } from '../commerce/catalog/rejection.ts'

/**
 * Why a command on an account is refused: a code of the API, and a sentence. [requests#refusals]
 */
export interface AccountRejection {
  readonly code: RejectionCode | 'INSUFFICIENT_BALANCE'
  readonly problem: string
}
