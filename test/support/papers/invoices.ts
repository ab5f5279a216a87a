import type {
  Invoice,
  InvoiceBuyer,
  InvoicePaper,
} from '../../../src/rules/commerce/invoices/invoice.ts'
import { instantOfMs } from '../../../src/std/instant.ts'

const ada: InvoiceBuyer = {
  name: 'Ada Lovelace',
  businessName: null,
  email: 'ada@example.com',
  billing: {
    country: 'GB',
    city: 'London',
    state: null,
    street: '12 St James’s Square',
    zipcode: 'SW1Y 4JH',
  },
  taxId: null,
}

/** The 42nd invoice of a seller, which says what a test wants it to say. */
export const invoiceWith = ({
  buyer = {},
  ...paper
}: Partial<Omit<InvoicePaper, 'buyer'>> & {
  readonly buyer?: Partial<InvoiceBuyer>
} = {}): Invoice => ({
  kind: 'payment',
  subjectId: 'pay_1',
  number: 42,
  issuedAt: instantOfMs(Date.UTC(2026, 10, 22)),
  paper: {
    language: 'en',
    seller: {
      name: 'Acme Cloud',
      businessName: 'Acme Holding Ltd',
      url: 'https://acme.example',
      email: 'help@acme.example',
    },
    buyer: { ...ada, ...buyer },
    currency: 'USD',
    lines: [
      {
        name: 'Pro plan',
        description: 'Monthly, billed in advance',
        quantity: 2,
        amount: 4_000,
        tax: 760,
      },
    ],
    discounts: [],
    tax: 760,
    total: 4_760,
    fromWallet: 0,
    isReverseCharged: false,
    paymentId: 'pay_Zb3kQ9dR1sVxW7yTnM2pL',
    card: { network: 'visa', lastFour: '4242' },
    ...paper,
  },
})
