import { Fault, orNotFound } from '../../faults.ts'
import type { AdjustWallet } from '../../operations/wallets/adjust-wallet.ts'
import { adjustWallet } from '../../operations/wallets/adjust-wallet.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { CustomerKey } from '../../parts/store/scope.ts'
import type { Wallets } from '../../parts/store/wallets.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { Currency } from '../../rules/commerce/currency.ts'
import { currencies } from '../../rules/commerce/currency.ts'
import type { WalletCurrency } from '../../rules/commerce/wallets/wallet.ts'
import { walletCurrencies, walletsOf } from '../../rules/commerce/wallets/wallet.ts'
import { page } from '../../wire/schemas.ts'
import {
  walletEntryCreate,
  walletEntryView,
  walletListView,
  walletView,
  wantedWalletEntry,
} from '../../wire/wallet.ts'
import { parse, parseChoice, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'

export interface WalletNeeds extends AdjustWallet {
  readonly customers: Customers
  readonly wallets: Wallets
}

/** [resources#wallets] */
export function walletRoutes(needs: WalletNeeds): readonly Route[] {
  const { customers, wallets } = needs
  const base = '/customers/:customer_id/wallets'
  return [
    route('GET', base, 'read', list),
    route('GET', `${base}/ledger-entries`, 'read', listEntries),
    route('POST', `${base}/ledger-entries`, 'write', createEntry),
  ]

  async function list(request: Request): Promise<Reply> {
    const { customer, key } = await existing(request)
    return ok(walletListView(walletsOf(customer, await wallets.list(key))))
  }

  async function listEntries(request: Request): Promise<Reply> {
    const wanted = parsePage(request)
    const currency = parseChoice(request, 'currency', currencies)
    const { key } = await existing(request)
    // No wallet is in another currency, so none of them has an entry.
    if (currency !== null && !isWalletCurrency(currency)) return ok(page([]))
    const entries = await wallets.entries(key, currency, wanted)
    return ok(page(entries.map((entry) => walletEntryView(key.businessId, entry))))
  }

  async function createEntry(request: Request): Promise<Reply> {
    const { currency, ...wanted } = wantedWalletEntry(parse(walletEntryCreate, request.body))
    const { customer, key } = await existing(request)
    if (!isWalletCurrency(currency)) {
      throw new Fault('UNSUPPORTED_CURRENCY', `currency must be ${walletCurrencies.join(' or ')}.`)
    }
    const adjustment = { ...wanted, currency }
    const moved = await adjustWallet(needs, key, { adjustment, at: request.at })
    return ok(walletView({ ...moved, createdAt: customer.createdAt }))
  }

  async function existing(
    request: Request,
  ): Promise<{ readonly customer: Customer; readonly key: CustomerKey }> {
    const customerId = parseId(request, 'customer_id', 'customer')
    const found = await customers.get(request.caller, customerId)
    const { businessId, mode } = request.caller
    const customer = orNotFound(found, 'customer', customerId)
    return { customer, key: { businessId, mode, customerId } }
  }
}

const isWalletCurrency = (currency: Currency): currency is WalletCurrency =>
  walletCurrencies.some((each) => each === currency)
