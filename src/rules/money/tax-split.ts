import assert from 'node:assert/strict'
import { scaled } from './rounding.ts'

/** A rate of tax in millionths: 190 000 is 19 %. */
export type TaxRate = number

const millionths = 1_000_000

/** An amount as it is charged: what the seller gets, the tax, and both. */
export interface Taxed {
  readonly net: number
  readonly tax: number
  readonly gross: number
}

/** Of an amount that the tax is added to. The tax is rounded half up. [resources#money] */
export function taxAdded(net: number, rate: TaxRate): Taxed {
  assert(rate >= 0)
  const tax = scaled(net, rate, millionths)
  return { net, tax, gross: net + tax }
}

/** Of an amount that the tax is in: it stays what it is, and the tax is rounded half up. */
export function taxIncluded(gross: number, rate: TaxRate): Taxed {
  assert(rate >= 0)
  const tax = scaled(gross, rate, millionths + rate)
  return { net: gross - tax, tax, gross }
}
