import type { AccountChange } from '../../src/parts/store/accounts.ts'
import type { Instant } from '../../src/std/instant.ts'
import { meters } from './billing-catalog.ts'
import type { Shelf } from './billing-shelf.ts'

/** What operations need, with an eye on what they write. */
export function needsOf(
  shelf: Shelf,
  {
    now,
    watermark = now,
    keep,
  }: {
    readonly now: () => Instant
    readonly watermark?: () => Instant
    readonly keep: (changes: readonly AccountChange[]) => void
  },
) {
  const { accounts, subscriptions } = shelf
  const seen = async (written: Promise<boolean>, changes: readonly AccountChange[]) => {
    const won = await written
    if (won) keep(changes)
    return won
  }
  return {
    ...shelf,
    ...{ clock: { now, believed: now }, meters, patienceMs: 0 },
    measuring: { watermark: async () => watermark() },
    accounts: {
      ...accounts,
      save: async (changes: readonly AccountChange[]) => {
        const saved = await accounts.save(changes)
        keep(changes.filter(({ accountId }) => saved.has(accountId)))
        return saved
      },
    },
    subscriptions: {
      ...subscriptions,
      activate: (...of: Parameters<typeof subscriptions.activate>) =>
        seen(subscriptions.activate(...of), of[2].changes),
      change: (...of: Parameters<typeof subscriptions.change>) =>
        seen(subscriptions.change(...of), of[2].changes),
    },
  }
}
