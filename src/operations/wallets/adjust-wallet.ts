import { Fault, orNotFound, unlessRefused } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { CustomerKey } from '../../parts/store/scope.ts'
import type { Wallets } from '../../parts/store/wallets.ts'
import type { Wallet, WalletEntry, WalletMove } from '../../rules/commerce/wallets/wallet.ts'
import { isReplay, movedWallet, walletAfter } from '../../rules/commerce/wallets/wallet.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { inTurn } from '../accounts/in-turn.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface AdjustWallet extends Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly customers: Pick<Customers, 'get'>
  readonly wallets: Pick<Wallets, 'keyed' | 'list'>
  readonly newId: NewId
}

export interface WalletAdjustment extends Pick<WalletMove, 'amount' | 'currency' | 'isCredit'> {
  readonly reason: string | null
  readonly idempotencyKey: string | null
}

/**
 * A manual credit or debit of a wallet, as it is afterwards. A repeat with the same idempotency key
 * answers what the first has answered, and changes nothing. Refuses: 404 an unknown customer, 409 a
 * key that was used for something else, 400 a debit above the balance. [resources#wallets]
 */
export function adjustWallet(
  needs: AdjustWallet,
  key: CustomerKey,
  { adjustment, at }: { readonly adjustment: WalletAdjustment; readonly at: Instant },
): Promise<Wallet> {
  const { businessId, mode, customerId } = key
  const move: WalletMove = {
    ...adjustment,
    customerId,
    eventType: 'merchant_adjustment',
    referenceId: null,
  }
  // Turns only save lost races on a busy wallet.
  return inTurn([`wallets ${mode} ${businessId} ${customerId}`], () =>
    untilWritten<Wallet>(needs, 'adjust_wallet', async () => {
      orNotFound(await needs.customers.get(key, customerId), 'customer', customerId)
      const made = await madeWith(needs, key, move)
      const held = await needs.wallets.list(key)
      const was = held.find(({ currency }) => currency === move.currency) ?? null
      if (made !== null && was !== null) return walletAfter(was, made)

      const moved = unlessRefused(movedWallet(was, move, { at, entryId: needs.newId('wle') }))
      const { wallet: row, entry } = moved
      const changed = { noun: 'wallet', expected: was, row, entry } as const
      const outcome = await needs.changes.commit(rowAlone(key, changed))
      return outcome === 'committed' ? row : lost
    }),
  )
}

/** What the idempotency key has made before; throws 409 where that was something else. */
async function madeWith(
  { wallets }: AdjustWallet,
  key: CustomerKey,
  move: WalletMove,
): Promise<WalletEntry | null> {
  if (move.idempotencyKey === null) return null
  const entry = await wallets.keyed(key, move.idempotencyKey)
  if (entry === null || isReplay(entry, move)) return entry
  throw new Fault(
    'IDEMPOTENCY_KEY_REUSED',
    'This idempotency_key was already used for something else; a new entry needs a new one.',
  )
}
