import type { RowChange } from '../../changes.ts'
import type { Scope } from '../../scope.ts'
import { addonRow } from '../catalog/addon-rows.ts'
import { brandRow } from '../catalog/brand-rows.ts'
import { businessRow } from '../catalog/business-rows.ts'
import { feeTableRow, taxTableRow } from '../catalog/charges.ts'
import { collectionRow } from '../catalog/collection-rows.ts'
import { entitlementRow } from '../catalog/credit-entitlement-rows.ts'
import { customerRow } from '../catalog/customer-rows.ts'
import { discountCustomerRow, discountRow, discountUseRow } from '../catalog/discount-rows.ts'
import { keyRow } from '../catalog/key-rows.ts'
import { localizedPriceRow } from '../catalog/localized-price-rows.ts'
import { meterRow } from '../catalog/meter-rows.ts'
import { productRow } from '../catalog/product-rows.ts'
import { shortLinkRow } from '../catalog/short-links.ts'
import { subscriptionRow } from '../catalog/subscription-rows.ts'
import { walletEntryRow, walletRow } from '../catalog/wallet-rows.ts'
import { timestamptz } from '../connection/client.ts'
import { entitlementGrantRow } from '../entitlements/entitlement-grant-rows.ts'
import { productEntitlementRow } from '../entitlements/product-entitlement-rows.ts'
import { storedFileRow } from '../files/stored-file-rows.ts'
import { instanceRow, licenseKeyRow } from '../licenses/license-key-rows.ts'
import { balanceEntryRow } from '../payments/balance-rows.ts'
import { checkoutSessionRow } from '../payments/checkout-session-rows.ts'
import { disputeRow } from '../payments/dispute-rows.ts'
import { invoiceRow } from '../payments/invoice-rows.ts'
import { paymentMethodRow } from '../payments/payment-methods.ts'
import { paymentRow } from '../payments/payment-rows.ts'
import { payoutRow } from '../payments/payout-rows.ts'
import { processorNewsRow } from '../payments/processor-news.ts'
import { refundRow } from '../payments/refund-rows.ts'
import { userRow } from '../people/user-rows.ts'
import { endpointRow, formerSecretJson } from '../telling/webhook-endpoint-rows.ts'

/** The rows by noun, as commit_change() hands them to the function that writes the noun. */
export function rowsByNoun(scope: Scope, rows: readonly RowChange[]): object {
  const nouns = [...new Set(rows.map(({ noun }) => noun))]
  return Object.fromEntries(
    nouns.map((each) => [
      each,
      rows.filter(({ noun }) => noun === each).map((change) => rowOf(scope, change)),
    ]),
  )
}

function rowOf(scope: Scope, change: RowChange): object {
  switch (change.noun) {
    case 'api_key':
    case 'business':
    case 'user':
      return operatorChange(change)
    case 'addon':
      return { expected: timestamptz(change.expected), ...addonRow(scope, change.row) }
    case 'brand':
      return { expected: timestamptz(change.expected), ...brandRow(scope, change.row) }
    case 'collection':
      return { expected: timestamptz(change.expected), ...collectionRow(scope, change.row) }
    case 'credit_entitlement':
      return { expected: timestamptz(change.expected), ...entitlementRow(scope, change) }
    case 'customer':
      return {
        expected: change.expected && customerRow(scope, change.expected),
        ...customerRow(scope, change.row),
      }
    case 'discount':
      return { expected: timestamptz(change.expected), ...discountRow(scope, change.row) }
    case 'discount_customer':
      return { detached: change.expected !== null, ...discountCustomerRow(scope, change.row) }
    case 'discount_use':
      return discountUseChange(scope, change)
    case 'meter':
      return {
        expected: change.expected && meterRow(scope, change.expected),
        ...meterRow(scope, change.row),
      }
    case 'license_key':
    case 'license_key_instance':
    case 'localized_price':
    case 'product':
    case 'product_entitlement':
    case 'entitlement_grant':
      return datedChange(scope, change)
    case 'short_link':
      return shortLinkRow(scope, change.row)
    case 'subscription':
      return { expected: change.expected, ...subscriptionRow(scope, change) }
    case 'tax_table':
    case 'fee_table':
      return chargesRow(change)
    case 'wallet':
      return {
        expected: change.expected && walletRow(scope, change.expected),
        ...walletRow(scope, change.row),
        ...walletEntryRow(change.entry),
      }
    case 'webhook_endpoint':
      return endpointChange(change)
    default:
      return paymentChange(scope, change)
  }
}

const chargesRow = ({
  noun,
  row,
}: Extract<RowChange, { readonly noun: 'tax_table' | 'fee_table' }>) =>
  noun === 'tax_table'
    ? taxTableRow(row.businessId, row.rows)
    : feeTableRow(row.businessId, row.rows)
type OperatorRowChange = Extract<RowChange, { readonly noun: 'api_key' | 'business' | 'user' }>

/** What the operator makes: it is of both modes, or names its own. */
function operatorChange(change: OperatorRowChange): object {
  switch (change.noun) {
    case 'api_key':
      return { expected: change.expected && keyRow(change.expected), ...keyRow(change.row) }
    case 'business':
      return {
        expected: change.expected && businessRow(change.expected),
        ...businessRow(change.row),
      }
    case 'user':
      return { expected: change.expected && userRow(change.expected), ...userRow(change.row) }
  }
}

function discountUseChange(
  scope: Scope,
  change: Extract<RowChange, { readonly noun: 'discount_use' }>,
): object {
  const row = discountUseRow(scope, change.row)
  if (change.expected !== null) return { ...row, held: false, becomes: change.becomes }
  return { ...row, held: change.held, discount_as_of: timestamptz(change.discountAsOf) }
}

type DatedRowChange = Extract<
  RowChange,
  {
    readonly noun:
      | 'entitlement_grant'
      | 'license_key'
      | 'license_key_instance'
      | 'localized_price'
      | 'product'
      | 'product_entitlement'
  }
>

function datedChange(scope: Scope, change: DatedRowChange): object {
  switch (change.noun) {
    case 'license_key':
      return { expected: timestamptz(change.expected), ...licenseKeyRow(scope, change.row) }
    case 'license_key_instance':
      return {
        ends: change.ends,
        expected: change.expected && instanceRow(scope, change.expected),
        ...instanceRow(scope, change.row),
      }
    case 'localized_price':
      return { expected: timestamptz(change.expected), ...localizedPriceRow(scope, change.row) }
    case 'product':
      return { expected: timestamptz(change.expected), ...productRow(scope, change.row) }
    case 'product_entitlement':
      return {
        expected: timestamptz(change.expected),
        ...productEntitlementRow(scope, change.row),
      }
    case 'entitlement_grant':
      return { expected: timestamptz(change.expected), ...entitlementGrantRow(scope, change.row) }
  }
}

type PaymentRowChange = Extract<
  RowChange,
  {
    readonly noun:
      | 'balance_entry'
      | 'checkout_session'
      | 'dispute'
      | 'file'
      | 'invoice'
      | 'payment'
      | 'payment_method'
      | 'payout'
      | 'processor_news'
      | 'refund'
  }
>

function paymentChange(scope: Scope, change: PaymentRowChange): object {
  switch (change.noun) {
    case 'balance_entry':
      return balanceEntryRow(scope, change.row)
    case 'checkout_session':
      return { expected: change.expected, ...checkoutSessionRow(scope, change.row) }
    case 'file':
      return {
        expected: change.expected && storedFileRow(scope, change.expected),
        ...storedFileRow(scope, change.row),
      }
    case 'invoice':
      return invoiceRow(scope, change.row)
    case 'payment':
      return { expected: change.expected, ...paymentRow(scope, change.row) }
    case 'payment_method':
      return { expected: change.expected, ...paymentMethodRow(scope, change.row) }
    case 'payout':
      return {
        expected: change.expected,
        ...payoutRow(scope, change.row),
        newest_entry: change.newestEntryId,
      }
    case 'processor_news':
      return { heard: change.heard, ...processorNewsRow(scope, change.row) }
    case 'dispute':
      return { expected: change.expected, ...disputeRow(scope, change.row) }
    case 'refund':
      return { expected: change.expected, ...refundRow(scope, change.row) }
  }
}

type EndpointRowChange = Extract<RowChange, { readonly noun: 'webhook_endpoint' }>

function endpointChange(change: EndpointRowChange): object {
  const former = { former_secrets: change.row.formerSecrets.map(formerSecretJson) }
  const row = { ...endpointRow(change.row), ...former }
  if (change.expected === null) {
    return { ...row, among: change.among, idempotency_key: change.idempotencyKey }
  }
  // One that was deleted meanwhile has moved.
  const expected = { ...endpointRow(change.expected), deleted_at: null }
  return { ...row, expected, deleted_at: timestamptz(change.deletedAt) }
}
