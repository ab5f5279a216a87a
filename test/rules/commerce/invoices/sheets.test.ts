import { describe, expect, it } from 'vitest'
import { invoiceId } from '../../../../src/rules/commerce/invoices/invoice.ts'
import { paymentPaper } from '../../../../src/rules/commerce/invoices/payment-paper.ts'
import { sheetOf } from '../../../../src/rules/commerce/invoices/sheet-of.ts'
import type { LineWorth } from '../../../../src/rules/commerce/line-worth.ts'
import { instantOf } from '../../../../src/std/instant.ts'
import { invoiceWith } from '../../../support/papers/invoices.ts'
import { paymentOf } from '../payments/purchases.ts'

const totals = (of: Parameters<typeof invoiceWith>[0]) =>
  sheetOf(invoiceWith(of), 'live').totals.map(({ label, value }) => `${label}: ${plain(value)}`)

/** With spaces that anybody can type. */
const plain = (text: string): string => text.replace(/\s/g, ' ')

describe('an invoice as it is read', () => {
  it('writes money with the decimals of its currency, as its language does', () => {
    const total = (currency: 'JPY' | 'EUR' | 'KWD', language: string) =>
      totals({ currency, language, tax: 0, total: 1_234_567 }).at(-1)
    expect(total('JPY', 'en')).toBe('Total: ¥1,234,567')
    expect(total('EUR', 'de')).toBe('Gesamtbetrag: 12.345,67 €')
    expect(total('KWD', 'en')).toBe('Total: KWD 1,234.567')
    expect(total('EUR', 'xx-nobody')).toBe('Total: €12,345.67')
  })

  it('says what codes took off, and what the wallet paid', () => {
    const of = { discounts: [{ code: 'WINTER', amount: 500 }], fromWallet: 260 }
    expect(totals(of)).toEqual([
      'Discount WINTER, already taken off: -$5.00',
      'Subtotal without tax: $40.00',
      'Tax: $7.60',
      'Total: $47.60',
      'Of which paid from the wallet: $2.60',
    ])
  })

  it('says who owes the tax, and in test mode that it is no real one', () => {
    const { notes } = sheetOf(invoiceWith({ isReverseCharged: true }), 'live')
    expect(notes[0]).toMatch(/^Reverse charge/)
    expect(sheetOf(invoiceWith(), 'live').notice).toBeNull()
    expect(sheetOf(invoiceWith(), 'test').notice).toMatch(/^Test mode/)
  })

  it('says in its language how usage and overage came to their amounts', () => {
    const usage = {
      kind: 'usage',
      periods: [
        { units: '12345.678901234567890123', free: '10', price: '0.000025', isRest: true },
        { units: '3', free: null, price: null, isRest: false },
      ],
    } as const
    const overage = { kind: 'overage', credits: '1200', unit: '$& {price}', price: '0.5' } as const
    const said = (language: string, worth: LineWorth = usage) => {
      const lines = [
        { name: 'Calls', description: 'other words', quantity: 1, amount: 1, tax: 0, worth },
      ]
      const { rows } = sheetOf(invoiceWith({ language, lines, currency: 'EUR' }), 'live')
      return rows.flatMap(({ details }) => details.map(plain))
    }
    expect(said('en')).toEqual([
      'Usage: 12,345.678901234567890123 units, 10 of them free, at €0.000025 each, less what was billed before; and 3 units',
    ])
    expect(said('de')).toEqual([
      'Verbrauch: 12.345,678901234567890123 Einheiten, davon 10 frei, je 0,000025 €, abzüglich des bereits Berechneten; sowie 3 Einheiten',
    ])
    expect(said('en', overage)).toEqual([
      'Overage: 1,200 $& {price} beyond what was granted, at €0.50 each',
    ])
    for (const language of ['ar', 'de', 'es', 'fr', 'ja', 'th']) {
      const text = [...said(language), ...said(language, overage)].join(' ')
      expect([language, text.includes('Usage') || text.includes('Overage')]).toEqual([
        language,
        false,
      ])
      expect(text.replace('{price}', '')).not.toMatch(/[{}]/)
    }
  })

  it('numbers each kind by itself', () => {
    expect([
      invoiceId('payment', 1),
      invoiceId('refund', 42),
      invoiceId('payout', 1_234_567),
    ]).toEqual(['INV-000001', 'CRN-000042', 'PAY-1234567'])
  })

  it('keeps who took part as they were, and the quantity of each line', () => {
    const payment = paymentOf({
      customerBusinessName: 'Söhne GmbH',
      lines: [{ itemId: 'pdt_1', name: null, description: null, amount: 900, tax: 0 }],
      totalAmount: 900,
    })
    const paper = paymentPaper(payment, {
      seller: { name: 'Acme', businessName: null, url: null, email: null },
      customer: {
        customerId: 'cus_1',
        email: 'ada@example.com',
        name: 'Ada',
        phoneNumber: null,
        metadata: {},
        createdAt: instantOf(0),
        updatedAt: instantOf(0),
      },
      language: null,
      isReverseCharged: false,
    })
    expect(paper.buyer).toMatchObject({ name: 'Ada', businessName: 'Söhne GmbH' })
    expect(paper.lines).toMatchObject([{ name: 'pdt_1', amount: 900 }])
    const { buyer } = sheetOf({ ...invoiceWith(), paper }, 'live')
    expect([buyer?.name, buyer?.lines[0]]).toEqual(['Söhne GmbH', 'Ada'])
  })
})
