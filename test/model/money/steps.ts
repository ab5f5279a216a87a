import fc from 'fast-check'
import type { Fate } from './fates.ts'
import type { Call, ProductName, Quiet, Step, World } from './program.ts'
import { seconds } from './state.ts'

const { minute, hour, day } = seconds

export const which = fc.nat({ max: 4 })
export const often = fc.constantFrom(true, true, true, false)
export const price = fc.constantFrom(100, 499, 999, 1_000, 2_345)

export const rollsMost = fc.constantFrom(null, 1, 2)
const rollover = fc.option(fc.record({ percent: fc.constantFrom(25, 33, 100), most: rollsMost }), {
  freq: 3,
})

export const world: fc.Arbitrary<World> = fc.record({
  prices: fc.record({ tool: price, plan: price, trial: price, brief: price, demand: price }),
  code: fc.record({
    percent: fc.constantFrom(25, 33, 100),
    limit: fc.constantFrom(null, 1, 2),
  }),
  taxed: fc.boolean(),
  fees: fc.boolean(),
  refundsAtOnce: often,
  rapid: fc.boolean(),
  rollover: fc.record({
    days: fc.constantFrom(null, null, 7, 45),
    terms: fc.record({ plan: rollover, trial: rollover, brief: rollover, demand: rollover }),
  }),
})

/** Whole minutes: every step has seconds of its own, so that no two things are due at once. */
const delay = fc.constantFrom(minute, 7 * minute, 3 * hour, 2 * day, 9 * day)

const fate: fc.Arbitrary<Fate> = fc.record({
  truth: fc.constantFrom<Fate['truth']>('paid', 'paid', 'paid', 'paid', 'declined', 'never'),
  after: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, delay),
  answer: fc.constantFrom<Fate['answer']>('heard', 'heard', 'heard', 'heard', 'lost', 'dies'),
  asks: fc.constantFrom(false, false, false, true),
  news: fc.array(fc.record({ after: delay, stale: fc.boolean() }), { maxLength: 2 }),
})

export const fates = fc.array(fate, { minLength: 1, maxLength: 12 })
export const late = fc.array(fate, { maxLength: 3 })
export const paid: Fate = { truth: 'paid', after: 0, answer: 'heard', asks: false, news: [] }

/** Who pays once or twice, and then no more, so that dunning comes to its end. */
export const fatesOfAPoorPayer = fc
  .tuple(fates, fc.array(fate, { minLength: 8, maxLength: 12 }))
  .map(([first, rest]) => [
    ...first.slice(0, 2).map((each): Fate => ({ ...each, truth: 'paid', answer: 'heard' })),
    ...rest.map((each): Fate => ({ ...each, truth: 'declined', after: 0 })),
  ])

export const products: fc.Arbitrary<ProductName> = fc.constantFrom(
  'tool',
  'plan',
  'trial',
  'brief',
  'demand',
)
const bought = {
  product: products,
  quantity: fc.constantFrom(1, 1, 2, 3),
  code: fc.constantFrom(false, false, true),
}
export const card = fc.nat({ max: 2 })

export const buy = fc.record({ kind: fc.constant('buy' as const), ...bought, card })

export const cents = fc.constantFrom(1, 50, 99, 333, 500, 1_190)

/** Another plan for a subscription. */
export const changing = fc.record({
  kind: fc.constant('change' as const),
  subscription: fc.oneof(fc.constant(0), which),
  product: fc.constantFrom('plan' as const, 'trial' as const, 'brief' as const),
  quantity: fc.constantFrom(1, 1, 2, 3),
  mode: fc.constantFrom(
    'prorated_immediately',
    'prorated_immediately',
    'difference_immediately',
    'full_immediately',
    'do_not_bill',
    'later',
  ),
  prevents: fc.boolean(),
})

const charging: fc.Arbitrary<Call> = fc.oneof(
  { weight: 3, arbitrary: buy },
  fc.record({ kind: fc.constant('open' as const), ...bought, method: fc.option(which) }),
  fc.record({ kind: fc.constant('pay' as const), session: which, card }),
  fc.record({ kind: fc.constant('method' as const), subscription: which, method: which }),
  fc.record({ kind: fc.constant('charge' as const), subscription: which, cents }),
  { weight: 2, arbitrary: changing },
)

export const refund = fc.record({
  kind: fc.constant('refund' as const),
  payment: which,
  part: fc.option(fc.record({ amount: fc.option(cents), inclusive: fc.boolean() })),
})
export const dispute = fc.record({
  kind: fc.constant('dispute' as const),
  // Often the same one, so that disputes stand beside each other.
  payment: fc.oneof(fc.constant(0), which),
  amount: fc.option(cents),
})
export const move = fc.record({
  kind: fc.constant('move' as const),
  dispute: which,
  to: fc.constantFrom('challenged', 'challenged', 'accepted', 'cancelled', 'won', 'lost'),
})
export const confirm = fc.record({
  kind: fc.constant('confirm' as const),
  session: which,
  passed: often,
})

export const about = <K extends string>(...kinds: readonly [K, ...K[]]) =>
  fc.record({ kind: fc.constantFrom(...kinds), subscription: which })

export const spend = fc.record({
  kind: fc.constant('spend' as const),
  of: fc.constantFrom('tool', 'plan', 'plan'),
  credits: fc.constantFrom(1, 4, 15, 130),
})

/** What may be done at the same moment as something else. */
export const racing: fc.Arbitrary<Quiet> = fc.oneof(
  { weight: 3, arbitrary: refund },
  fc.record({ kind: fc.constant('settle' as const), refund: which, succeeded: often }),
  { weight: 2, arbitrary: dispute },
  { weight: 2, arbitrary: move },
  fc.record({ kind: fc.constant('payout' as const) }),
  fc.record({
    kind: fc.constant('mark' as const),
    payout: which,
    to: fc.constantFrom('in_progress', 'on_hold', 'failed', 'failed', 'success'),
  }),
  fc.record({ kind: fc.constantFrom('activate', 'activate', 'deactivate'), license: which }),
  about('pause', 'resume', 'cancel', 'unschedule'),
  fc.record({ kind: fc.constant('atEnd' as const), subscription: which, ends: often }),
  fc.record({ kind: fc.constant('forget' as const), method: which }),
  spend,
  fc.record({ kind: fc.constant('fill' as const), cents: fc.constantFrom(60, 600, 1_500) }),
)

export const later = fc.record({
  kind: fc.constant('later' as const),
  seconds: fc.constantFrom(minute, 10 * minute, hour, 13 * hour, day, 4 * day, 11 * day, 31 * day),
})

const race = fc.record({
  kind: fc.constant('race' as const),
  calls: fc.array(racing, { minLength: 2, maxLength: 3 }),
})

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: later },
  { weight: 5, arbitrary: charging },
  { weight: 7, arbitrary: racing },
  { weight: 2, arbitrary: confirm },
  { weight: 2, arbitrary: race },
  fc.record({ kind: fc.constant('reprice' as const), product: products, price }),
)
