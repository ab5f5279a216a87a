import type { Plan, PlanCredits, Program, Settings } from '../../model/billing/program.ts'
import { nothingOverridden } from '../../model/billing/program.ts'
import { plainProgram } from '../../support/billing/catalog.ts'

export const day = 86_400
const settings: Settings = {
  ...plainProgram.entitlement,
  overage: true,
  behavior: 'invoice_at_billing',
}
const given: PlanCredits = {
  amount: 100,
  trialAmount: null,
  trialExpires: false,
  prorates: true,
  overrides: nothingOverridden,
}
const rate = { perTenCredits: 10, free: 0 }

/** A plan of 10 credits each 30 days; a unit costs a credit. */
export const planOf = (
  credits: Partial<PlanCredits> | null = {},
  more: Partial<Plan> = {},
): Plan => ({
  cycle: { count: 30, interval: 'Day' },
  periodDays: 3_650,
  credits: credits === null ? null : { ...given, ...credits },
  rates: { a: credits === null ? null : rate, b: null },
  ...more,
})

/** Overage has no limit and is billed, unless `own` says otherwise. */
export const programOf = (own: Partial<Settings>, plans: readonly Plan[]): Program => ({
  entitlement: { ...settings, ...own },
  defaults: { a: null, b: null },
  plans,
  steps: [],
  aggregations: { a: 'sum', b: 'sum' },
})
