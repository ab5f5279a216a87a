import { commandsInTurn } from '../../../rules/accounts/commands-in-turn.ts'
import { groupBy } from '../../../std/group.ts'
import type { RefundNeeds } from '../refund-needs.ts'
import { issueCreditNote } from './credit-note.ts'
import { takeBackCredits } from './credits.ts'
import { takeBackEarnings } from './earnings.ts'
import { takeBackGrants } from './grants.ts'
import { takeBackLicenseKeys } from './license-keys.ts'
import type { RefundMoment, TakenByRefund, TakingBack } from './taking-back.ts'
import { giveBackToWallet } from './wallet.ts'

/** Every subject of which a refund can take something back, in the order of their facts. */
const subjects: readonly TakingBack<RefundNeeds>[] = [
  takeBackEarnings,
  giveBackToWallet,
  issueCreditNote,
  takeBackGrants,
  takeBackLicenseKeys,
  takeBackCredits,
]

/** What was loaded of all subjects, and their decisions as one. */
export interface AllTaking {
  readonly entitlementIds: readonly string[]
  readonly look: () => Promise<void>
  readonly decide: (moment: RefundMoment) => Required<TakenByRefund>
}

/** Loads all subjects of which the payment has brought something. */
export async function takeBackAll(...of: Parameters<TakingBack<RefundNeeds>>): Promise<AllTaking> {
  const loaded = await Promise.all(subjects.map((each) => each(...of)))
  const concerned = loaded.flatMap((each) => each ?? [])
  return {
    entitlementIds: [...new Set(concerned.flatMap(({ entitlementIds }) => entitlementIds))],
    look: async () => {
      await Promise.all(concerned.map(({ look }) => look?.()))
    },
    decide: (moment) => {
      const all = concerned.map(({ decide }) => decide(moment))
      const commands = all.flatMap((taken) => [...(taken.commands ?? [])])
      const byEntitlement = groupBy(commands, ([id]) => id)
      return {
        commands: new Map(
          [...byEntitlement].map(([id, of]) => [id, commandsInTurn(of.map(([, each]) => each))]),
        ),
        rows: all.flatMap(({ rows }) => rows ?? []),
        facts: all.flatMap(({ facts }) => facts ?? []),
      }
    },
  }
}
