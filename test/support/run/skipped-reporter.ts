import type { Reporter } from 'vitest/node'

/** Says at the end what was skipped; the name of each says which variable would enable it. */
export const skippedReporter: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    if (skipped.length === 0) return
    const lines = skipped.map((test) => `  ${test.fullName}`)
    process.stdout.write(`\nSkipped:\n${lines.join('\n')}\n`)
  },
}
