import type { Frequency } from '../../../std/calendar.ts'

/** Whether and what kind of license keys a product brings. [licenses#license-keys] */
export interface ProductLicense {
  readonly enabled: boolean
  readonly activationMessage: string | null
  /** Null: a key has no limit. */
  readonly activationsLimit: number | null
  /** How long a key of a one-time purchase lasts; null: for ever. */
  readonly duration: Frequency | null
}

export const noLicense: ProductLicense = {
  enabled: false,
  activationMessage: null,
  activationsLimit: null,
  duration: null,
}
