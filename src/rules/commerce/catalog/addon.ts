import type { Instant } from '../../../std/instant.ts'
import type { Currency } from '../currency.ts'
import type { TaxCategory } from '../tax-category.ts'
import { changeTime } from './change-time.ts'

/**
 * What a subscription can carry besides its plan, each at a price of its own. [resources#add-ons]
 */
export interface Addon {
  readonly addonId: string
  readonly name: string
  readonly description: string | null
  /** Each payment period, in the currency's smallest unit. */
  readonly price: number
  readonly currency: Currency
  readonly taxCategory: TaxCategory
  /** Null: it has no image. */
  readonly imageId: string | null
  readonly createdAt: Instant
  /** Rises with every change, and so distinguishes one state of the add-on from the next. */
  readonly updatedAt: Instant
}

/** An add-on as a caller asks for it. */
export type WantedAddon = Omit<Addon, 'addonId' | 'createdAt' | 'updatedAt'>

/** The fields to change; absent fields stay as they are. */
export type AddonChange = Partial<WantedAddon>

export const changedAddon = (addon: Addon, change: AddonChange, at: Instant): Addon => ({
  ...addon,
  ...change,
  updatedAt: changeTime(addon, at),
})

/** An add-on as a subscription carries it: at the price for which it was bought. */
export interface CarriedAddon
  extends Pick<Addon, 'addonId' | 'description' | 'name' | 'price' | 'taxCategory'> {
  /** Of its own: that of the product does not multiply it. [resources#add-ons] */
  readonly quantity: number
}

/** What add-ons cost together each payment period. */
export const priceOfAddons = (addons: readonly CarriedAddon[]): number =>
  addons.reduce((all, { price, quantity }) => all + price * quantity, 0)
