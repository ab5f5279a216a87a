import type { Reporter } from 'vitest/node'

/**
 * Lists at the end what a green run would hide: what was skipped. The name of a skipped suite says
 * which variable enables it.
 */
export const notedReporter: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    if (skipped.length === 0) return
    const names = skipped.map(({ fullName }) => `  ${fullName}`)
    process.stdout.write(`\nSkipped:\n${names.join('\n')}\n`)
  },
}
