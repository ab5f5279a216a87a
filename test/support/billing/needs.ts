import type { Change } from '../../../src/parts/store/changes.ts'
import type { AccountChange } from '../../../src/rules/accounts/change.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { meters } from './catalog.ts'
import type { Shelf } from './shelf.ts'
import { unnamed } from './unpaid.ts'

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
  return {
    ...shelf,
    ...unnamed,
    clock: { now, believed: now },
    meters,
    patienceMs: 0,
    measuring: { watermark: async () => watermark() },
    changes: {
      commit: async (change: Change) => {
        const outcome = await shelf.changes.commit(change)
        if (outcome === 'committed') keep(change.accounts)
        return outcome
      },
    },
  }
}

/**
 * What the first commit of a call waits for. Later commits wait for it, too, which is over by then.
 */
export type Hold = () => Promise<void>

/** These needs with every commit held back: what the call has decided on may have moved by then. */
export const heldBack = <T extends Pick<ReturnType<typeof needsOf>, 'changes'>>(
  needs: T,
  hold: Hold,
): T => ({
  ...needs,
  changes: {
    commit: async (change: Change) => {
      await hold()
      return needs.changes.commit(change)
    },
  },
})
