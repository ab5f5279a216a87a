/** The pages of the console, as navigation and palette name them. */
export interface ConsoleRoom {
  readonly step: string
  readonly title: string
  /** What somebody may call it who looks for it. */
  readonly also?: string
}

export interface RoomGroup {
  readonly title: string | null
  readonly rooms: readonly ConsoleRoom[]
}

export const roomGroups: readonly RoomGroup[] = [
  {
    title: null,
    rooms: [
      { step: '', title: 'Overview', also: 'home start freshness lag' },
      { step: 'events', title: 'Events', also: 'usage ingest tail void' },
      { step: 'why', title: 'Why', also: 'explain explanation' },
    ],
  },
  {
    title: 'Customers',
    rooms: [
      { step: 'customers', title: 'Customers', also: 'balance ledger grants credit debit' },
      { step: 'subscriptions', title: 'Subscriptions', also: 'plans cycles' },
      { step: 'payments', title: 'Payments', also: 'money invoices mark refund' },
      { step: 'invoices', title: 'Invoices', also: 'papers pdf numbers receipts' },
      { step: 'refunds', title: 'Refunds', also: 'money back' },
      { step: 'disputes', title: 'Disputes', also: 'chargebacks evidence answer' },
      { step: 'licenses', title: 'Licenses', also: 'license keys activations' },
      { step: 'payouts', title: 'Payouts', also: 'paid out breakup statement' },
      { step: 'balance', title: 'Balance', also: 'ledger money of the business' },
    ],
  },
  {
    title: 'Catalog',
    rooms: [
      { step: 'meters', title: 'Meters', also: 'aggregation filter' },
      { step: 'credit-entitlements', title: 'Credit entitlements', also: 'credits policy' },
      { step: 'entitlements', title: 'Entitlements', also: 'files features license grants' },
      { step: 'products', title: 'Products', also: 'prices localized images' },
      { step: 'addons', title: 'Add-ons' },
      { step: 'discounts', title: 'Discounts', also: 'codes coupons' },
      { step: 'brands', title: 'Brands' },
      { step: 'product-collections', title: 'Collections' },
    ],
  },
  {
    title: 'Developer',
    rooms: [
      { step: 'keys', title: 'API Keys', also: 'developer secret revoke' },
      { step: 'webhooks', title: 'Webhooks', also: 'endpoints messages attempts resend inbox' },
      { step: 'clock', title: 'Test clock', also: 'time advance' },
      { step: 'limits', title: 'Rate limits', also: 'tier use' },
    ],
  },
]

export const allRooms: readonly ConsoleRoom[] = [
  ...roomGroups.flatMap(({ rooms }) => rooms),
  { step: 'you', title: 'You and your sessions', also: 'password log out' },
]
