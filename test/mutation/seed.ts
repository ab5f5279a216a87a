import fc from 'fast-check'

// Every mutant must meet the same programs, or chance would decide which of them survive. The first
// counterexample is enough, since nobody reads it.
fc.configureGlobal({ seed: 20_261_121, endOnFailure: true, numRuns: 50 })
