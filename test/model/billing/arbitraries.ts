import fc from 'fast-check'
import { day } from './calendar.ts'
import type {
  Aggregation,
  Behavior,
  Call,
  CartChange,
  Overrides,
  Plan,
  PlanMode,
  Program,
  Rate,
  Rates,
  Settings,
  Step,
} from './program.ts'

/** Small amounts, few meters and few plans: faults appear where things meet. */
export const billingPrograms = (calls: fc.Arbitrary<Call> = anyCall): fc.Arbitrary<Program> =>
  // Whether rolled-over credits have a timeframe of their own is one choice for the whole catalog.
  fc.boolean().chain((timeframes) =>
    fc.record({
      entitlement: settings(timeframes),
      // Linked from the beginning, so that its cycles are calendar months.
      defaults: fc.record({ a: rate, b: fc.option(rate) }),
      aggregations: fc.record({ a: fc.constant<Aggregation>('sum'), b: aggregation }),
      plans: fc.tuple(plan(timeframes), plan(timeframes), plan(timeframes)),
      steps: stepsOf(anyStep(timeframes, calls)),
    }),
  )

/** Most programs begin with a subscription, without which little happens. */
const stepsOf = (step: fc.Arbitrary<Step>): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      fc.array(subscribe, { maxLength: 2 }),
      fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
    )
    .map(([first, rest]) => [...first, ...rest])

const aggregation = fc.constantFrom<Aggregation>('count', 'sum', 'max', 'last')
const behavior = fc.constantFrom<Behavior>(
  'forgive_at_reset',
  'invoice_at_billing',
  'carry_deficit',
  'carry_deficit_auto_repay',
)
const often = fc.constantFrom(true, true, false)
const amount = fc.integer({ min: 1, max: 120 })
const percentage = fc.constantFrom(0, 33, 50, 75, 100)
const countMax = fc.constantFrom(0, 1, 2)
const which = fc.nat({ max: 3 })
const plans = fc.nat({ max: 2 })

const timeframeOf = (timeframes: boolean): fc.Arbitrary<number | null> =>
  timeframes ? fc.constantFrom(3, 10, 45) : fc.constant(null)

function settings(timeframes: boolean): fc.Arbitrary<Settings> {
  return fc.record({
    expiresAfterDays: fc.option(fc.constantFrom(7, 12, 40)),
    rollover: often,
    percentage: fc.option(percentage),
    timeframeDays: timeframeOf(timeframes),
    countMax: fc.option(countMax),
    overage: often,
    limit: fc.option(fc.integer({ min: 0, max: 6 })),
    behavior,
  })
}

function overrides(timeframes: boolean): fc.Arbitrary<Overrides> {
  const or = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value)
  return fc.record({
    expiresAfterDays: or(fc.constantFrom(7, 12, 40)),
    rollover: or(often),
    percentage: or(percentage),
    timeframeDays: timeframes ? or(fc.constantFrom(3, 10, 45)) : fc.constant(null),
    countMax: or(countMax),
    overage: or(often),
    limit: or(fc.integer({ min: 0, max: 6 })),
    behavior: or(behavior),
  })
}

const rate: fc.Arbitrary<Rate> = fc.record({
  perTenCredits: fc.constantFrom(5, 10, 30, 100),
  free: fc.constantFrom(0, 0, 3, 10),
})

const rates: fc.Arbitrary<Rates> = fc.record({ a: fc.option(rate), b: fc.option(rate) })

const cycle: fc.Arbitrary<Plan['cycle']> = fc.oneof(
  fc.record({ count: fc.constant(1), interval: fc.constant('Month' as const) }),
  fc.record({ count: fc.constantFrom(1, 7, 10, 30), interval: fc.constant('Day' as const) }),
)

function plan(timeframes: boolean): fc.Arbitrary<Plan> {
  const credits = fc.record({
    amount,
    trialAmount: fc.option(amount),
    trialExpires: fc.boolean(),
    prorates: fc.boolean(),
    overrides: overrides(timeframes),
  })
  return fc
    .record({
      cycle,
      // Some periods end in the middle of a cycle, or of a trial.
      periodDays: fc.constantFrom(3_650, 3_650, 3_650, 60, 45, 12, 5),
      credits: fc.option(credits, { freq: 6 }),
      rates,
    })
    .map((one) => (one.credits === null ? { ...one, rates: { a: null, b: null } } : one))
}

const about = <K extends string>(kind: K) => fc.record({ kind: fc.constant(kind), which })

const cartChange: fc.Arbitrary<CartChange> = fc.record(
  {
    amount: fc.option(amount),
    limit: fc.option(fc.integer({ min: 0, max: 60 })),
    overage: fc.option(fc.boolean()),
    rollover: fc.option(fc.boolean()),
    percentage: fc.option(percentage),
    countMax: fc.option(countMax),
  },
  { requiredKeys: [] },
)

const adjusting: readonly { weight: number; arbitrary: fc.Arbitrary<Call> }[] = [
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('credit' as const),
      amount,
      days: fc.option(fc.integer({ min: 1, max: 40 }), { nil: null }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('debit' as const), amount }) },
]

/** The new date is counted from the present one: so this call is no part of a race. */
const redate = fc.record({
  kind: fc.constant('redate' as const),
  which,
  days: fc.constantFrom(-9, -2, 0, 0, 1, 12),
})

const subscribe: fc.Arbitrary<Call> = fc.record({
  kind: fc.constant('subscribe' as const),
  plan: plans,
  trialDays: fc.constantFrom(0, 0, 0, 7),
})

const subscribing: readonly { weight: number; arbitrary: fc.Arbitrary<Call> }[] = [
  { weight: 2, arbitrary: subscribe },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('replan' as const),
      which,
      plan: plans,
      mode: fc.constantFrom<PlanMode>('full_immediately', 'do_not_bill', 'at_the_end'),
    }),
  },
  { weight: 2, arbitrary: about('unschedule') },
  { weight: 3, arbitrary: about('pause') },
  { weight: 4, arbitrary: about('resume') },
  { weight: 1, arbitrary: about('cancel') },
  { weight: 1, arbitrary: about('cancelAtEnd') },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('recart' as const), which, patch: cartChange }),
  },
]

/** Calls that two processes may make at once. */
export const anyCall: fc.Arbitrary<Call> = fc.oneof(...adjusting, ...subscribing)

function anyStep(timeframes: boolean, calls: fc.Arbitrary<Call>): fc.Arbitrary<Step> {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('reterm' as const), settings: settings(timeframes) }),
    fc.record({ kind: fc.constant('relink' as const), rates }),
  )
  const race = fc.record({
    kind: fc.constant('race' as const),
    calls: fc.array(calls, { minLength: 2, maxLength: 3 }),
    order: fc.nat({ max: 5 }),
    move: fc.option(fc.record({ after: fc.nat({ max: 2 }), seconds: spell })),
  })
  return fc.oneof(
    { weight: 24, arbitrary: anyUse },
    { weight: 14, arbitrary: fc.record({ kind: fc.constant('measure'), reversed: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('void'), which: fc.nat({ max: 9 }) }) },
    ...adjusting,
    ...subscribing,
    { weight: 2, arbitrary: redate },
    { weight: 2, arbitrary: change },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('later'), seconds: spell }) },
    { weight: 9, arbitrary: fc.record({ kind: fc.constant('toBoundary'), seconds: around }) },
    { weight: 12, arbitrary: fc.record({ kind: fc.constant('sweep') }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('settle') }) },
    { weight: 6, arbitrary: race },
  )
}

const anyUse: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('use' as const),
  meter: fc.constantFrom('a', 'b'),
  quantity: fc.integer({ min: -4, max: 25 }),
  // A timestamp from an hour before the event is received to five minutes after that; a backfilled
  // one is up to a day before.
  lead: fc.constantFrom(0, 0, 0, -240, -3_600, 300, 0, -240, -3_601, -9_000, -79_200),
})

const spell = fc.constantFrom(60, 3_600, day, 5 * day, 40 * day)
const around = fc.constantFrom(-200, -2, 1, 100, 3_000, 8_000)
