import type { GrantSource } from '../accounts/account.ts'
import type { EntryOfAccount, GrantOfAccount } from './account-records.ts'
import { amountWords } from './amount-words.ts'
import { amountOf, amountText, plain } from './amounts.ts'
import type { NamedRule } from './entry-rules.ts'
import { ruleOf } from './entry-rules.ts'

export interface GrantFacts {
  readonly grant: GrantOfAccount
  /** Oldest first, as many as the explanation shows. */
  readonly entries: readonly EntryOfAccount[]
  /** How many entries there are in all. */
  readonly count: number
}

/** One entry that touched the grant. */
export interface GrantMovement {
  readonly entry: EntryOfAccount
  readonly rule: NamedRule
  /** What the grant held after it; decimal text. */
  readonly remaining: string
  readonly sentence: string
}

export interface GrantExplanation {
  readonly grant: GrantOfAccount
  readonly rule: NamedRule
  /** The inputs of the entry that made the grant. */
  readonly inputs: EntryOfAccount['inputs']
  readonly movements: readonly GrantMovement[]
  readonly count: number
  readonly arithmetic: readonly string[]
  readonly summary: readonly string[]
}

/** Where a grant came from, and where its credits went. [credits#grants, credits#who-pays-first] */
export function explainGrant({ grant, entries, count }: GrantFacts): GrantExplanation {
  const [made] = entries
  const rule = made === undefined ? unknownRule : ruleOf(made)
  const movements = movementsOf(entries)
  const making = made === undefined ? [] : amountWords(made, grant)
  const arithmetic = [...making, ...arithmeticOf(grant, movements, count)]
  const origin = originText(grant, made)
  const lines = movements.map(({ sentence }) => sentence)
  return {
    grant,
    rule,
    inputs: made?.inputs ?? null,
    movements,
    count,
    arithmetic,
    summary: [
      `Grant ${grant.grantId} is number ${grant.number} of balance ${grant.accountId}: ${plain(grant.initial)} credits, ${plain(grant.remaining)} left.`,
      `Rule ${rule.name} (manual: ${rule.manual.join(', ')}): ${rule.sentence}`,
      origin,
      ...lines,
      ...(count > entries.length ? [moreText(count - entries.length)] : []),
      ...arithmetic,
    ],
  }
}

const moreText = (count: number): string =>
  `… and ${count} more ${count === 1 ? 'entry' : 'entries'}.`

const unknownRule: NamedRule = {
  name: 'unknown',
  manual: ['credits#grants'],
  sentence: 'The books hold no entry of this grant.',
}

/**
 * A rollover moves credits without changing the balance: its entry names the new grant.
 * [credits#cycle-end]
 */
function movementsOf(entries: readonly EntryOfAccount[]): readonly GrantMovement[] {
  let remaining = 0n
  return entries.map((entry) => {
    const rolledIn = entry.transactionType === 'credit_rolled_over'
    const change = rolledIn
      ? amountOf(entry.amount)
      : amountOf(entry.balanceAfter) - amountOf(entry.balanceBefore)
    remaining += change
    const rule = ruleOf(entry)
    const sign = change < 0n ? '−' : '+'
    const size = amountText(change < 0n ? -change : change)
    const sentence = `Entry ${entry.entryId} (number ${entry.number}, ${rule.name}): ${sign}${size}, then ${amountText(remaining)} left.`
    return { entry, rule, remaining: amountText(remaining), sentence }
  })
}

function arithmeticOf(
  grant: GrantOfAccount,
  movements: readonly GrantMovement[],
  count: number,
): readonly string[] {
  const last = movements.at(-1)
  if (last === undefined || count > movements.length) return []
  const rest = amountOf(last.remaining) - amountOf(grant.remaining)
  if (rest === 0n) return [`Its entries add up to what is left: ${plain(grant.remaining)}.`]
  if (grant.rolledInto !== null) {
    return [
      `${amountText(rest)} rolled over to grant ${grant.rolledInto}, which leaves ${plain(grant.remaining)}.`,
    ]
  }
  return [
    `Its entries leave ${last.remaining}, but the grant holds ${plain(grant.remaining)}: run \`sluice verify\`.`,
  ]
}

const origins: Readonly<Record<GrantSource, string>> = {
  subscription: 'A cycle of the subscription',
  one_time: 'A one-time purchase',
  addon: 'An add-on',
  api: 'A credit through the API',
  rollover: 'A roll-over',
}

function originText(grant: GrantOfAccount, made: EntryOfAccount | undefined): string {
  const source = grant.sourceId === null ? '' : ` (${grant.sourceId})`
  const parent = grant.parentGrantId === null ? '' : ` from grant ${grant.parentGrantId}`
  const reason = made?.description == null ? '' : ` Its reason: ${made.description}`
  return `${origins[grant.sourceType]}${source} made it${parent}.${reason}`
}
