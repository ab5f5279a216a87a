import fc from 'fast-check'
import type { Fate } from './fates.ts'
import type { Program } from './program.ts'
import { seconds } from './state.ts'
import {
  about,
  buy,
  card,
  cents,
  changing,
  confirm,
  dispute,
  fates,
  fatesOfAPoorPayer,
  late,
  later,
  move,
  often,
  paid,
  price,
  products,
  racing,
  refund,
  rollsMost,
  spend,
  step,
  which,
  world,
} from './steps.ts'

const { minute, hour, day } = seconds

/** Few things of each kind, small amounts: faults appear where things meet. */
export const moneyPrograms = (): fc.Arbitrary<Program> =>
  fc.oneof({ weight: 5, arbitrary: anyProgram() }, lateMoney(), demanding(), moving(), rolling())

const anyProgram = (): fc.Arbitrary<Program> =>
  fc.record({
    world,
    fates: fc.oneof({ weight: 5, arbitrary: fates }, fatesOfAPoorPayer),
    steps: fc
      .tuple(fc.array(buy, { minLength: 1, maxLength: 2 }), fc.array(step, steps))
      .map(([first, rest]) => [...first, ...rest]),
  })

const steps = { minLength: 1, maxLength: 28, size: 'max' } as const

/** A subscription on demand that is charged while this and that happens to it. */
const demanding = (): fc.Arbitrary<Program> =>
  fc
    .record({
      world,
      fates,
      card,
      rest: fc.array(
        fc.oneof(
          { weight: 4, arbitrary: fc.record({ ...demand, cents }) },
          { weight: 2, arbitrary: later },
          { weight: 2, arbitrary: racing },
          { weight: 2, arbitrary: about('pause', 'resume', 'cancel') },
          confirm,
        ),
        { minLength: 3, maxLength: 16 },
      ),
    })
    .map(({ card, fates, rest, world }) => ({
      world,
      fates: [paid, ...fates],
      steps: [{ kind: 'buy', product: 'demand', quantity: 1, code: false, card }, ...rest],
    }))

/** A subscription that moves from plan to plan while this and that happens to it. */
const moving = (): fc.Arbitrary<Program> =>
  fc
    .record({
      world,
      fates,
      card,
      code: fc.constantFrom(false, false, true),
      product: fc.constantFrom('plan' as const, 'trial' as const, 'brief' as const),
      rest: fc.array(
        fc.oneof(
          { weight: 4, arbitrary: changing },
          { weight: 3, arbitrary: later },
          { weight: 2, arbitrary: racing },
          fc.record({ kind: fc.constant('reprice' as const), product: products, price }),
          about('pause', 'resume', 'cancel'),
        ),
        { minLength: 3, maxLength: 16 },
      ),
    })
    .map(({ card, code, fates, product, rest, world }) => ({
      world,
      fates: [paid, ...fates],
      steps: [{ kind: 'buy', product, quantity: 1, code, card }, ...rest],
    }))

/** Cycle after cycle of a plan whose credits roll over, some of them spent, while it moves on. */
const rolling = (): fc.Arbitrary<Program> =>
  fc
    .record({
      world,
      product: fc.constantFrom('plan' as const, 'brief' as const, 'trial' as const),
      quantity: fc.constantFrom(1, 3),
      terms: fc.record({ percent: fc.constantFrom(25, 33, 100), most: rollsMost }),
      late,
      first: fc.array(fc.oneof({ weight: 2, arbitrary: spend }, turning, step), { maxLength: 4 }),
      rest: fc.array(
        fc.oneof(
          { weight: 3, arbitrary: turning },
          { weight: 2, arbitrary: spend },
          changing,
          about('pause', 'resume', 'cancel'),
          fc.record({ kind: fc.constant('atEnd' as const), subscription: which, ends: often }),
          step,
        ),
        { minLength: 3, maxLength: 14 },
      ),
    })
    .map(({ first, late, product, quantity, rest, terms, world }) => ({
      world: {
        ...world,
        rollover: { ...world.rollover, terms: { ...world.rollover.terms, [product]: terms } },
      },
      fates: [paid, paid, ...late],
      steps: [
        { kind: 'buy', product, quantity, code: false, card: 0 },
        ...first,
        { kind: 'later', seconds: 31 * day },
        ...rest,
      ],
    }))

/** To the end of a cycle, or of a timeframe in the middle of one. */
const turning = fc.record({
  kind: fc.constant('later' as const),
  seconds: fc.constantFrom(4 * day, 8 * day, 11 * day, 31 * day),
})

const demand = { kind: fc.constant('charge' as const), subscription: fc.constant(0) }

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
