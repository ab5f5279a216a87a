import type { Customer } from '../catalog/customer.ts'
import type { Payment } from '../payments/payment.ts'
import type { InvoiceLine, InvoicePaper, InvoiceSeller } from './invoice.ts'

/** Who takes part in a payment, as they are when it succeeds. */
export interface InvoiceParties {
  readonly seller: InvoiceSeller
  readonly customer: Customer
  /** The language that its checkout was told; null: none. */
  readonly language: string | null
  /** Whether the buyer owes the tax instead of the seller: the invoice must say so. */
  readonly isReverseCharged: boolean
}

/** The invoice of a payment that succeeds. [invoices#what-stands-on-it] */
export const paymentPaper = (
  payment: Payment,
  { customer, isReverseCharged, language, seller }: InvoiceParties,
): InvoicePaper => ({
  language: language ?? 'en',
  seller,
  buyer: {
    name: customer.name,
    businessName: payment.customerBusinessName,
    email: customer.email,
    billing: payment.billing,
    taxId: payment.taxId,
  },
  currency: payment.currency,
  lines: linesOf(payment),
  discounts: payment.discounts.map(({ deduction, discount }) => ({
    code: discount.code,
    amount: deduction,
  })),
  tax: payment.tax,
  total: payment.totalAmount,
  fromWallet: payment.fromWallet,
  isReverseCharged,
  paymentId: payment.paymentId,
  card:
    payment.card === null
      ? null
      : { network: payment.card.network, lastFour: payment.card.lastFour },
})

const linesOf = ({ lines, products }: Payment): readonly InvoiceLine[] =>
  lines.map(({ amount, description, itemId, name, tax, worth }) => ({
    name: name ?? itemId,
    description,
    quantity: quantityOf(itemId, products),
    amount,
    tax,
    ...(worth !== undefined && { worth }),
  }))

/** A line is of a product, or of an add-on that a product carries. */
function quantityOf(itemId: string, products: Payment['products']): number {
  const addon = products.flatMap(({ addons }) => addons).find(({ addonId }) => addonId === itemId)
  const product = products.find(({ productId }) => productId === itemId)
  return product?.quantity ?? addon?.quantity ?? 1
}
