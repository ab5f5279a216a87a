import type DodoPayments from 'dodopayments'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  CreditEntitlementCreate,
  CreditEntitlementUpdate,
  CreditEntitlementView,
} from '../../src/wire/credit-entitlement.ts'
import type { CustomerCreate, CustomerUpdate, CustomerView } from '../../src/wire/customer.ts'
import type { DiscountCreate, DiscountUpdate, DiscountView } from '../../src/wire/discount.ts'
import type { countryCodes, currencies, timeIntervals } from '../../src/wire/enums.ts'
import type { MeterCreate, MeterView } from '../../src/wire/meter.ts'
import type { ProductCreate, ProductListItem, ProductView } from '../../src/wire/product.ts'
import type {
  WalletEntryCreate,
  WalletEntryView,
  WalletListView,
  WalletView,
} from '../../src/wire/wallet.ts'

/** The client's types are writable; ours are the same otherwise. */
type Writable<T> = T extends readonly (infer Item)[]
  ? Writable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Writable<T[Key]> }
    : T

describe('to the public client', () => {
  it('every answer is what it expects, with no field left out', () => {
    expectTypeOf<Writable<CustomerView>>().toExtend<Required<DodoPayments.Customer>>()
    expectTypeOf<Writable<MeterView>>().toExtend<Required<DodoPayments.Meter>>()
    expectTypeOf<Writable<CreditEntitlementView>>().toExtend<
      Required<DodoPayments.CreditEntitlement>
    >()
    expectTypeOf<Writable<ProductView>>().toExtend<Required<DodoPayments.Product>>()
    expectTypeOf<Writable<ProductListItem>>().toExtend<Required<DodoPayments.ProductListResponse>>()
    expectTypeOf<Writable<DiscountView>>().toExtend<Required<DodoPayments.Discount>>()
    expectTypeOf<Writable<WalletView>>().toExtend<Required<DodoPayments.Customers.CustomerWallet>>()
    expectTypeOf<Writable<WalletListView>>().toExtend<
      Required<DodoPayments.Customers.WalletListResponse>
    >()
    expectTypeOf<Writable<WalletEntryView>>().toExtend<
      Required<DodoPayments.Customers.Wallets.CustomerWalletTransaction>
    >()
    type Mapping = Writable<ProductView['credit_entitlements'][number]>
    expectTypeOf<Mapping>().toExtend<
      Required<DodoPayments.Product['credit_entitlements'][number]>
    >()
  })

  it('everything that it sends is taken', () => {
    expectTypeOf<DodoPayments.CustomerCreateParams>().toExtend<CustomerCreate>()
    expectTypeOf<DodoPayments.CustomerUpdateParams>().toExtend<CustomerUpdate>()
    expectTypeOf<DodoPayments.MeterCreateParams>().toExtend<MeterCreate>()
    expectTypeOf<DodoPayments.CreditEntitlementCreateParams>().toExtend<CreditEntitlementCreate>()
    expectTypeOf<DodoPayments.CreditEntitlementUpdateParams>().toExtend<CreditEntitlementUpdate>()
    expectTypeOf<DodoPayments.ProductCreateParams>().toExtend<ProductCreate>()
    expectTypeOf<DodoPayments.DiscountCreateParams>().toExtend<DiscountCreate>()
    expectTypeOf<DodoPayments.DiscountUpdateParams>().toExtend<DiscountUpdate>()
    type WalletEntry = DodoPayments.Customers.Wallets.LedgerEntryCreateParams
    expectTypeOf<WalletEntry>().toExtend<WalletEntryCreate>()
  })

  it('every name of a list is one of its names, and none is missing', () => {
    expectTypeOf<(typeof currencies)[number]>().toEqualTypeOf<DodoPayments.Currency>()
    expectTypeOf<(typeof countryCodes)[number]>().toEqualTypeOf<DodoPayments.CountryCode>()
    expectTypeOf<(typeof timeIntervals)[number]>().toEqualTypeOf<DodoPayments.TimeInterval>()
  })
})
