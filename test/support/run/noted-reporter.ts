import type { Reporter, TestCase } from 'vitest/node'

/**
 * Lists at the end what a green run would hide: what was skipped (the name of a skipped suite says
 * which variable enables it), and what passed only when it was tried again.
 */
export const notedReporter: Reporter = {
  onTestRunEnd(modules) {
    const all = (state?: 'skipped') =>
      modules.flatMap((module) => [...module.children.allTests(state)])
    const again = all().filter((test) => test.diagnostic()?.flaky === true)
    list(
      'Skipped',
      all('skipped').map((test) => test.fullName),
    )
    list('Passed only when tried again', again.map(placeOf))
  },
}

const placeOf = ({ fullName, module }: TestCase): string =>
  `${module.relativeModuleId}: ${fullName}`

function list(title: string, names: readonly string[]): void {
  if (names.length === 0) return
  process.stdout.write(`\n${title}:\n${names.map((name) => `  ${name}`).join('\n')}\n`)
}
