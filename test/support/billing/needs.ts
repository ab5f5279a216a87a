import type { AccountChange } from '../../../src/rules/accounts/change.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { meters } from './catalog.ts'
import type { Shelf } from './shelf.ts'

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

/** What a commit waits for; every later one of the same call as well, which then is no wait. */
export type Hold = () => Promise<void>

/** The same, with every commit held back: what was decided may be old by then. */
export const heldBack = <T extends Pick<ReturnType<typeof needsOf>, 'accounts' | 'subscriptions'>>(
  needs: T,
  hold: Hold,
): T => {
  const { accounts, subscriptions } = needs
  const held =
    <Of extends readonly unknown[], Answer>(commit: (...of: Of) => Promise<Answer>) =>
    async (...of: Of): Promise<Answer> => {
      await hold()
      return commit(...of)
    }
  return {
    ...needs,
    accounts: { ...accounts, save: held(accounts.save) },
    subscriptions: {
      ...subscriptions,
      activate: held(subscriptions.activate),
      change: held(subscriptions.change),
    },
  }
}
