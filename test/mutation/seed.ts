import fc from 'fast-check'

// A mutant must meet the programs that the rules met, or chance would decide which of them survive.
// The first counterexample is enough: nobody reads the shortest.
fc.configureGlobal({ seed: 20_261_121, endOnFailure: true, numRuns: 50 })
