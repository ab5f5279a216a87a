import assert from 'node:assert/strict'
import type { NewId } from '../../../std/id.ts'
import type { Duration, Instant } from '../../../std/instant.ts'
import { after } from '../../../std/instant.ts'
import { allocated } from '../../money/allocation.ts'
import { scaled } from '../../money/rounding.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { GivenBack } from '../payments/given-back.ts'
import type { Payment } from '../payments/payment.ts'
import type { Refund, RefundedLine } from './refund.ts'
import { isUnderWay } from './refund.ts'
import type { RefundRejection } from './refund-rejection.ts'
import type { Refundable, RefundableLine } from './refundable.ts'
import { refundableOf } from './refundable.ts'

/** What a body asks for. [resources#refunds] */
export interface RefundRequest {
  readonly paymentId: string
  /** Null: all that is left. */
  readonly items: readonly WantedLine[] | null
  readonly reason: string | null
  readonly metadata: CatalogMetadata
}

export interface WantedLine {
  readonly itemId: string
  /** Null: all that is left of the line. */
  readonly amount: number | null
  /** Whether `amount` has the tax in it; otherwise the tax is added to it. */
  readonly taxInclusive: boolean
}

interface Refunding {
  readonly payment: Payment
  /** All that has gone back of the payment so far. */
  readonly given: Pick<GivenBack, 'refunds' | 'disputes'>
  readonly at: Instant
  /** For how long after it was paid a payment can be refunded. */
  readonly window: Duration
}

/** The refund that is asked for, under way; or why it cannot be. [refunds#refusals] */
export function newRefund(
  newId: NewId,
  request: RefundRequest,
  of: Refunding,
): Refund | RefundRejection {
  const refusal = refusalOf(of)
  if (refusal !== null) return refusal
  const { at, given, payment } = of
  const left = refundableOf(payment, given)
  if (left.amount === 0 && left.disputed > 0) {
    const problem = `Disputes hold ${left.disputed} of the payment, and nothing of it is left.`
    return { code: 'NOTHING_TO_REFUND', problem }
  }
  const lines = request.items === null ? allOf(left) : wantedLines(request.items, left)
  if ('code' in lines) return lines
  const whole = request.items === null && left.disputed === 0
  const amount = whole ? left.amount : totalOf(lines, (line) => line.amount)
  if (amount > left.amount) {
    const held = left.disputed > 0 ? `; disputes hold ${left.disputed}` : ''
    const problem = `The refund would give back ${amount}, but only ${left.amount} of the payment is left${held}.`
    return { code: 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT', problem }
  }
  if (amount === 0) return nothingLeft
  return {
    refundId: newId('ref'),
    paymentId: payment.paymentId,
    brandId: payment.brandId,
    customerId: payment.customerId,
    subscriptionId: payment.subscriptionId,
    status: 'pending',
    currency: payment.currency,
    amount,
    tax: whole ? left.tax : totalOf(lines, ({ tax }) => tax),
    lines,
    isPartial: amount < payment.totalAmount,
    reason: request.reason,
    metadata: request.metadata,
    asked: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}

const nothingLeft: RefundRejection = {
  code: 'NOTHING_TO_REFUND',
  problem: 'items names nothing to refund; leave it out to refund all that is left.',
}

/** Why nothing of a payment can be refunded, whatever is asked for. */
function refusalOf({ at, given, payment, window }: Refunding): RefundRejection | null {
  if (payment.status !== 'succeeded') {
    const problem = `The payment is ${payment.status}; only one that has succeeded can be refunded.`
    return { code: 'PAYMENT_NOT_SUCCEEDED', problem }
  }
  if (payment.totalAmount === 0) {
    const problem = 'The payment took no money, so there is none to give back.'
    return { code: 'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED', problem }
  }
  if (payment.refundStatus === 'full') {
    const problem = 'All of the payment was refunded already.'
    return { code: 'PAYMENT_ALREADY_REFUNDED', problem }
  }
  const before = given.refunds.find(isUnderWay)
  if (before !== undefined) {
    const problem = `The refund '${before.refundId}' of this payment is on its way; wait for what becomes of it.`
    return { code: 'EXISTING_REFUND_REQUEST_PROCESSING', problem }
  }
  if (at > after(payment.paidAt ?? payment.createdAt, window)) {
    const problem = 'The payment was made too long ago to be refunded.'
    return { code: 'REFUND_WINDOW_EXPIRED', problem }
  }
  return null
}

/** All that is left; of what disputes leave, each line gives back its part. */
function allOf({ amount: left, disputed, lines }: Refundable): readonly RefundedLine[] {
  const whole = lines.map(wholeLine).filter(({ amount }) => amount > 0)
  if (disputed === 0) return whole
  const all = totalOf(whole, ({ amount }) => amount)
  const shares = allocated(
    Math.min(left, all),
    lines.map(({ netLeft, taxLeft }) => Math.max(0, netLeft + taxLeft)),
  )
  return lines.flatMap((line, index) => {
    const share = shares[index] ?? 0
    return share === 0 ? [] : [withTax(share, line)]
  })
}

const wholeLine = ({ itemId, netLeft, taxLeft }: RefundableLine): RefundedLine => ({
  itemId,
  amount: netLeft + taxLeft,
  tax: taxLeft,
})

function wantedLines(
  items: readonly WantedLine[],
  left: Refundable,
): readonly RefundedLine[] | RefundRejection {
  if (items.length === 0) return nothingLeft
  const ids = items.map(({ itemId }) => itemId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) {
    const problem = `items names '${twice}' twice.`
    return { code: 'DUPLICATE_LINE_ITEMS_IN_REQUEST', problem }
  }
  const lines: RefundedLine[] = []
  for (const [index, item] of items.entries()) {
    const line = left.lines.find(({ itemId }) => itemId === item.itemId)
    if (line === undefined) {
      const problem = `items[${index}].item_id names '${item.itemId}', which this payment did not pay.`
      return { code: 'LINE_ITEM_NOT_FOUND', problem }
    }
    const wanted = wantedLine(item, line, `items[${index}]`)
    if ('code' in wanted) return wanted
    lines.push(wanted)
  }
  return lines
}

function wantedLine(
  { amount, taxInclusive }: WantedLine,
  line: RefundableLine,
  field: string,
): RefundedLine | RefundRejection {
  const { itemId, net, netLeft, tax, taxLeft } = line
  if (net + tax === 0) {
    const problem = `${field}.item_id names '${itemId}', which cost nothing.`
    return { code: 'LINE_ITEM_REFUND_AMOUNT_TOO_LOW', problem }
  }
  if (netLeft + taxLeft === 0) {
    const problem = `${field}.item_id names '${itemId}', which was refunded already.`
    return { code: 'LINE_ITEM_FULLY_REFUNDED', problem }
  }
  if (amount === null) return wholeLine(line)
  if (amount < 1) {
    return {
      code: 'LINE_ITEM_REFUND_AMOUNT_TOO_LOW',
      problem: `${field}.amount must be at least 1.`,
    }
  }
  const most = taxInclusive ? netLeft + taxLeft : netLeft
  if (amount > most) {
    const problem = `${field}.amount must be at most ${most}, which is what is left of '${itemId}'.`
    return { code: 'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH', problem }
  }
  return taxInclusive ? withTax(amount, line) : plusTax(amount, line)
}

/**
 * So much of a line, of which the tax is its part. Tax is rounded on all that has gone back, so
 * that parts in whatever steps give back the tax of the line, and not a cent more. [refunds#tax]
 */
function withTax(amount: number, line: RefundableLine): RefundedLine {
  const { itemId, net, netLeft, tax, taxLeft } = line
  const gross = net + tax
  const taxBack = tax - taxLeft
  const back = gross - netLeft - taxLeft
  const share = scaled(tax, back + amount, gross) - taxBack
  const least = Math.max(0, amount - netLeft)
  const part = Math.min(Math.max(share, least), amount, taxLeft)
  assert(amount - part <= netLeft, 'A refund leaves no line below 0.')
  return { itemId, amount, tax: part }
}

/** So much of a line, and the tax on it. [refunds#tax] */
function plusTax(amount: number, line: RefundableLine): RefundedLine {
  const { itemId, net, netLeft, tax, taxLeft } = line
  const share = scaled(tax, net - netLeft + amount, net) - (tax - taxLeft)
  const part = amount === netLeft ? taxLeft : Math.min(Math.max(share, 0), taxLeft)
  return { itemId, amount: amount + part, tax: part }
}

const totalOf = (lines: readonly RefundedLine[], of: (line: RefundedLine) => number): number =>
  lines.reduce((sum, line) => sum + of(line), 0)
