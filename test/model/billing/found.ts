import { day } from './calendar.ts'
import type { Plan, Program } from './program.ts'

const monthly: Plan = {
  cycle: { count: 1, interval: 'Month' },
  periodDays: 3_650,
  credits: null,
  rates: { a: null, b: null },
}

/**
 * Programs that a run has found once, and every run begins with.
 *
 * A pause that is followed by its end at the same moment, since whoever was decided first was
 * committed second: nothing is later by it, and cycles are counted on from where they were.
 */
const pauseOfNoLength: Program = {
  entitlement: {
    ...{ expiresAfterDays: null, rollover: true, percentage: null, timeframeDays: null },
    ...{ countMax: null, overage: true, limit: null, behavior: 'forgive_at_reset' },
  },
  defaults: { a: { perTenCredits: 5, free: 0 }, b: null },
  aggregations: { a: 'sum', b: 'count' },
  plans: [monthly, monthly, monthly],
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

export const found: readonly [Program][] = [[pauseOfNoLength]]
