import { isLong } from './long.ts'

/** Where nothing is tried at length, a property is tried so much less often. */
const shortening = 5

const runsMax = process.env['RUNS_MAX']

/** How often to try a property. Where each mutant runs the suites, RUNS_MAX bounds that. */
export function runs(usual: number): { readonly numRuns: number } {
  if (runsMax !== undefined) return { numRuns: Math.min(usual, Number(runsMax)) }
  return { numRuns: isLong ? usual : Math.ceil(usual / shortening) }
}
