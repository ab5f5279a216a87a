import type { Fate } from './fates.ts'
import type { PlanChange, Program } from './program.ts'

const world: Program['world'] = {
  prices: { tool: 100, plan: 100, trial: 100, brief: 100, demand: 100 },
  code: { percent: 25, limit: 1 },
  taxed: false,
  fees: true,
  refundsAtOnce: true,
  rapid: false,
  rollover: { days: null, terms: { plan: null, trial: null, brief: null, demand: null } },
}

const asking: Fate = { truth: 'paid', after: 0, answer: 'lost', asks: true, news: [] }
const paying: Fate = { ...asking, answer: 'heard', asks: false }

/** The first subscription changes its plan. */
const changing = (
  product: PlanChange['product'],
  mode: PlanChange['mode'],
  more: Partial<Pick<PlanChange, 'prevents' | 'quantity'>> = {},
): PlanChange => ({
  kind: 'change',
  subscription: 0,
  product,
  quantity: 1,
  mode,
  prevents: false,
  ...more,
})

/**
 * The answer that a card asks its holder is heard only by asking again, and nobody confirms: then
 * the attempt ends with its session, and frees its code for another buyer.
 */
const askedUnheard: Program = {
  world,
  fates: [asking, paying],
  steps: [
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
    { kind: 'later', seconds: 950_400 },
    { kind: 'confirm', session: 0, passed: true },
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
  ],
}

/** The same, of a process that ends before it has written that the card asks. */
const diedAsking: Program = { ...askedUnheard, fates: [{ ...asking, answer: 'dies' }, paying] }

/** A charge of which nobody ever says anything ends, and frees its code for another buyer. */
const neverSaid: Program = {
  world,
  fates: [{ ...paying, truth: 'never' }, paying],
  steps: [
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
    { kind: 'later', seconds: 13 * 86_400 },
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
    { kind: 'later', seconds: 86_400 },
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
  ],
}

/** A subscription waits for a charge of a saved method, of whose answer its process has died. */
const waitsForItsMethod: Program = {
  world,
  fates: [paying, { ...paying, answer: 'dies' }],
  steps: [
    { kind: 'buy', product: 'brief', quantity: 1, code: false, card: 0 },
    { kind: 'cancel', subscription: 0 },
    { kind: 'open', product: 'plan', quantity: 1, code: false, method: 0 },
    { kind: 'forget', method: 0 },
    { kind: 'later', seconds: 600 },
  ],
}

/** Of two calls at once that say the contrary, the one that came last holds. */
const endsOrNot: Program = {
  world,
  fates: [paying],
  steps: [
    { kind: 'buy', product: 'plan', quantity: 1, code: false, card: 0 },
    {
      kind: 'race',
      calls: [
        { kind: 'atEnd', subscription: 0, ends: true },
        { kind: 'atEnd', subscription: 0, ends: false },
      ],
    },
    { kind: 'later', seconds: 31 * 86_400 },
  ],
}

/** A change that is paid once its subscription is over brings nothing, also no license keys. */
const paidTooLate: Program = {
  world,
  fates: [paying, { ...paying, after: 10_800, answer: 'lost' }],
  steps: [
    { kind: 'buy', product: 'trial', quantity: 1, code: false, card: 1 },
    changing('plan', 'full_immediately', { quantity: 2, prevents: true }),
    { kind: 'cancel', subscription: 0 },
    { kind: 'later', seconds: 86_400 },
  ],
}

/** A cancellation that is asked for before the first payment holds from the beginning. */
const endsBeforeItBegins: Program = {
  world,
  fates: [{ ...paying, after: 172_800, answer: 'dies' }],
  steps: [
    { kind: 'buy', product: 'tool', quantity: 1, code: false, card: 0 },
    { kind: 'open', product: 'plan', quantity: 1, code: false, method: null },
    { kind: 'atEnd', subscription: 0, ends: true },
    { kind: 'pay', session: 1, card: 0 },
    { kind: 'later', seconds: 4 * 86_400 },
  ],
}

/** What waits for the next cycle goes with a subscription that is over. */
const overWithItsChange: Program = {
  world,
  fates: [paying],
  steps: [
    { kind: 'buy', product: 'trial', quantity: 1, code: false, card: 0 },
    changing('brief', 'later', { prevents: true }),
    { kind: 'atEnd', subscription: 0, ends: true },
    { kind: 'later', seconds: 8 * 86_400 },
    { kind: 'unschedule', subscription: 0 },
  ],
}

/**
 * A refund is decided while a dispute still holds its part, and its money goes back after that was
 * cancelled.
 */
const cancelledMeanwhile: Program = {
  world: { ...world, fees: false },
  fates: [paying],
  steps: [
    { kind: 'buy', product: 'tool', quantity: 1, code: false, card: 0 },
    {
      kind: 'race',
      calls: [
        { kind: 'dispute', payment: 0, amount: 50 },
        { kind: 'dispute', payment: 0, amount: 1 },
        { kind: 'refund', payment: 0, part: { amount: null, inclusive: false } },
      ],
    },
    {
      kind: 'race',
      calls: [
        { kind: 'refund', payment: 0, part: null },
        { kind: 'move', dispute: 0, to: 'cancelled' },
      ],
    },
  ],
}

/** A call names a dispute that was there, while the same moment opens another. */
const anotherMeanwhile: Program = {
  world: { ...world, fees: false },
  fates: [paying],
  steps: [
    { kind: 'buy', product: 'tool', quantity: 1, code: false, card: 0 },
    { kind: 'dispute', payment: 0, amount: 1 },
    {
      kind: 'race',
      calls: [
        { kind: 'dispute', payment: 0, amount: null },
        { kind: 'move', dispute: 1, to: 'cancelled' },
      ],
    },
  ],
}

/** A subscription ends with its cycle, before a shorter one: that one ends what rolls over. */
const endsBeforeShorter: Program = {
  world: {
    ...world,
    rollover: {
      days: null,
      terms: { plan: null, trial: { percent: 25, most: null }, brief: null, demand: null },
    },
  },
  fates: [paying],
  steps: [
    { kind: 'buy', product: 'plan', quantity: 1, code: false, card: 0 },
    changing('trial', 'prorated_immediately'),
    changing('brief', 'later'),
    { kind: 'atEnd', subscription: 0, ends: true },
    { kind: 'later', seconds: 31 * 86_400 },
    { kind: 'later', seconds: 10 * 86_400 },
  ],
}

/** Two free the only place of a license at once: one finds it gone. */
const freedTwice: Program = {
  world,
  fates: [paying],
  steps: [
    { kind: 'buy', product: 'tool', quantity: 1, code: false, card: 0 },
    { kind: 'activate', license: 0 },
    {
      kind: 'race',
      calls: [
        { kind: 'deactivate', license: 0 },
        { kind: 'deactivate', license: 0 },
      ],
    },
    { kind: 'later', seconds: 60 },
  ],
}

/** Programs that failed once: every run begins with them. */
export const foundMoney: readonly Program[] = [
  askedUnheard,
  diedAsking,
  neverSaid,
  waitsForItsMethod,
  endsOrNot,
  paidTooLate,
  endsBeforeItBegins,
  overWithItsChange,
  cancelledMeanwhile,
  anotherMeanwhile,
  endsBeforeShorter,
  freedTwice,
]
