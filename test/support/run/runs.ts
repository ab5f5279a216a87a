/** How often to try a property. Where each mutant runs the suites, RUNS_MAX bounds that. */
export const runs = (usual: number): { readonly numRuns: number } => ({
  numRuns: Math.min(usual, Number(process.env['RUNS_MAX'] ?? usual)),
})
