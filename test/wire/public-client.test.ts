import type DodoPayments from 'dodopayments'
import type {
  LocalizedPrice,
  LocalizedPriceCreateParams,
  LocalizedPriceUpdateParams,
} from 'dodopayments/resources/products/localized-prices'
import { describe, expectTypeOf, it } from 'vitest'
import type { AddonCreate, AddonUpdate, AddonView } from '../../src/wire/addon.ts'
import type {
  BrandArchiveBody,
  BrandArchiveView,
  BrandCreate,
  BrandUpdate,
  BrandView,
} from '../../src/wire/brand.ts'
import type {
  CreditEntitlementCreate,
  CreditEntitlementUpdate,
  CreditEntitlementView,
} from '../../src/wire/credit-entitlement.ts'
import type { CustomerCreate, CustomerUpdate, CustomerView } from '../../src/wire/customer.ts'
import type { DiscountCreate, DiscountUpdate, DiscountView } from '../../src/wire/discount.ts'
import type { countryCodes, currencies, timeIntervals } from '../../src/wire/enums.ts'
import type {
  LocalizedPriceCreate,
  LocalizedPriceUpdate,
  LocalizedPriceView,
} from '../../src/wire/localized-price.ts'
import type { MeterCreate, MeterView } from '../../src/wire/meter.ts'
import type { ProductListItem, ProductView } from '../../src/wire/product.ts'
import type { ProductCreate, ProductUpdate } from '../../src/wire/product-request.ts'
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
    expectTypeOf<Writable<BrandView>>().toExtend<Required<DodoPayments.Brand>>()
    expectTypeOf<Writable<BrandArchiveView>>().toExtend<
      Required<DodoPayments.BrandArchiveResponse>
    >()
    expectTypeOf<Writable<AddonView>>().toExtend<Required<DodoPayments.AddonResponse>>()
    expectTypeOf<Writable<LocalizedPriceView>>().toExtend<Required<LocalizedPrice>>()
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
    expectTypeOf<DodoPayments.ProductUpdateParams>().toExtend<ProductUpdate>()
    expectTypeOf<DodoPayments.BrandCreateParams>().toExtend<BrandCreate>()
    expectTypeOf<DodoPayments.BrandUpdateParams>().toExtend<BrandUpdate>()
    expectTypeOf<DodoPayments.BrandArchiveParams>().toExtend<BrandArchiveBody>()
    expectTypeOf<DodoPayments.AddonCreateParams>().toExtend<AddonCreate>()
    expectTypeOf<DodoPayments.AddonUpdateParams>().toExtend<AddonUpdate>()
    expectTypeOf<LocalizedPriceCreateParams>().toExtend<LocalizedPriceCreate>()
    expectTypeOf<LocalizedPriceUpdateParams>().toExtend<LocalizedPriceUpdate>()
  })

  it('every name of a list is one of its names, and none is missing', () => {
    expectTypeOf<(typeof currencies)[number]>().toEqualTypeOf<DodoPayments.Currency>()
    expectTypeOf<(typeof countryCodes)[number]>().toEqualTypeOf<DodoPayments.CountryCode>()
    expectTypeOf<(typeof timeIntervals)[number]>().toEqualTypeOf<DodoPayments.TimeInterval>()
  })
})
