import fc from 'fast-check'
import type { Fate } from './fates.ts'
import type { Call, ProductName, Program, Quiet, Step, World } from './program.ts'
import { seconds } from './state.ts'

const { minute, hour, day } = seconds

/** Few things of each kind, small amounts: faults appear where things meet. */
export const moneyPrograms = (): fc.Arbitrary<Program> =>
  fc.oneof({ weight: 5, arbitrary: anyProgram() }, lateMoney())

const anyProgram = (): fc.Arbitrary<Program> =>
  fc.record({
    world,
    fates: fc.oneof({ weight: 5, arbitrary: fates }, fatesOfAPoorPayer),
    steps: fc
      .tuple(fc.array(buy, { minLength: 1, maxLength: 2 }), fc.array(step, steps))
      .map(([first, rest]) => [...first, ...rest]),
  })

const steps = { minLength: 1, maxLength: 28, size: 'max' } as const
const which = fc.nat({ max: 4 })
const often = fc.constantFrom(true, true, true, false)
const price = fc.constantFrom(100, 499, 999, 1_000, 2_345)

const world: fc.Arbitrary<World> = fc.record({
  prices: fc.record({ tool: price, plan: price, trial: price, brief: price }),
  code: fc.record({
    percent: fc.constantFrom(25, 33, 100),
    limit: fc.constantFrom(null, 1, 2),
  }),
  taxed: fc.boolean(),
  fees: fc.boolean(),
  refundsAtOnce: often,
  rapid: fc.boolean(),
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

const fates = fc.array(fate, { minLength: 1, maxLength: 12 })

/** Who pays once or twice, and then no more, so that dunning comes to its end. */
const fatesOfAPoorPayer = fc
  .tuple(fates, fc.array(fate, { minLength: 8, maxLength: 12 }))
  .map(([first, rest]) => [
    ...first.slice(0, 2).map((each): Fate => ({ ...each, truth: 'paid', answer: 'heard' })),
    ...rest.map((each): Fate => ({ ...each, truth: 'declined', after: 0 })),
  ])

const products: fc.Arbitrary<ProductName> = fc.constantFrom('tool', 'plan', 'trial', 'brief')
const bought = {
  product: products,
  quantity: fc.constantFrom(1, 1, 2, 3),
  code: fc.constantFrom(false, false, true),
}
const card = fc.nat({ max: 2 })

const buy = fc.record({ kind: fc.constant('buy' as const), ...bought, card })

const charging: fc.Arbitrary<Call> = fc.oneof(
  { weight: 3, arbitrary: buy },
  fc.record({ kind: fc.constant('open' as const), ...bought, method: fc.option(which) }),
  fc.record({ kind: fc.constant('pay' as const), session: which, card }),
  fc.record({ kind: fc.constant('method' as const), subscription: which, method: which }),
)

const cents = fc.constantFrom(1, 50, 99, 333, 500, 1_190)
const refund = fc.record({
  kind: fc.constant('refund' as const),
  payment: which,
  part: fc.option(fc.record({ amount: fc.option(cents), inclusive: fc.boolean() })),
})
const dispute = fc.record({
  kind: fc.constant('dispute' as const),
  // Often the same one, so that disputes stand beside each other.
  payment: fc.oneof(fc.constant(0), which),
  amount: fc.option(cents),
})
const move = fc.record({
  kind: fc.constant('move' as const),
  dispute: which,
  to: fc.constantFrom('challenged', 'challenged', 'accepted', 'cancelled', 'won', 'lost'),
})
const confirm = fc.record({
  kind: fc.constant('confirm' as const),
  session: which,
  passed: often,
})

const about = <K extends string>(...kinds: readonly [K, ...K[]]) =>
  fc.record({ kind: fc.constantFrom(...kinds), subscription: which })

/** What may be done at the same moment as something else. */
const racing: fc.Arbitrary<Quiet> = fc.oneof(
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
  about('pause', 'resume', 'cancel'),
  fc.record({ kind: fc.constant('atEnd' as const), subscription: which, ends: often }),
  fc.record({ kind: fc.constant('forget' as const), method: which }),
  fc.record({ kind: fc.constant('spend' as const), credits: fc.constantFrom(1, 4, 15) }),
  fc.record({ kind: fc.constant('fill' as const), cents: fc.constantFrom(60, 600, 1_500) }),
)

const later = fc.record({
  kind: fc.constant('later' as const),
  seconds: fc.constantFrom(minute, 10 * minute, hour, 13 * hour, day, 4 * day, 11 * day, 31 * day),
})

const race = fc.record({
  kind: fc.constant('race' as const),
  calls: fc.array(racing, { minLength: 2, maxLength: 3 }),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: later },
  { weight: 5, arbitrary: charging },
  { weight: 7, arbitrary: racing },
  { weight: 2, arbitrary: confirm },
  { weight: 2, arbitrary: race },
  fc.record({ kind: fc.constant('reprice' as const), product: products, price }),
)

/**
 * A renewal, of which a wallet may pay a part, whose money is on its way while its subscription
 * ends or pauses, and then goes back: chance alone comes here too seldom.
 */
const lateMoney = (): fc.Arbitrary<Program> =>
  fc
    .record({
      world,
      product: fc.constantFrom('plan' as const, 'brief' as const),
      filled: fc.constantFrom(0, 0, 60, 600, 5_000),
      truth: fc.constantFrom<Fate['truth']>('paid', 'paid', 'paid', 'declined'),
      after: fc.constantFrom(3 * hour, 2 * day),
      answer: fc.constantFrom<Fate['answer']>('heard', 'lost', 'dies'),
      meanwhile: fc.oneof(
        { weight: 3, arbitrary: about('cancel') },
        about('cancel', 'pause', 'resume'),
        fc.record({ kind: fc.constant('fill' as const), cents: fc.constantFrom(60, 5_000) }),
        fc.record({ kind: fc.constant('atEnd' as const), subscription: which, ends: often }),
      ),
      back: fc.array(
        fc.oneof(
          refund.map((each) => ({ ...each, payment: 1 })),
          dispute.map((each) => ({ ...each, payment: 1 })),
          move,
        ),
        { maxLength: 5 },
      ),
      rest: fc.array(step, { maxLength: 4 }),
    })
    .map(({ after, answer, back, filled, meanwhile, product, rest, truth, world }) => {
      const paid: Fate = { truth: 'paid', after: 0, answer: 'heard', asks: false, news: [] }
      const late: Fate = { ...paid, truth, after, answer, news: [{ after, stale: false }] }
      const cycle = (product === 'brief' ? 10 : 30) * day
      return {
        world,
        fates: [paid, late],
        steps: [
          { kind: 'buy', product, quantity: 1, code: false, card: 0 },
          ...(filled === 0 ? [] : [{ kind: 'fill', cents: filled } as const]),
          { kind: 'later', seconds: cycle + minute },
          'subscription' in meanwhile ? { ...meanwhile, subscription: 0 } : meanwhile,
          { kind: 'later', seconds: 4 * day },
          ...back,
          ...rest,
        ],
      }
    })
