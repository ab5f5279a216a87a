/** Why something about license keys is refused. [requests#refusals] */
export interface LicenseRejection {
  readonly code:
    | 'ACTIVATION_LIMIT_LESS_THAN_CURRENT_AMOUNT'
    | 'INACTIVE_LICENSE_KEY'
    | 'LICENSE_KEY_LIMIT_REACHED'
    | 'NO_EXPIRY_ON_SUBSCRIPTION_LICENSE_KEYS'
  readonly problem: string
}
