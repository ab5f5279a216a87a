import type {
  Discount,
  KeptDiscount,
  PaidDiscount,
} from '../../../../rules/commerce/discounts/discount.ts'
import { formatInstant } from '../../../../std/instant.ts'
import { instantFrom, instantOrNull } from '../connection/values.ts'

/** A discount as payments and subscriptions keep it: its times are texts. */
export interface KeptDiscountJson extends Omit<KeptDiscount, 'discount'> {
  readonly discount: Omit<Discount, Times> & Readonly<Record<Times, string | null>>
}

type Times = 'createdAt' | 'deletedAt' | 'expiresAt' | 'startsAt' | 'updatedAt'

export const keptDiscountJson = (kept: KeptDiscount): KeptDiscountJson => ({
  cyclesRemaining: kept.cyclesRemaining,
  discount: {
    ...kept.discount,
    createdAt: formatInstant(kept.discount.createdAt),
    deletedAt: textOrNull(kept.discount.deletedAt),
    expiresAt: textOrNull(kept.discount.expiresAt),
    startsAt: textOrNull(kept.discount.startsAt),
    updatedAt: formatInstant(kept.discount.updatedAt),
  },
})

export const keptDiscountFrom = ({
  cyclesRemaining,
  discount,
}: KeptDiscountJson): KeptDiscount => ({
  cyclesRemaining,
  discount: {
    ...discount,
    createdAt: instantFrom(discount.createdAt ?? ''),
    deletedAt: instantOrNull(discount.deletedAt),
    expiresAt: instantOrNull(discount.expiresAt),
    startsAt: instantOrNull(discount.startsAt),
    updatedAt: instantFrom(discount.updatedAt ?? ''),
  },
})

export interface PaidDiscountJson extends KeptDiscountJson {
  readonly deduction: number
}

export const paidDiscountJson = (paid: PaidDiscount): PaidDiscountJson => ({
  ...keptDiscountJson(paid),
  deduction: paid.deduction,
})

export const paidDiscountFrom = (paid: PaidDiscountJson): PaidDiscount => ({
  ...keptDiscountFrom(paid),
  deduction: paid.deduction,
})

const textOrNull = (at: Discount['deletedAt']): string | null =>
  at === null ? null : formatInstant(at)
