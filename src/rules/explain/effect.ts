import { limits } from '../../limits.ts'
import { formatDecimal } from '../../std/decimal.ts'
import type { Instant } from '../../std/instant.ts'
import { plural } from '../../std/plural.ts'
import { formatCredits, minus } from '../accounts/credits.ts'
import type { SegmentUsage } from '../accounts/worth.ts'
import type { Fold } from '../meter/fold.ts'
import { mergeFolds, usageOf } from '../meter/fold.ts'
import type { Link, Segment } from '../meter/route.ts'
import { usage } from '../meter/route.ts'
import type { EntryOfAccount, Settling, Told } from './account-records.ts'
import { usageInputs } from './account-records.ts'
import { amountOf, plain, stepText } from './amounts.ts'
import { businessTime } from './clocks.ts'
import type { ExplainedTelling } from './telling.ts'
import { explainTelling } from './telling.ts'
import type { WorthStep } from './worth-words.ts'
import { explainWorth } from './worth-words.ts'

/** One route that took an event's quantity, and what the books say about it. */
export interface EffectFacts {
  readonly kind: 'subscription' | 'default_link'
  readonly routeId: string
  /** Null: charged in money only. */
  readonly entitlementId: string | null
  readonly segment: Segment
  readonly link: Link
  readonly precision: number
  /** The cycle's usage without the event and with it, in order of receipt. */
  readonly before: readonly SegmentUsage[]
  readonly after: readonly SegmentUsage[]
  /**
   * Whether the archive's events of this cycle add up to what the books hold; null: they were not
   * compared.
   */
  readonly agrees: boolean | null
  /** False: not all events of the cycle could be read. */
  readonly complete: boolean
  readonly account: AccountFacts | null
  /** The first settling with entries that had seen the event. */
  readonly settling: Settling | null
  readonly told: ReadonlyMap<string, Told>
}

export interface AccountFacts {
  readonly accountId: string
  readonly unsettled: boolean
  readonly setAside: string | null
  /** What the present cycle dropped; decimal text. */
  readonly dropped: string
}

export type SettlingState = 'settled' | 'waiting' | 'no_change' | 'set_aside' | 'money_only'

export interface ExplainedEffect {
  readonly kind: EffectFacts['kind']
  readonly routeId: string
  readonly entitlementId: string | null
  readonly cycle: { readonly start: Instant; readonly end: Instant }
  readonly segment: { readonly start: Instant; readonly end: Instant }
  readonly terms: {
    readonly unitsPerCredit: string | null
    readonly freeThreshold: string
    readonly pricePerUnit: string | null
    readonly precision: number
  }
  readonly usage: {
    readonly before: string
    readonly after: string
    readonly eventsBefore: number
    readonly complete: boolean
    readonly agrees: boolean | null
  }
  readonly credits: {
    readonly before: string
    readonly after: string
    readonly change: string
    readonly stepsBefore: readonly WorthStep[]
    readonly stepsAfter: readonly WorthStep[]
  } | null
  readonly settling: {
    readonly state: SettlingState
    readonly sentence: string
    readonly accountId: string | null
    readonly entries: readonly SettledEntry[]
  }
  readonly summary: readonly string[]
}

export interface SettledEntry {
  readonly entry: EntryOfAccount
  readonly sentence: string
  readonly telling: ExplainedTelling
}

/**
 * What an event did through one route: usage, credits, entries, webhooks. [machines#settling,
 * meters#worth]
 */
export function explainEffect(facts: EffectFacts): ExplainedEffect {
  const { kind, routeId, entitlementId, segment, link } = facts
  const usageWords = usageOfCycle(facts)
  const worth = worthWords(facts)
  const settling = settlingWords(facts, worth?.change ?? '0')
  return {
    kind,
    routeId,
    entitlementId,
    cycle: segment.cycle,
    segment: { start: segment.start, end: segment.end },
    terms: {
      unitsPerCredit: link.unitsPerCredit === null ? null : text(link.unitsPerCredit),
      freeThreshold: text(link.freeThreshold),
      pricePerUnit: link.pricePerUnit,
      precision: facts.precision,
    },
    usage: usageWords,
    credits: worth,
    settling,
    summary: [
      `Cycle from ${businessTime(segment.cycle.start)} to ${businessTime(segment.cycle.end)}, terms since ${businessTime(segment.start)}.`,
      `Usage of the cycle: ${usageWords.before} before (${plural(usageWords.eventsBefore, 'event')}), ${usageWords.after} with it.${doubt(facts)}`,
      ...(worth === null ? [] : worthLines(worth)),
      settling.sentence,
      ...settling.entries.flatMap(({ sentence, telling }) => [sentence, telling.sentence]),
    ],
  }
}

function doubt({ agrees, complete }: EffectFacts): string {
  if (!complete) return ' Some events of the cycle could not be read, so usage is at least this.'
  return agrees === false
    ? ' The books hold other usage than the events kept add up to: some of them are no longer kept, were taken back, or were measured in the very moment of a change of terms.'
    : ''
}

function usageOfCycle({ before, after, complete, agrees }: EffectFacts): ExplainedEffect['usage'] {
  const [folded, grown] = [foldOf(before), foldOf(after)]
  return {
    before: text(folded === null ? 0n : usageOf(folded)),
    after: text(grown === null ? 0n : usageOf(grown)),
    eventsBefore: folded?.events ?? 0,
    complete,
    agrees,
  }
}

function foldOf(segments: readonly SegmentUsage[]): Fold | null {
  return segments.reduce<Fold | null>(
    (all, { fold }) => (all === null ? fold : mergeFolds(all, fold)),
    null,
  )
}

function worthWords(facts: EffectFacts): ExplainedEffect['credits'] {
  const { entitlementId, precision } = facts
  if (entitlementId === null) return null
  const [before, after] = [facts.before, facts.after].map((all) => explainWorth(all, precision))
  if (before === undefined || after === undefined) return null
  return {
    before: formatCredits(before.worth, precision),
    after: formatCredits(after.worth, precision),
    change: formatCredits(minus(after.worth, before.worth), precision),
    stepsBefore: before.steps,
    stepsAfter: after.steps,
  }
}

const worthLines = (worth: NonNullable<ExplainedEffect['credits']>): readonly string[] => [
  `Credits: ${worth.before} before, ${worth.after} with it: ${worth.change.startsWith('-') ? '' : '+'}${worth.change}.`,
  ...worth.stepsAfter.map(({ sentence }) => `  ${sentence}`),
]

function settlingWords(facts: EffectFacts, change: string): ExplainedEffect['settling'] {
  const { account, settling, told } = facts
  const entries = (settling?.entries ?? []).map((entry) => ({
    entry,
    sentence: entryText(entry),
    telling: explainTelling(entry, told.get(entry.entryId) ?? { waiting: [], deliveries: [] }),
  }))
  const [state, sentence] = stateOf(facts, change)
  return { state, sentence, accountId: account?.accountId ?? null, entries }
}

function stateOf(facts: EffectFacts, change: string): readonly [SettlingState, string] {
  const { entitlementId, account, settling } = facts
  if (entitlementId === null) {
    return ['money_only', 'It is worth money, not credits: the invoice of the cycle charges it.']
  }
  if (settling !== null) return ['settled', settledText(settling)]
  if (account?.setAside != null) {
    return ['set_aside', `The balance is set aside, since settling it failed: ${account.setAside}`]
  }
  if (account === null || account.unsettled) {
    return ['waiting', 'It is measured and will be settled within seconds.']
  }
  return ['no_change', unmovedText(account, change)]
}

function settledText({ entries }: Settling): string {
  const dropped = usageInputs(entries[0])?.droppedInCycle
  const lost =
    dropped !== undefined && amountOf(dropped) > 0n
      ? ` Of the account's usage in this cycle ${plain(dropped)} credits had been dropped by then.`
      : ''
  const many = entries.length === 1 ? 'this entry' : `these ${entries.length} entries`
  return `Settled by ${many}, with all other usage of the meter that was measured since the settling before.${lost}`
}

function unmovedText({ dropped }: AccountFacts, change: string): string {
  if (amountOf(change) === 0n) {
    return 'Settled without an entry: it did not change what the usage is worth (below the free threshold, within a fraction of a credit, or not more than the maximum or last value).'
  }
  if (amountOf(dropped) > 0n) {
    return `Settled without an entry: nobody could pay for it, so it was dropped (${plain(dropped)} credits of this cycle so far).`
  }
  return 'Settled without an entry: by then other events had taken back what it added, or an earlier fall was made up for.'
}

function entryText(entry: EntryOfAccount): string {
  const { entryId, number, transactionType, grantId } = entry
  const where = grantId === null ? 'overage' : `grant ${grantId}`
  const step =
    grantId === null
      ? stepText(entry.overageBefore, entry.overageAfter)
      : stepText(entry.balanceBefore, entry.balanceAfter)
  return `Entry ${entryId} (number ${number}, ${transactionType}) on ${where}: ${step}.`
}

const text = (scaled: bigint): string => formatDecimal(usage(scaled), limits.usageScale)
