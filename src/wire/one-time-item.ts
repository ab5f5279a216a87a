import type { Definition } from './schemas.ts'
import { id, money, nullable, whole } from './schemas.ts'

/** A product that is bought once. [resources#payments] */
export interface OneTimeItem {
  readonly product_id: string
  readonly quantity: number
  readonly amount?: number | null
}

export const oneTimeItem: Definition = {
  type: 'object',
  required: ['product_id', 'quantity'],
  properties: { product_id: id, quantity: whole(1, 2 ** 31 - 1), amount: nullable(money) },
}
