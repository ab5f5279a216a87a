import type { Plan, Program, Rates, Step } from './program.ts'

/** A program as a person reads it: the catalog, then a line for each step. */
export function printed({ entitlement, defaults, aggregations, plans, steps }: Program): string {
  return [
    `credits ${fields(entitlement)}`,
    `meters ${fields(aggregations)}; by default ${ratesText(defaults)}`,
    ...plans.map((plan, index) => `plan ${index} ${planText(plan)}`),
    ...steps.map((step, index) => `${String(index + 1).padStart(3)}. ${stepText(step)}`),
  ].join('\n')
}

function planText({ cycle, periodDays, credits, rates }: Plan): string {
  const head = `${cycle.count} ${cycle.interval}, ${periodDays} days in all`
  if (credits === null) return `${head}, no credits`
  const { overrides, ...rest } = credits
  return `${head}, ${fields(rest)}, ${fields(overrides)}; ${ratesText(rates)}`
}

const ratesText = (rates: Rates): string =>
  Object.entries(rates)
    .map(([name, rate]) => `${name} ${rate === null ? 'untied' : fields(rate)}`)
    .join(', ')

export function stepText(step: Step): string {
  if (step.kind === 'race') {
    const { calls, order, move } = step
    return `race { ${calls.map(stepText).join(' | ')} } ${fields({ order, move })}`
  }
  // JSON, because a null clears a setting.
  if (step.kind === 'recart') return `recart which ${step.which} ${JSON.stringify(step.patch)}`
  const { kind, ...rest } = step
  return `${kind} ${fields(rest)}`.trim()
}

/** The fields that are set. */
const fields = (of: object): string =>
  Object.entries(of)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      if (typeof value === 'boolean') return value ? name : `no ${name}`
      return `${name} ${typeof value === 'object' ? `(${fields(value)})` : value}`
    })
    .join(' ')
