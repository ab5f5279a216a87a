import { day } from './calendar.ts'
import type { Plan, Program } from './program.ts'
import { nothingOverridden } from './program.ts'

const monthly: Plan = {
  cycle: { count: 1, interval: 'Month' },
  periodDays: 3_650,
  credits: null,
  rates: { a: null, b: null },
}

const catalog: Omit<Program, 'steps'> = {
  entitlement: {
    expiresAfterDays: null,
    rollover: true,
    percentage: null,
    timeframeDays: null,
    countMax: null,
    overage: true,
    limit: null,
    behavior: 'forgive_at_reset',
  },
  defaults: { a: { perTenCredits: 5, free: 0 }, b: null },
  aggregations: { a: 'sum', b: 'count' },
  plans: [monthly, monthly, monthly],
}

/**
 * A pause and its end are at the same moment, since the one that was decided first was committed
 * second. The pause then moves nothing, and cycles are counted on as before.
 */
const pauseOfNoLength: Program = {
  ...catalog,
  steps: [
    { kind: 'subscribe', plan: 1, trialDays: 0 },
    {
      kind: 'race',
      calls: [
        { kind: 'resume', which: 0 },
        { kind: 'recart', which: 0, patch: {} },
        { kind: 'pause', which: 0 },
      ],
      order: 4,
      move: { after: 2, seconds: 40 * day },
    },
    { kind: 'toBoundary', seconds: -200 },
  ],
}

/**
 * An account's first usage comes while the end of a cycle in an earlier month is still to be
 * applied.
 */
const firstUsageBehindAnEnd: Program = {
  ...catalog,
  steps: [
    { kind: 'subscribe', plan: 0, trialDays: 0 },
    { kind: 'later', seconds: 40 * day },
    { kind: 'use', meter: 'a', quantity: 1, lead: 0 },
    { kind: 'measure', reversed: false },
    { kind: 'sweep' },
  ],
}

const monthlyCredits: Plan = {
  ...monthly,
  credits: {
    amount: 1,
    trialAmount: 5,
    trialExpires: false,
    prorates: false,
    overrides: nothingOverridden,
  },
}

/**
 * Credits that were rolled over into the cycle of a plan without credits end with that cycle, even
 * where its end moves.
 */
const rolledIntoAPlanWithout: Program = {
  ...catalog,
  plans: [monthlyCredits, monthly, monthly],
  steps: [
    { kind: 'subscribe', plan: 0, trialDays: 0 },
    { kind: 'replan', which: 0, plan: 1, mode: 'full_immediately' },
    { kind: 'pause', which: 0 },
    { kind: 'resume', which: 0 },
    { kind: 'replan', which: 0, plan: 0, mode: 'full_immediately' },
    { kind: 'replan', which: 0, plan: 1, mode: 'at_the_end' },
    { kind: 'later', seconds: 40 * day },
    { kind: 'sweep' },
    { kind: 'redate', which: 0, days: 12 },
    { kind: 'later', seconds: 40 * day },
    { kind: 'sweep' },
  ],
}

/**
 * A call decides again after another process has committed, whose clock had reached the end of a
 * month already. It waits for its own clock to reach that, and is refused where it has no patience.
 */
const clocksAroundAnEnd: Program = {
  ...catalog,
  plans: [monthlyCredits, monthly, monthly],
  steps: [
    { kind: 'subscribe', plan: 0, trialDays: 0 },
    { kind: 'toBoundary', seconds: -2 },
    {
      kind: 'race',
      calls: [
        { kind: 'replan', which: 0, plan: 0, mode: 'full_immediately' },
        { kind: 'replan', which: 0, plan: 1, mode: 'at_the_end' },
      ],
      order: 1,
      move: null,
    },
    { kind: 'sweep' },
  ],
}

/**
 * Three calls at once, while the clock moves on to where the second one's grant ends. The third
 * call's clock has got there: it applies that end before it waits. The first call's clock has not,
 * and it is committed after that.
 */
const dueByTheClockOfAnother: Program = {
  ...catalog,
  plans: [monthlyCredits, monthly, monthly],
  steps: [
    { kind: 'subscribe', plan: 0, trialDays: 0 },
    {
      kind: 'race',
      calls: [
        { kind: 'credit', amount: 1, days: null },
        { kind: 'credit', amount: 1, days: 5 },
        { kind: 'resume', which: 0 },
      ],
      order: 3,
      move: { after: 1, seconds: 5 * day },
    },
  ],
}

const tiesB: Plan = {
  ...monthlyCredits,
  cycle: { count: 1, interval: 'Day' },
  rates: { a: null, b: { perTenCredits: 5, free: 0 } },
}

/**
 * A plan change in the middle of a cycle whose end passes while the subscription is paused. When it
 * is resumed the cycle is still open, under the plan's terms.
 */
const pausedPastItsEnd: Program = {
  ...catalog,
  plans: [monthly, monthly, tiesB],
  steps: [
    { kind: 'subscribe', plan: 0, trialDays: 0 },
    {
      kind: 'race',
      calls: [
        { kind: 'replan', which: 0, plan: 2, mode: 'do_not_bill' },
        { kind: 'subscribe', plan: 0, trialDays: 0 },
      ],
      order: 0,
      move: null,
    },
    { kind: 'pause', which: 0 },
    {
      kind: 'race',
      calls: [
        { kind: 'recart', which: 0, patch: {} },
        { kind: 'credit', amount: 1, days: null },
      ],
      order: 0,
      move: { after: 0, seconds: 40 * day },
    },
    { kind: 'resume', which: 0 },
    { kind: 'use', meter: 'b', quantity: 0, lead: 0 },
    { kind: 'measure', reversed: false },
  ],
}

const sevenDays: Plan = { ...monthly, cycle: { count: 7, interval: 'Day' } }

/**
 * A plan change applies the end of the account's month, and is then refused, since two other calls
 * have been committed meanwhile. The month has ended all the same, though no call that was let in
 * has to do with credits.
 */
const appliedByWhoIsRefused: Program = {
  ...catalog,
  plans: [sevenDays, { ...monthlyCredits, cycle: { count: 1, interval: 'Day' } }, monthly],
  steps: [
    { kind: 'subscribe', plan: 0, trialDays: 0 },
    { kind: 'relink', rates: { a: null, b: { perTenCredits: 5, free: 0 } } },
    { kind: 'credit', amount: 1, days: null },
    { kind: 'toBoundary', seconds: 3_000 },
    {
      kind: 'race',
      calls: [
        { kind: 'replan', which: 0, plan: 1, mode: 'full_immediately' },
        { kind: 'replan', which: 0, plan: 0, mode: 'full_immediately' },
        { kind: 'cancelAtEnd', which: 0 },
      ],
      order: 3,
      move: null,
    },
    { kind: 'use', meter: 'b', quantity: 0, lead: 0 },
    { kind: 'measure', reversed: false },
  ],
}

/**
 * A trial that is longer than the period is refused at once: nothing that is due on the account is
 * applied for it. [subscriptions#endings]
 */
const refusedBeforeWhatIsDue: Program = {
  ...catalog,
  plans: [monthly, { ...monthly, periodDays: 5, credits: monthlyCredits.credits }, monthly],
  steps: [
    { kind: 'subscribe', plan: 0, trialDays: 0 },
    { kind: 'later', seconds: 3_456_000 },
    { kind: 'subscribe', plan: 1, trialDays: 7 },
  ],
}

/**
 * After two races the end of the account's own cycle is applied in one way they can have ended, and
 * still to be applied in another: the clock is one all the same, whatever is due next.
 */
const oneClockForAllWays: Program = {
  ...catalog,
  plans: [monthly, { ...monthlyCredits, cycle: { count: 7, interval: 'Day' } }, monthly],
  steps: [
    { kind: 'subscribe', plan: 0, trialDays: 0 },
    { kind: 'subscribe', plan: 1, trialDays: 0 },
    { kind: 'use', meter: 'a', quantity: 1, lead: 0 },
    { kind: 'measure', reversed: false },
    {
      kind: 'race',
      calls: [
        { kind: 'cancel', which: 1 },
        { kind: 'resume', which: 0 },
      ],
      order: 0,
      move: null,
    },
    { kind: 'later', seconds: 5 * day },
    {
      kind: 'race',
      calls: [
        { kind: 'pause', which: 0 },
        { kind: 'replan', which: 0, plan: 0, mode: 'full_immediately' },
      ],
      order: 1,
      move: null,
    },
    { kind: 'void', which: 0 },
    { kind: 'toBoundary', seconds: -200 },
    {
      kind: 'race',
      calls: [
        { kind: 'credit', amount: 1, days: null },
        { kind: 'resume', which: 0 },
      ],
      order: 0,
      move: null,
    },
  ],
}

/** Programs that a run has found by chance; every run begins with them. */
export const found: readonly [Program][] = [
  [pauseOfNoLength],
  [firstUsageBehindAnEnd],
  [rolledIntoAPlanWithout],
  [clocksAroundAnEnd],
  [dueByTheClockOfAnother],
  [pausedPastItsEnd],
  [appliedByWhoIsRefused],
  [refusedBeforeWhatIsDue],
  [oneClockForAllWays],
]
