import type { Program, Step } from './program.ts'

/**
 * A program as a person reads it: the world, what becomes of charges, then a line for each step.
 */
export function printedMoney({ fates, steps, world }: Program): string {
  return [
    `world ${JSON.stringify(world)}`,
    ...fates.map((fate, index) => `fate ${index} ${JSON.stringify(fate)}`),
    ...steps.map((step, index) => `${String(index + 1).padStart(3)}. ${moneyStep(step)}`),
  ].join('\n')
}

export function moneyStep(step: Step): string {
  if (step.kind === 'race') return `race { ${step.calls.map(moneyStep).join(' | ')} }`
  const { kind, ...rest } = step
  return `${kind} ${JSON.stringify(rest)}`
}
