import type { TestModule, TestSpecification } from 'vitest/node'
import { DefaultReporter } from 'vitest/node'

/**
 * What follows this mark tells of the whole run: `test/all.ts` shows it when all runs have ended.
 */
export const endMark = '\f'

type OfRunEnd = Parameters<DefaultReporter['onTestRunEnd']>

/** The usual report. In front of each file it says which of how many it is, and the time of day. */
export class ProgressReporter extends DefaultReporter {
  #begun = 0
  #files = 0
  #ended = 0

  constructor() {
    super({ summary: false })
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#begun = performance.now()
    this.#files = specifications.length
    super.onTestRunStart(specifications)
  }

  override onTestRunEnd(...told: OfRunEnd): void {
    process.stdout.write(endMark)
    super.onTestRunEnd(...told)
  }

  /** Prints in one piece, since another run may write on the same screen. */
  protected override printTestModule(module: TestModule): void {
    const { log } = this
    const lines: string[] = []
    this.log = (...words: unknown[]) => void lines.push(words.join(' '))
    super.printTestModule(module)
    this.log = log
    if (lines.length === 0) return
    this.#ended += 1
    const seconds = Math.round((performance.now() - this.#begun) / 1_000)
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    const [number, all] = [String(this.#ended), String(this.#files)]
    this.log(`${number.padStart(all.length)}/${all} ${time.padStart(5)}${lines.join('\n')}`)
  }
}
