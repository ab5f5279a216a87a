import type { Account } from '../../../src/rules/accounts/account.ts'
import { emptyAccount } from '../../../src/rules/accounts/account.ts'
import { noCause } from '../../../src/rules/accounts/cause.ts'
import { grant } from '../../../src/rules/accounts/commands.ts'
import { credits } from '../../../src/rules/accounts/credits.ts'
import type { CycleEnd } from '../../../src/rules/accounts/cycle-end.ts'
import { endCycle } from '../../../src/rules/accounts/cycle-end.ts'
import type { Entry } from '../../../src/rules/accounts/entry.ts'
import type { Decided } from '../../../src/rules/accounts/settle.ts'
import { settle } from '../../../src/rules/accounts/settle.ts'
import type { RolloverTerms } from '../../../src/rules/accounts/terms.ts'
import type { OverageBehavior } from '../../../src/rules/commerce/catalog/credit-settings.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, instantOf } from '../../../src/std/instant.ts'
import { lineOf } from '../../model/credit-programs.ts'

export const at = (days: number): Instant => instantOf(1_700_000_000_000_000 + days * day)
export const [begin, end, following] = [at(0), at(30), at(60)]

export interface Given {
  readonly id: string
  readonly amount?: bigint
  readonly type?: 'subscription' | 'api' | 'one_time' | 'addon'
  readonly of?: string
  readonly cycleAt?: Instant | null
  readonly expiresAt?: Instant | null
}

export const command = (of: Given) => ({
  grantId: of.id,
  amount: credits(of.amount ?? 100n),
  source: { type: of.type ?? ('subscription' as const), id: of.of ?? 'sub_1' },
  cycleAt: of.cycleAt === undefined ? begin : of.cycleAt,
  expiresAt: of.expiresAt ?? null,
  metadata: null,
  entryType: 'credit_added' as const,
  cause: noCause,
})

/** An account that was given these grants and used so much. */
export function accountOf(
  grants: readonly Given[],
  used = 0n,
  limit: bigint | null = null,
): Account {
  const overage = {
    enabled: true,
    limit: limit === null ? null : credits(limit),
    behavior: 'forgive_at_reset' as const,
  }
  const first: Account = { ...emptyAccount(0), overageTerms: overage }
  const given = grants.reduce((account, of) => grant(account, command(of), begin).account, first)
  if (used === 0n) return given
  const worth = { routeId: 'sub_1', meterId: 'mtr', cycleAt: begin, worth: credits(used) }
  return settle(given, { worths: [worth], overage }, begin).account
}

export const rolling = (terms: Partial<RolloverTerms> = {}): RolloverTerms => ({
  enabled: true,
  percentage: 75,
  timeframe: null,
  countMax: null,
  ...terms,
})
export const off: RolloverTerms = {
  enabled: false,
  percentage: null,
  timeframe: null,
  countMax: null,
}

export function ending(account: Account, more: Partial<CycleEnd> = {}): Decided {
  let made = 0
  return endCycle(account, {
    subscriptionId: 'sub_1',
    cycleAt: begin,
    at: end,
    nextEnd: following,
    rollover: off,
    isTrial: false,
    overage: null,
    next: null,
    newGrantId: () => `roll_${++made}`,
    ...more,
  })
}

export const next = command({ id: 'next', amount: 40n, cycleAt: end })
/** Numbers are left out: they go on from whatever was before. */
export const linesOf = ({ entries }: { readonly entries: readonly Entry[] }): readonly string[] =>
  entries.map((entry) => lineOf(entry).replace(/^\d+ /, ''))
export const idsOf = ({ account }: Decided): readonly string[] =>
  account.grants.map(({ grantId }) => grantId)
export const behaviors = {
  forgive: 'forgive_at_reset',
  invoice: 'invoice_at_billing',
  carry: 'carry_deficit',
  repay: 'carry_deficit_auto_repay',
} satisfies Record<string, OverageBehavior>
