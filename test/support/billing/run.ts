import { balanceAt } from '../../../src/rules/accounts/account.ts'
import type { Entry } from '../../../src/rules/accounts/entry.ts'
import { groupBy } from '../../../src/std/group.ts'
import type { Outcome } from '../../model/billing/model.ts'
import { begin, living, measure, outcomeOf, step } from '../../model/billing/model.ts'
import { printed, stepText } from '../../model/billing/print.ts'
import type { Call, Program, Step } from '../../model/billing/program.ts'
import type { ModelState } from '../../model/billing/state.ts'
import { microseconds } from './catalog.ts'
import type { BillingDesk } from './desk.ts'
import { openBillingDesk } from './desk.ts'
import type { Racer } from './racer.ts'
import { startRacer } from './racer.ts'
import { orders, outcomesOf } from './races.ts'
import type { Shelf } from './shelf.ts'

/**
 * When the real operations settle: however often, the books must end the same.
 * [guarantees#determinism]
 */
export type Pace = 'always' | 'at commands' | 'as told'

/**
 * A run of a program: the real operations, beside every state that the model allows them to be in.
 */
export interface BillingRun {
  readonly desk: BillingDesk
  /**
   * Runs all steps. After each it compares the books with the model, and adds them up.
   * [guarantees#books-that-add-up, guarantees#determinism]
   */
  play(): Promise<void>
  /** How often each kind of thing has happened so far. */
  happened(): ReadonlyMap<string, number>
}

export async function openBillingRun(
  shelf: Shelf,
  program: Program,
  pace: Pace,
): Promise<BillingRun> {
  const desk = await openBillingDesk(shelf, program)
  let states: readonly ModelState[] = [begin(program)]
  const answers: string[] = []
  return { desk, play, happened }

  function happened(): ReadonlyMap<string, number> {
    const told = [...answers, ...desk.applied, ...desk.written.map(kindOf)]
    return new Map([...groupBy(told, (kind) => kind)].map(([kind, all]) => [kind, all.length]))
  }

  async function play(): Promise<void> {
    for (const [index, next] of program.steps.entries()) {
      try {
        await both(next)
        if (pace === 'always') await desk.settle()
        await compare()
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        const where = `step ${index + 1}, ${stepText(next)}, settled ${pace}`
        throw new Error(`${where}:\n${reason}\n\n${printed(program)}\n`)
      }
    }
  }

  async function both(next: Step): Promise<void> {
    const [state] = states
    if (state === undefined) throw new Error('no state is left')
    if (next.kind === 'race') return race(state, next)
    const { waiting, measured } = state
    const which = numberOf(state, next)
    for (const each of states) step(each, next)
    // There is one clock: what is due next may differ between the ways in which a race can end.
    for (const each of states) each.now = state.now
    desk.at(state.now, unmeasuredFrom(state))
    switch (next.kind) {
      case 'use':
      case 'later':
      case 'toBoundary':
        return
      case 'measure':
        return desk.measure(next.reversed ? waiting.toReversed() : waiting)
      case 'void': {
        const event = measured[next.which % measured.length]
        return event === undefined ? undefined : desk.takeBack(event.id)
      }
      case 'sweep':
        await desk.measure(waiting)
        return desk.sweep(pace === 'always')
      case 'settle':
        return pace === 'as told' ? desk.settle() : undefined
      default:
        answers.push(answerOf(next, await desk.call(next, which, state.now)))
    }
  }

  /**
   * Starts all calls at once, and holds each back before its commit; the model takes them in every
   * order. Where the clock moves meanwhile, that is a step of its own, and the calls that had not
   * ended by then come after it.
   */
  async function race(state: ModelState, next: Step & { readonly kind: 'race' }): Promise<void> {
    const { calls, order, move } = next
    const numbers = calls.map((each) => numberOf(state, each))
    if (move !== null) {
      await desk.measure(state.waiting)
      states.forEach(measure)
    }
    const at = (index: number): number => state.now + 1 + index
    desk.at(at(calls.length), unmeasuredFrom(state))
    const racers = calls.map((each, index) =>
      startRacer((hold) => desk.call(each, numbers[index] ?? null, at(index), hold)),
    )
    await Promise.all(racers.map(({ ready }) => ready))
    const ways = orders(calls.map((_, index) => index))
    const way = ways[order % ways.length] ?? []
    let early: readonly number[] = []
    for (const [turn, index] of way.entries()) {
      if (move?.after === turn) early = await moved(state.now, move.seconds, racers)
      await racers[index]?.release()
    }
    if (move !== null && move.after >= calls.length) {
      early = await moved(state.now, move.seconds, racers)
    }
    const made = await Promise.all(racers.map(({ done }) => done))
    await desk.ahead(0)
    answers.push(...calls.map((each, index) => answerOf(each, made[index] ?? false)))
    const numbered = calls.map((each, index) => ({
      ...each,
      number: numbers[index] ?? null,
      endsAt: 'days' in each && each.days !== null ? at(index) + each.days * 86_400 : null,
    }))
    const seconds = move?.seconds ?? null
    states = states.flatMap((each) => outcomesOf(each, { calls: numbered, early, seconds }))
    desk.at((states[0] ?? state).now)
  }

  /** Moves the clock on, and applies what falls due. Answers which calls had ended before. */
  async function moved(
    now: number,
    seconds: number,
    racers: readonly Racer[],
  ): Promise<readonly number[]> {
    const early = racers.flatMap(({ hasEnded }, index) => (hasEnded() ? [index] : []))
    desk.at(now)
    await desk.ahead(seconds)
    await desk.sweep(pace === 'always')
    return early
  }

  async function compare(): Promise<void> {
    const [state] = states
    if (state === undefined) throw new Error('no state is left')
    const { outcome, entries } = await seen(desk, state.now, answers)
    addUp(entries, outcome)
    const expected = states.map(outcomeOf)
    const found = states.filter((_, index) => differences(outcome, expected[index]).length === 0)
    if (found.length === 0) throw new Error(differences(outcome, expected[0]).join('\n'))
    states = [...new Map(found.map((each) => [JSON.stringify(each), each])).values()]
  }
}

const numberOf = (state: ModelState, next: Step): number | null =>
  'which' in next && next.kind !== 'void' ? (living(state, next.which)?.number ?? null) : null

/** When the oldest event was received that waits to be measured; null: none waits. */
const unmeasuredFrom = ({ waiting }: ModelState): number | null =>
  waiting.reduce<number | null>(
    (first, { received }) => Math.min(first ?? received, received),
    null,
  )

const answerOf = ({ kind }: Call, done: boolean): string => `${kind} ${done ? 'done' : 'refused'}`

/** Where the two differ, path by path. */
function differences(is: unknown, model: unknown, path = ''): readonly string[] {
  const isParent = (of: unknown): of is object => typeof of === 'object' && of !== null
  if (!isParent(is) || !isParent(model)) {
    return is === model ? [] : [`${path}: ${String(is)}, but the model says ${String(model)}`]
  }
  const keys = new Set([...Object.keys(is), ...Object.keys(model)])
  return [...keys].flatMap((key) =>
    differences(is[key as keyof object], model[key as keyof object], `${path}/${key}`),
  )
}

/** The real books in the model's words, and all entries so far. */
async function seen(desk: BillingDesk, now: number, answers: readonly string[]) {
  const { account, entries: unsaved } = await desk.read()
  const entries = [...desk.written, ...unsaved]
  const { state, grants, closed } = account
  const numberOf = (grantId: string | null): number | null =>
    grantId === null ? null : desk.numberOf(grantId)
  const seconds = (at: number | null): number | null => (at === null ? null : at / 1_000_000)
  const outcome: Outcome = {
    balance: Number(balanceAt(account, microseconds(now))),
    overage: Number(state.overage),
    dropped: Number(state.dropped),
    unreturned: Number(state.unreturned),
    grants: grants.map((grant, index) => ({
      source: grant.sourceType as 'api',
      of: grant.sourceId === null ? null : desk.subscriptionIds.indexOf(grant.sourceId),
      parent: numberOf(grant.parentGrantId),
      count: grant.rolloverCount,
      initial: Number(grant.initial),
      remaining: Number(state.holdings[index]?.remaining),
      drawn: Number(state.holdings[index]?.drawn),
      cycle: seconds(grant.cycleAt),
      endsAt: seconds(grant.expiresAt),
      createdAt: Number(seconds(grant.createdAt)),
    })),
    subscriptions: await desk.subscriptions(),
    answers: [...answers],
    totals: {
      ...totalsOf(entries),
      dropped: Number(closed.dropped + state.dropped),
      unreturned: Number(closed.unreturned + state.unreturned),
    },
  }
  const settled = account.charges.reduce((sum, { charged }) => sum + charged, 0n)
  const { consumed, incurred, dropped, unreturned } = outcome.totals
  equal('credits settled', [Number(settled)], [consumed + incurred + dropped - unreturned])
  return { outcome, entries }
}

/** The type of an entry, with repayments told apart from usage. */
const kindOf = ({ type, cause }: Entry): string =>
  cause.inputs?.rule === 'auto_repayment' ? 'auto_repayment' : type

/** What was done by the entries' own account: by type, what they moved. */
function totalsOf(entries: readonly Entry[]) {
  const repays = (entry: Entry): boolean =>
    entry.balanceAfter < entry.balanceBefore && entry.overageAfter < entry.overageBefore
  const sum = (
    types: readonly Entry['type'][],
    of: (entry: Entry) => bigint,
    which: (entry: Entry) => boolean = () => true,
  ): number =>
    Number(
      entries
        .filter((entry) => types.includes(entry.type) && which(entry))
        .reduce((all, entry) => all + of(entry), 0n),
    )
  const amount = (entry: Entry): bigint => entry.amount
  const used = (entry: Entry): boolean => !repays(entry)
  const billed = sum(['overage_charged'], amount)
  return {
    granted: sum(['credit_added', 'manual_adjustment'], amount, (entry) => entry.isCredit),
    rolled: sum(['credit_rolled_over'], amount),
    consumed: sum(['credit_deducted', 'refund'], (e) => e.balanceBefore - e.balanceAfter, used),
    incurred: sum(['credit_deducted', 'refund'], (e) => e.overageAfter - e.overageBefore, used),
    debited: sum(['manual_adjustment'], amount, (entry) => !entry.isCredit),
    repaid: sum(['credit_deducted'], amount, repays),
    billed,
    forgiven: sum(['overage_reset'], amount) - billed,
    expired: sum(['credit_expired'], amount),
    forfeited: sum(['rollover_forfeited'], amount),
  }
}

/**
 * Adds up the entries alone: each follows from the one before, and what came in became something.
 * [guarantees#books-that-add-up]
 */
function addUp(entries: readonly Entry[], { totals, grants, overage }: Outcome): void {
  let [balance, owed] = [0n, 0n]
  for (const [index, entry] of entries.entries()) {
    const { number, balanceBefore, overageBefore, balanceAfter, overageAfter } = entry
    equal(`entry ${number}`, [number, balanceBefore, overageBefore], [index + 1, balance, owed])
    if (balanceAfter < 0n || overageAfter < 0n) throw new Error(`entry ${number} is below 0`)
    balance = balanceAfter
    owed = overageAfter
  }
  const { granted, rolled, consumed, repaid, debited, expired, forfeited } = totals
  const { incurred, billed, forgiven } = totals
  const remaining = grants.reduce((sum, grant) => sum + grant.remaining, 0)
  const out = consumed + repaid + debited + expired + forfeited + rolled
  equal('the entries against the account', [Number(balance), Number(owed)], [remaining, overage])
  equal('what was granted and rolled in', [granted + rolled], [out + remaining])
  equal('overage', [overage], [incurred - billed - forgiven - repaid])
}

function equal(what: string, is: readonly unknown[], should: readonly unknown[]): void {
  const wrong = is.some((each, index) => each !== should[index])
  if (wrong) throw new Error(`I4, ${what}: ${is.join(', ')} instead of ${should.join(', ')}`)
}
