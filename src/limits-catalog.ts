import { day, second } from './std/instant.ts'

/** Bounds of what a business sells and to whom. */
export const catalogLimits = {
  /**
   * Meters of a business and mode, and of one event name, archived ones included: each event is
   * compared with all meters of its name, by threads that measure for everybody.
   */
  metersMax: 2_000,
  metersPerNameMax: 100,
  /** How often a meter can be archived: each event of its name is compared with every range. */
  archivedRangesMax: 200,
  /** Changes of an entitlement's default links that measuring holds, `openFor` long. */
  linkStretchesMax: 500,
  /** Pauses, and changes of terms, of a subscription that measuring has at hand. */
  subscriptionChangesMax: 200,
  /** Brands of a business and mode, archived ones included: they are listed in one answer. */
  brandsMax: 1_000,
  creditsPerProductMax: 3,
  metersPerProductMax: 10,
  addonsPerProductMax: 10,
  /** Groups and products of a collection, which is read and written whole. */
  collectionGroupsMax: 100,
  collectionProductsMax: 500,
  filterDepthMax: 3,
  filterClausesMax: 10,
  /** Fractional digits of a usage quantity. [meters#quantities] */
  usageScale: 18,
  precisionMax: 10,
  /** Names of customers, meters and entitlements; event names are eventTextMax. */
  nameMax: 255,
  productNameMax: 100,
  descriptionMax: 1_000,
  /** A local part of 64, `@`, a domain of 255. */
  emailMax: 320,
  phoneNumberMax: 50,
  /** Of one purchase: each is a row of one change. */
  licenseKeysAtOnceMax: 1_000,
  /** What a customer reads with a license key. */
  activationMessageMax: 2_500,
  /** [resources#images] */
  imageBytesMax: 3 * 1024 * 1024,
  /** A file that is sold, and how long a link to it lives. [entitlements#downloads] */
  fileBytesMax: 500 * 1024 * 1024,
  downloadFor: 900 * second,
  filesPerEntitlementMax: 100,
  /** Of a customer's grants, in one answer without pages. */
  grantSummariesMax: 1_000,
  fileNameMax: 255,
  instructionsMax: 5_000,
  entitlementsPerProductMax: 50,
  urlMax: 2_048,
  unitMax: 50,
  /** Metadata of everything but usage events has shorter keys. [requests#metadata] */
  catalogMetadataKeyMax: 40,
  meterLinksMax: 50,
  /** For how long after it was paid a payment can be refunded. [refunds#refusals] */
  refundWindow: 30 * day,
  /** Money as int32, like in the public clients. [requests#metadata] */
  moneyMax: 2 ** 31 - 1,
  /**
   * What usage and overage add to one charge at most, in the smallest unit: beside prices, and with
   * taxes, the charge is still a number that is exact.
   */
  usageChargedMax: 10 ** 15,
  /**
   * What adjustments may bring a wallet to: above it is room for what charges have taken of it and
   * give back.
   */
  walletAdjustedMax: 2 ** 52,
  /** [credits#grants] */
  expiryDaysMin: 7,
  /** Expiries and periods that still end in years of four digits. */
  expiryDaysMax: 365_000,
  intervalCountMax: 1_000,
  trialDaysMax: 10_000,
} as const
