import { AssertionError } from 'node:assert'
import { expect } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import { applyBoundary } from '../../../src/operations/boundaries/apply-boundary.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, second } from '../../../src/std/instant.ts'
import { advance, call as modelCall, namedBefore } from '../../model/money/model.ts'
import type { Call, Program, Step } from '../../model/money/program.ts'
import type { Seen } from '../../model/money/seen.ts'
import { seenOf } from '../../model/money/seen.ts'
import type { MoneyState } from '../../model/money/state.ts'
import { emptyState } from '../../model/money/state.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { atMoment, january } from '../store/scratch-store.ts'
import type { Named } from './calls.ts'
import { doCall } from './calls.ts'
import { differing, inModelsOrder, isSame, ordersOf, sameAs, worthOf } from './comparing.ts'
import type { Looked } from './looking.ts'
import { look } from './looking.ts'
import { Died, fatedProcessor } from './processor.ts'
import type { ToldFact } from './receiver.ts'
import { receiver } from './receiver.ts'
import { openShop } from './shop.ts'

/** Plays a program on a store and on the model, and compares them after every step. */
export async function openMoneyRun(store: ScratchStore, { fates, steps, world }: Program) {
  const shop = await openShop(store, world)
  const fated = fatedProcessor(fates)
  const sessions: string[] = []
  const heard = receiver()
  const happened = new Map<string, number>()
  let model = emptyState(world)
  let named: Named = await looked(0).then((all) => all.named)
  let toldUpTo = 0
  let now = 0
  let taken = 0
  return { play, take, takeCut, happened: () => happened, scope: shop.scope }

  async function play(): Promise<void> {
    for (const step of steps) await take(step)
  }

  async function take(step: Step): Promise<void> {
    const where = begin(step)
    const applied = await until(now)
    const calls = callsOf(step).map((each) => namedBefore(model, each))
    const real = await Promise.all(calls.map((each) => done(each, now)))
    fated.revive()
    advance(model, now, fates)
    // Nobody has done anything.
    if (applied === 0 && calls.length > 0 && real.every((each) => each === 'nothing')) {
      expect(calls.map((each) => modelCall(model, each, fates))).toEqual(real)
      return
    }
    await agree(
      ordersOf(calls.length).map((order) => inOrder(calls, real, order)),
      real,
      where,
    )
    note(step, real)
  }

  /**
   * Takes a step while the store fails somewhere: then all of it is done, nothing, or the charge is
   * claimed and nobody has heard what became of it. Answers whether a caller may try again.
   */
  async function takeCut(step: Step, arm: () => () => void): Promise<boolean> {
    const where = begin(step)
    const told = fated.confirmed
    const disarm = arm()
    const applied = await until(now).catch(() => 0)
    const [call] = callsOf(step)
    const answer = call === undefined ? 'done' : await done(call, now).catch(() => 'cut')
    disarm()
    fated.revive()
    // The process is there again, and goes on where the boundaries are.
    if (call === undefined) await until(now)
    const before = model
    const ends = (['heard', 'dies', 'lost'] as const).map((heard) => {
      const state = structuredClone(before)
      const cut = fates.map((fate, index) =>
        index === before.asked % fates.length ? { ...fate, answer: heard } : fate,
      )
      advance(state, now, cut)
      if (call !== undefined) modelCall(state, call, cut)
      return { state, said: { answers: [answer], ...seenOf(state) } }
    })
    const untouched = structuredClone(before)
    advance(untouched, now, fates)
    const nothing = { state: untouched, said: { answers: [answer], ...seenOf(untouched) } }
    const some =
      call === undefined
        ? ends
        : [...ends, nothing, ...unwritten(call, answer, fated.confirmed > told)]
    await agree(some, [answer], where)
    return model === untouched && applied === 0
  }

  /** A buyer has confirmed, and nobody has written what came of it, if the processor heard it. */
  function unwritten(call: Call, answer: string, hears: boolean): readonly Ending[] {
    if (call.kind !== 'confirm') return []
    const state = structuredClone(model)
    advance(state, now, fates)
    const asking = state.payments.find(({ status }) => status === 'requires_customer_action')
    if (asking !== undefined) asking.status = 'requires_confirmation'
    const charge = state.charges[asking?.number ?? -1]
    if (hears && charge !== undefined) Object.assign(charge, { passed: call.passed, from: now })
    return [{ state, said: { answers: [answer], ...seenOf(state) } }]
  }

  /** A second a step, so that no two things are due at the same moment. */
  function begin(step: Step): string {
    taken += 1
    now += 1 + (step.kind === 'later' ? step.seconds : 0)
    return `${taken}. ${step.kind}`
  }

  function deskAt(now: number): ScratchStore {
    fated.now = now
    const processor = { ...store.processors.test, ...fated.processor }
    const changes = fated.mortal(store.changes)
    return atMoment(momentOf(now), {
      ...store,
      changes,
      newId: (prefix: Parameters<ScratchStore['newId']>[0]) => {
        const id = store.newId(prefix)
        if (prefix === 'cks') sessions.push(id)
        return id
      },
      rapidUpTo: world.rapid ? 5_000 : null,
      processors: {
        ...store.processors,
        test: { ...processor, refundsAtOnce: world.refundsAtOnce },
      },
    })
  }

  /** Applies what is due, in its order; a process that dies of something is there again at once. */
  async function until(now: number): Promise<number> {
    for (let applied = 0; ; applied += 1) {
      const [next] = await store.boundaries.due(momentOf(now), shop.scope, 1)
      if (next === undefined) return applied
      note({ kind: next.kind }, [])
      await applyBoundary(deskAt((next.at - january) / second), next).catch(survive)
      fated.revive()
    }
  }

  async function done(step: Call, now: number): Promise<string> {
    try {
      return await doCall(deskAt(now), shop, { step, named })
    } catch (error) {
      if (error instanceof Died) return 'died'
      if (error instanceof Fault && error.code !== 'UNAVAILABLE') return error.code
      const isSentence = error instanceof Error && !(error instanceof AssertionError)
      if (isSentence && ['settle', 'dispute', 'move', 'payout', 'mark'].includes(step.kind))
        return 'refused'
      throw error
    }
  }

  function inOrder(
    calls: readonly Call[],
    real: readonly string[],
    order: readonly number[],
  ): Ending {
    const state = structuredClone(model)
    const answers = [...real]
    for (const index of order) {
      const one = calls[index]
      if (one !== undefined) answers[index] = modelCall(state, one, fates)
    }
    const said = answers.map((each, at) => sameAs(each, real[at]))
    return { state, said: { answers: said, ...seenOf(state) } }
  }

  /** What is there is one of the ends to which the model can come. */
  async function agree(
    tried: readonly Ending[],
    real: readonly string[],
    where: string,
  ): Promise<void> {
    const all = await looked(now)
    const from = real.length > 1 ? model.ledger.length : all.seen.ledger.length
    const seen = refundsLast({ answers: real, ...all.seen }, from)
    const fits = tried.find(({ said }) => isSame(refundsLast(said, from), seen))
    if (fits === undefined) {
      throw new Error(
        `${where}:\n${differing(tried[0]?.said ?? {}, { answers: real, ...all.seen })}`,
      )
    }
    model = { ...fits.state, ledger: all.seen.ledger.map(([type, amount]) => [type, amount]) }
    named = inModelsOrder(named, all, model)
    await relied(all, where)
    expect({ where, balance: all.balance }).toEqual({ where, balance: worthOf(model) })
  }

  async function relied({ named, seen }: Looked, where: string): Promise<void> {
    const rows = await store.db.query<ToldFact & { id: number }>(sql`
      select id, type, data from outbox
      where id > ${toldUpTo} and business_id = ${shop.scope.businessId} order by id`)
    for (const row of rows) {
      toldUpTo = row.id
      heard.hear(row)
      if (row.type.startsWith('credit.roll')) note({ kind: row.type }, [])
    }
    const settled = model.refunds.filter(({ status }) => status !== 'pending')
    const found = heard.contradicts({
      ...seen,
      paymentIds: named.payments.map(({ paymentId }) => paymentId),
      subscriptionIds: named.subscriptions,
      settledRefunds: settled.length,
      disputes: seen.disputes.length,
      licenses: seen.licenses.length,
    })
    const wrong = [...heard.wrong, ...found]
    if (wrong.length > 0) throw new Error(`${where}:\n${wrong.join('\n')}`)
  }

  function looked(now: number): Promise<Looked> {
    return look(store, shop, { at: momentOf(now), sessions })
  }

  function note(step: Step | { readonly kind: string }, results: readonly string[]): void {
    for (const result of results.length === 0 ? [''] : results) {
      const key = `${step.kind} ${result}`.trim()
      happened.set(key, (happened.get(key) ?? 0) + 1)
    }
  }
}

interface Ending {
  readonly state: MoneyState
  readonly said: Seen & { readonly answers: readonly string[] }
}

/**
 * A refund is decided before its money goes back, and what else happens at that moment may be
 * booked in between: in the ledger from `from` on, refunds stand behind all else.
 */
function refundsLast<T extends Pick<Seen, 'ledger'>>(of: T, from: number): T {
  const isRefund = ([type]: Seen['ledger'][number]) => type.startsWith('refund')
  const made = of.ledger.slice(from)
  const refunds = made.filter(isRefund).toSorted((a, b) => (`${a}` < `${b}` ? -1 : 1))
  const others = made.filter((each) => !isRefund(each))
  return { ...of, ledger: [...of.ledger.slice(0, from), ...others, ...refunds] }
}

function callsOf(step: Step): readonly Call[] {
  if (step.kind === 'later') return []
  return step.kind === 'race' ? step.calls : [step]
}

const momentOf = (now: number): Instant => after(january, now * second)

function survive(error: unknown): void {
  if (!(error instanceof Died)) throw error
}
