import type { Reporter } from 'vitest/node'

/**
 * Lists at the end what was skipped. The name of a skipped suite says which variable enables it.
 */
export const skippedReporter: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    if (skipped.length === 0) return
    const lines = skipped.map((test) => `  ${test.fullName}`)
    process.stdout.write(`\nSkipped:\n${lines.join('\n')}\n`)
  },
}
