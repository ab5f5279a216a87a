/**
 * How often a property is tried. RUNS_MAX bounds it where it is tried thousands of times, once for
 * every mutant.
 */
export const runs = (usual: number): { readonly numRuns: number } => ({
  numRuns: Math.min(usual, Number(process.env['RUNS_MAX'] ?? usual)),
})
