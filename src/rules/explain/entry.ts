import type { Instant } from '../../std/instant.ts'
import { plural } from '../../std/plural.ts'
import type { Early } from '../accounts/early-end.ts'
import type { CreditTransactionType } from '../facts/ledger-facts.ts'
import type { EventPlace } from '../meter/place.ts'
import type { EntryOfAccount, GrantOfAccount, Settling, Told } from './account-records.ts'
import { usageInputs } from './account-records.ts'
import { amountWords } from './amount-words.ts'
import { amountOf, amountText, plain, stepText } from './amounts.ts'
import type { NamedRule } from './entry-rules.ts'
import { ruleOf } from './entry-rules.ts'
import type { ExplainedTelling } from './telling.ts'
import { explainTelling } from './telling.ts'
import type { ExplainedWorth, WorthStep } from './worth-words.ts'

/** One event behind a usage entry. */
export interface CoveredEvent {
  readonly eventId: string
  readonly place: EventPlace
  /** Decimal text. */
  readonly quantity: string
}

/** An event that an earlier settling had seen, and that was voided since. */
export interface TakenBack {
  readonly eventId: string
  readonly at: Instant
  readonly reason: string
}

/** The usage that a settling covered: what came between the previous settling and this one. */
export interface CoveredUsage {
  readonly routeId: string
  readonly count: number
  /** The first of the events, in order of receipt. */
  readonly first: readonly CoveredEvent[]
  /** Events that voids took back out since the settling before: the first of them, and how many. */
  readonly takenBack: { readonly count: number; readonly first: readonly TakenBack[] }
  /** False: some of the cycle's events are no longer kept, or were too many to read. */
  readonly complete: boolean
  /** The cycle's usage at the previous settling and at this one; null where it cannot be told. */
  readonly before: ExplainedWorth | null
  readonly after: ExplainedWorth | null
}

export interface EntryFacts {
  readonly entry: EntryOfAccount
  readonly told: Told
  readonly grant: GrantOfAccount | null
  /** Present for usage entries. */
  readonly settling: Settling | null
  readonly usage: CoveredUsage | null
}

export type EntryCause =
  | {
      readonly kind: 'events'
      readonly meterId: string
      readonly routeId: string
      readonly count: number
      readonly complete: boolean
      readonly first: readonly CoveredEvent[]
      readonly takenBack: CoveredUsage['takenBack']
      /** Entries of the same settling, including this one. */
      readonly entryIds: readonly string[]
      readonly sentence: string
    }
  | { readonly kind: 'command' | 'boundary'; readonly sentence: string }

export interface EntryExplanation {
  readonly entry: EntryOfAccount
  readonly rule: NamedRule
  readonly arithmetic: readonly string[]
  readonly cause: EntryCause
  readonly grant: GrantOfAccount | null
  readonly worth: {
    readonly before: readonly WorthStep[]
    readonly after: readonly WorthStep[]
  } | null
  readonly telling: ExplainedTelling
  readonly summary: readonly string[]
}

/**
 * Why an entry exists: the rule, its arithmetic, and what set it off. [resources#ledger-entries]
 */
export function explainEntry(facts: EntryFacts): EntryExplanation {
  const { entry, usage } = facts
  const rule = ruleOf(entry)
  const arithmetic = [
    ...worthText(facts),
    ...amountWords(entry, facts.grant),
    ...movementText(facts),
    ...siblingText(facts),
  ]
  const cause = causeOf(facts)
  const telling = explainTelling(entry, facts.told)
  return {
    entry,
    rule,
    arithmetic,
    cause,
    grant: facts.grant,
    worth: usage === null ? null : worthOfUsage(usage),
    telling,
    summary: [headline(entry), ...ruleText(rule), cause.sentence, ...arithmetic, telling.sentence],
  }
}

const headline = ({ entryId, number, transactionType, amount, accountId }: EntryOfAccount) =>
  `Entry ${entryId} is number ${number} of balance ${accountId}: ${transactionType} of ${plain(amount)} credits.`

const ruleText = ({ name, manual, sentence }: NamedRule): readonly string[] => [
  `Rule ${name} (manual: ${manual.join(', ')}): ${sentence}`,
]

const worthOfUsage = ({ before, after }: CoveredUsage): EntryExplanation['worth'] =>
  before === null || after === null ? null : { before: before.steps, after: after.steps }

/** How the usage became credits. */
function worthText({ entry, usage }: EntryFacts): readonly string[] {
  const { worthBefore: before, worthAfter: after } = usageInputs(entry) ?? {}
  if (before === undefined || after === undefined) return []
  const change = amountOf(after) - amountOf(before)
  const moved = `The worth of the cycle's usage went from ${plain(before)} to ${plain(after)} credits: ${change < 0n ? '' : '+'}${amountText(change)}.`
  const formulas = (usage?.after?.steps ?? []).map(({ sentence }) => `Worth: ${sentence}.`)
  return [...formulas, moved]
}

/** How the entry moved balance and overage. */
function movementText({ entry, grant }: EntryFacts): readonly string[] {
  const { balanceBefore, balanceAfter, overageBefore, overageAfter } = entry
  const lines: string[] = []
  if (amountOf(balanceBefore) !== amountOf(balanceAfter)) {
    const where =
      grant === null ? '' : ` through grant ${grant.grantId}, number ${grant.number} of the account`
    lines.push(`Balance: ${stepText(balanceBefore, balanceAfter)}${where}.`)
  }
  if (amountOf(overageBefore) !== amountOf(overageAfter))
    lines.push(`Overage: ${stepText(overageBefore, overageAfter)}.`)
  if (lines.length > 0) return lines
  return [`Balance and overage stand at ${plain(balanceAfter)} and ${plain(overageAfter)}.`]
}

/** How the entries of one settling share what was to be paid. */
function siblingText({ entry, settling }: EntryFacts): readonly string[] {
  const { worthBefore: before, worthAfter: after } = usageInputs(entry) ?? {}
  if (settling === null || before === undefined || after === undefined) return []
  const demanded = amountOf(after) - amountOf(before)
  const placed = settling.entries.reduce((sum, each) => sum + placedBy(each), 0n)
  const rest = demanded - placed
  const count = settling.entries.length
  const together =
    count === 1
      ? []
      : [
          `The settling made ${count} entries, one for each grant touched and one for overage; together they place ${amountText(placed)}.`,
        ]
  if (rest === 0n) return together
  const why =
    rest > 0n
      ? 'were dropped: grants and overage had no room for them, or an earlier fall was still to be made up for'
      : 'could not be given back to anybody, or had been dropped before'
  return [...together, `The other ${amountText(rest < 0n ? -rest : rest)} ${why}.`]
}

const placedBy = (entry: EntryOfAccount): bigint =>
  amountOf(entry.balanceBefore) -
  amountOf(entry.balanceAfter) +
  amountOf(entry.overageAfter) -
  amountOf(entry.overageBefore)

function causeOf({ entry, settling, usage }: EntryFacts): EntryCause {
  if (settling === null || usage === null)
    return { kind: kindOf(entry), sentence: commandText(entry) }
  const { count, complete, first, takenBack, routeId } = usage
  const since = settling.since === null ? 'in this cycle so far' : 'since the settling before'
  const known = `${complete ? '' : 'at least '}${plural(count, 'event')}`
  return {
    kind: 'events',
    meterId: entry.referenceId ?? '',
    routeId,
    count,
    complete,
    first,
    takenBack,
    entryIds: settling.entries.map(({ entryId }) => entryId),
    sentence: `It covers ${known} of meter ${entry.referenceId} through ${routeId}, measured ${since}.${takenBackText(takenBack)}`,
  }
}

function takenBackText({ count, first }: CoveredUsage['takenBack']): string {
  if (count === 0) return ''
  const named = first.map(({ eventId, reason }) => `${eventId} (“${reason}”)`).join(', ')
  const rest = count > first.length ? ` and ${count - first.length} more` : ''
  return ` Voided since then, and taken back: ${named}${rest}.`
}

const boundaries: ReadonlySet<CreditTransactionType> = new Set([
  'credit_expired',
  'credit_rolled_over',
  'rollover_forfeited',
  'overage_charged',
  'overage_reset',
])

/**
 * A cycle's credits come with a command when it is activated, and with the end of a cycle later.
 */
function kindOf({ transactionType, inputs }: EntryOfAccount): 'command' | 'boundary' {
  const early = earlyOf(inputs)?.endedBy
  if (early !== undefined) return early === 'expiry' ? 'boundary' : 'command'
  return boundaries.has(transactionType) ||
    inputs?.rule === 'auto_repayment' ||
    (inputs?.rule === 'cycle_grant' && inputs.endedAt !== undefined)
    ? 'boundary'
    : 'command'
}

function commandText(entry: EntryOfAccount): string {
  const { description, referenceType, referenceId, entitlementId, customerId } = entry
  const reason = description === null ? '' : ` Its reason: ${description}`
  if (referenceType === 'api') {
    const path = `/credit-entitlements/${entitlementId}/balances/${customerId}/ledger-entries`
    return `POST ${path} with entry_type ${entry.isCredit ? 'credit' : 'debit'} made it.${reason}`
  }
  const early = earlyText(entry.inputs)
  if (early !== null) return early
  const of = referenceId === null ? '' : ` of ${referenceType ?? ''} ${referenceId}`
  const quantity = quantityOf(entry.inputs)
  const times = quantity === undefined ? '' : `, quantity ${quantity}`
  return kindOf(entry) === 'boundary'
    ? `The end of a cycle or a grant${of} made it: such moments are known ahead and applied when due.${reason}`
    : `A command${of}${times} made it.${reason}`
}

/**
 * What ended a cycle before its planned end. [credits#endings, credits#overage,
 * subscriptions#endings]
 */
function earlyText(inputs: EntryOfAccount['inputs']): string | null {
  const { endedBy: by, subscriptionId: id } = earlyOf(inputs) ?? {}
  const subscription = `subscription ${String(id)}`
  switch (by) {
    case 'plan_change':
      return `A change of the plan of ${subscription} made it, at which its terms for these credits, or its whole cycle, ended.`
    case 'cancellation':
      return `The cancellation of ${subscription} made it, which cut its cycle short.`
    case 'expiry':
      return `The end of ${subscription} made it, whose expires_at came before the end of its cycle.`
    default:
      return null
  }
}

const earlyOf = (inputs: EntryOfAccount['inputs']): Early | null =>
  inputs !== null && 'endedBy' in inputs ? inputs : null

const quantityOf = (inputs: EntryOfAccount['inputs']): number | undefined =>
  inputs !== null && 'quantity' in inputs ? inputs.quantity : undefined
