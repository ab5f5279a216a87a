import type { Outcome } from './simulate.ts'
import type { TraceLine } from './world.ts'

const linesMax = 80

/** What is wrong in a world, what happened last in it, and how to see it again. */
export function reportOf({ seed, problems, trace, weather }: Outcome): string {
  return [
    `Seed ${seed} is wrong:`,
    ...problems.slice(0, 20).map((problem) => `  ${problem}`),
    ...(problems.length > 20 ? [`  and ${problems.length - 20} more`] : []),
    '',
    `The last ${Math.min(linesMax, trace.length)} steps (seconds, who, what):`,
    ...trace.slice(-linesMax).map(lineOf),
    '',
    `Weather: ${JSON.stringify(weather)}`,
    `Again:   npm run simulate -- --seeds 1 --from ${seed}`,
    '',
  ].join('\n')
}

export const lineOf = ({ at, who, what }: TraceLine): string =>
  `  ${(at / 1e6).toFixed(6).padStart(11)}  ${who.padEnd(8)} ${what}`
