import type { AuditedEntry } from '../../parts/store/audit.ts'
import type { Credits } from '../../rules/accounts/credits.ts'
import { minus, noCredits, parseCredits, plus } from '../../rules/accounts/credits.ts'
import type { Replay, ReplayedEntry } from '../../rules/accounts/replay.ts'
import { emptyReplay, replayEntry } from '../../rules/accounts/replay.ts'
import type { CreditTransactionType } from '../../rules/facts/ledger-facts.ts'
import type { Instant } from '../../std/instant.ts'
import { backwards } from './order.ts'

/** What the entries of one account say, folded one by one. */
export interface FoldedLedger {
  readonly books: Replay
  /** What each grant was given. */
  readonly granted: ReadonlyMap<string, Credits>
  /** What usage took from each grant, less what falling usage gave back. */
  readonly drawn: ReadonlyMap<string, Credits>
  /** What usage added to the overage, less what falling usage relieved. */
  readonly incurred: Credits
  readonly last: AuditedEntry | null
  /** When the account's ledger began. */
  readonly beganAt: Instant | null
  /** When each grant's first and latest entries were made. */
  readonly moved: ReadonlyMap<string, GrantTimes>
  /** Where the ledger first runs backwards in time. */
  readonly backwards: string | null
  /** The first entry that does not fit; what follows it cannot be judged. */
  readonly broken: string | null
}

export interface GrantTimes {
  readonly first: Instant
  /** The rule that made the first; null: its release kept none. */
  readonly rule: string | null
  readonly last: Instant
}

export const nothingFolded: FoldedLedger = {
  books: emptyReplay,
  granted: new Map(),
  drawn: new Map(),
  incurred: noCredits,
  last: null,
  beganAt: null,
  moved: new Map(),
  backwards: null,
  broken: null,
}

/** What a new grant begins with: new credits, or those of the grant that rolled over. */
function granted(entry: ReplayedEntry, balance: Credits): Credits {
  if (entry.type === 'credit_rolled_over') return entry.amount
  return granting.has(entry.type) && balance > 0n ? balance : noCredits
}

const granting: ReadonlySet<CreditTransactionType> = new Set([
  'credit_added',
  'manual_adjustment',
  'auto_top_up',
])

export function foldEntry(
  before: FoldedLedger,
  audited: AuditedEntry,
  precision: number,
): FoldedLedger {
  const order = before.backwards ?? backwards(before.last, audited)
  const folded = { ...before, last: audited, backwards: order }
  if (folded.broken !== null) return folded
  const entry = booked(audited, precision)
  if (entry === null) {
    return broken(folded, `entry ${audited.number}: an amount is finer than the precision`)
  }
  const next = replayEntry(folded.books, entry)
  if (typeof next === 'string') return broken(folded, next)
  const balance = minus(entry.balanceAfter, entry.balanceBefore)
  const overage = minus(entry.overageAfter, entry.overageBefore)
  const wrong = oddity(audited, balance, overage)
  if (wrong !== null) return broken(folded, `entry ${entry.number}: ${wrong}`)
  const ofUsage = audited.referenceType === 'meter'
  const given = granted(entry, balance)
  return {
    ...folded,
    books: next,
    beganAt: folded.beganAt ?? audited.createdAt,
    moved: movedAt(folded.moved, audited),
    granted: added(folded.granted, entry.grantId, given),
    drawn: ofUsage ? added(folded.drawn, entry.grantId, minus(noCredits, balance)) : folded.drawn,
    incurred: ofUsage ? plus(folded.incurred, overage) : folded.incurred,
    broken: null,
  }
}

const broken = (folded: FoldedLedger, why: string): FoldedLedger => ({ ...folded, broken: why })

/** What is wrong with an entry by itself, whatever came before it. */
function oddity(entry: AuditedEntry, balance: Credits, overage: Credits): string | null {
  if (entry.balanceAfter.startsWith('-')) return 'the balance falls below 0'
  if (entry.overageAfter.startsWith('-')) return 'the overage falls below 0'
  if (entry.grantId === null && balance !== 0n) return 'it moves the balance, but names no grant'
  const rises = balance > 0n || (balance === 0n && overage < 0n)
  const moves = balance !== 0n || overage !== 0n
  if (moves && rises !== entry.isCredit) return 'is_credit does not say which way it moves'
  return misreferred(entry)
}

/** What an entry refers to by the rule that made it; of the others their causes say it. */
const referredTo: ReadonlyMap<string | null, string> = new Map([
  ['usage_deducted', 'meter'],
  ['usage_returned', 'meter'],
  ['manual_credit', 'api'],
  ['manual_debit', 'api'],
  ['cycle_end', 'subscription'],
  ['credit_rolled_over', 'subscription'],
  ['rollover_forfeited', 'subscription'],
])

function misreferred({ rule, meterId, referenceType, referenceId }: AuditedEntry): string | null {
  const expected = referredTo.get(rule)
  if (expected === undefined) return null
  const said = `it refers to ${referenceType ?? 'nothing'} ${referenceId ?? ''}`.trimEnd()
  if (referenceType !== expected) return `${said}, but is of the rule ${rule}`
  if (expected !== 'meter' || meterId === null || referenceId === meterId) return null
  return `${said}, but is of meter ${meterId}`
}

function added(
  sums: ReadonlyMap<string, Credits>,
  grantId: string | null,
  amount: Credits,
): ReadonlyMap<string, Credits> {
  if (grantId === null || amount === 0n) return sums
  return new Map(sums).set(grantId, plus(sums.get(grantId) ?? noCredits, amount))
}

function movedAt(
  moved: ReadonlyMap<string, GrantTimes>,
  { grantId, createdAt, rule }: AuditedEntry,
): ReadonlyMap<string, GrantTimes> {
  if (grantId === null) return moved
  const begun = moved.get(grantId) ?? { first: createdAt, rule }
  return new Map(moved).set(grantId, { ...begun, last: createdAt })
}

function booked(entry: AuditedEntry, precision: number): ReplayedEntry | null {
  const amount = parseCredits(entry.amount, precision)
  const balanceBefore = parseCredits(entry.balanceBefore, precision)
  const balanceAfter = parseCredits(entry.balanceAfter, precision)
  const overageBefore = parseCredits(entry.overageBefore, precision)
  const overageAfter = parseCredits(entry.overageAfter, precision)
  if (amount === null || balanceBefore === null || balanceAfter === null) return null
  if (overageBefore === null || overageAfter === null) return null
  const { number, type, grantId } = entry
  const cause = { inputs: entry.inputs }
  const overages = { overageBefore, overageAfter }
  return { number, type, grantId, cause, amount, balanceBefore, balanceAfter, ...overages }
}
