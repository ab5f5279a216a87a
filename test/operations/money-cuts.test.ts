import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyBooks } from '../../src/operations/verify/verify-books.ts'
import { audit } from '../../src/parts/store/postgres/audit/audit.ts'
import type { Fate } from '../model/money/fates.ts'
import type { PlanChange, Program, Step } from '../model/money/program.ts'
import type { Cut } from '../support/money/failing-store.ts'
import { failingStore } from '../support/money/failing-store.ts'
import { openMoneyRun } from '../support/money/run.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { scratchStore } from '../support/store/scratch-store.ts'

/** CUTS=all fails at every call of the store, not only where it writes. */
const everywhere = process.env['CUTS'] === 'all'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const pays: Fate = { truth: 'paid', after: 0, answer: 'heard', asks: false, news: [] }
const asks: Fate = { ...pays, asks: true }
const declines: Fate = { ...pays, truth: 'declined' }

const world: Program['world'] = {
  prices: { tool: 999, plan: 1_000, trial: 500, brief: 300, demand: 400 },
  code: { percent: 25, limit: 2 },
  taxed: true,
  fees: true,
  refundsAtOnce: true,
  rapid: false,
  rollover: {
    days: null,
    terms: {
      plan: { percent: 50, most: 1 },
      trial: null,
      brief: { percent: 25, most: null },
      demand: null,
    },
  },
}

const day = 86_400
const later = (seconds: number): Step => ({ kind: 'later', seconds })
const tool = { kind: 'buy', product: 'tool', quantity: 2, code: true, card: 0 } as const
const plan = { kind: 'buy', product: 'plan', quantity: 1, code: false, card: 0 } as const
const brief = { kind: 'buy', product: 'brief', quantity: 1, code: false, card: 1 } as const
const refund = { kind: 'refund', payment: 0, part: null } as const
const dispute = { kind: 'dispute', payment: 0, amount: null } as const

interface Scenario {
  readonly name: string
  readonly before?: readonly Step[]
  readonly step: Step
  readonly fates?: readonly Fate[]
  readonly waits?: boolean
}

const scenarios: readonly Scenario[] = [
  { name: 'a purchase', before: [tool], fates: [declines, pays], step: pay() },
  { name: 'a subscription', before: [plan], fates: [declines, pays], step: pay() },
  { name: 'a confirmation', before: [plan], fates: [asks, pays], step: confirm() },
  { name: 'a saved method', before: [plan], step: open('tool', 0) },
  { name: 'a subscription that waits', step: open('brief', null) },
  {
    name: 'a charge on demand',
    before: [{ kind: 'buy', product: 'demand', quantity: 1, code: false, card: 0 }],
    step: { kind: 'charge', subscription: 0, cents: 700 },
  },
  { name: 'a renewal', before: [plan], step: later(30 * day) },
  {
    name: 'a retry of a renewal',
    before: [plan, later(30 * day)],
    fates: [pays, declines, pays],
    step: later(day / 2),
  },
  {
    name: 'another method that pays what is owed',
    before: [plan, brief, later(10 * day)],
    fates: [pays, pays, declines, pays],
    step: { kind: 'method', subscription: 1, method: 0 },
  },
  { name: 'a refund', before: [tool], step: refund },
  {
    name: 'a refund that waited',
    before: [tool, refund],
    waits: true,
    step: { kind: 'settle', refund: 0, succeeded: true },
  },
  { name: 'a dispute', before: [tool], step: dispute },
  {
    name: 'a dispute that is withdrawn',
    before: [tool, dispute],
    step: { kind: 'move', dispute: 0, to: 'cancelled' },
  },
  { name: 'a dispute that nobody answers', before: [tool, dispute], step: later(10 * day) },
  { name: 'a payout', before: [tool], step: { kind: 'payout' } },
  {
    name: 'a payout that comes back',
    before: [tool, { kind: 'payout' }],
    step: { kind: 'mark', payout: 0, to: 'failed' },
  },
  { name: 'a license', before: [tool], step: { kind: 'activate', license: 0 } },
  { name: 'a plan change that is owed', before: [brief], step: change('full_immediately', false) },
  {
    name: 'a plan change that is paid first',
    before: [brief],
    step: change('full_immediately', true),
  },
  {
    name: 'a plan change that charges nothing',
    before: [brief],
    step: change('do_not_bill', true),
  },
  {
    name: 'a plan change that has waited',
    before: [brief, change('later', false)],
    step: later(10 * day),
  },
  { name: 'a cancellation', before: [plan], step: { kind: 'cancel', subscription: 0 } },
]

function pay(): Step {
  return { kind: 'pay', session: 0, card: 0 }
}

function confirm(): Step {
  return { kind: 'confirm', session: 0, passed: true }
}

function open(product: 'tool' | 'brief', method: number | null): Step {
  return { kind: 'open', product, quantity: 1, code: false, method }
}

function change(mode: PlanChange['mode'], prevents: boolean): PlanChange {
  return { kind: 'change', subscription: 0, product: 'plan', quantity: 2, mode, prevents }
}

describe('a store that fails in the middle [payments#one-way-to-be-paid, machines#writers]', () => {
  it.each(scenarios)(
    'leaves all or nothing of $name, and a second try completes it',
    async (of) => {
      const calls = await callsOf(of)
      expect(calls).toContain('changes.commit')
      for (const [at, call] of calls.entries()) {
        if (!everywhere && call !== 'changes.commit') continue
        await cutShort(of, { at, after: false, dies: true })
        await cutShort(of, { at, after: true, dies: true })
        if (everywhere) await cutShort(of, { at, after: false, dies: false })
        if (everywhere) await cutShort(of, { at, after: true, dies: false })
      }
    },
  )
})

async function begun({ before = [], fates = [pays], waits = false }: Scenario) {
  const failing = failingStore(store)
  const of = { ...world, refundsAtOnce: !waits }
  const run = await openMoneyRun(failing.store, { world: of, fates, steps: before })
  await run.play()
  return { failing, run }
}

/** What the step asks of the store when nothing fails. */
async function callsOf(of: Scenario): Promise<readonly string[]> {
  const { failing, run } = await begun(of)
  await run.takeCut(of.step, () => failing.arm(null))
  return failing.called()
}

async function cutShort(of: Scenario, cut: Cut): Promise<void> {
  const { failing, run } = await begun(of)
  const mayTryAgain = await run.takeCut(of.step, () => failing.arm(cut))
  if (mayTryAgain) await run.take(of.step)
  // What was claimed is asked for again, and ends as if nothing had failed.
  await run.take(later(day / 4))
  // A buyer whose answer has never come to the processor is asked again.
  if (of.step.kind === 'confirm') await run.take(of.step)
  expect(await sentencesOf(run.scope.businessId)).toEqual([])
}

async function sentencesOf(businessId: string): Promise<readonly string[]> {
  const found: string[] = []
  const needs = { audit: audit(store.db), log: null, window: day }
  for await (const { sentence } of verifyBooks(needs, { businessId })) found.push(sentence)
  return found
}
