import { limits } from '../limits.ts'

/** The state of one thing that the process depends on. Only `down` makes the process not ready. */
export interface Check {
  readonly state: 'ok' | 'degraded' | 'down'
  /** Why it is not ok: a sentence without secrets. */
  readonly reason: string | null
}

export const fine: Check = { state: 'ok', reason: null }
export const down = (reason: string): Check => ({ state: 'down', reason })
export const degraded = (reason: string): Check => ({ state: 'degraded', reason })

export type CheckResults = Readonly<Record<string, Check>>

/** The checks that `/readyz` asks. */
export interface Checks {
  /**
   * Adds a check. An error, or no answer in time, counts as `otherwise` (`down` if that is not
   * given). A check is not asked again before it has answered, so that requests to one that hangs
   * do not pile up. A second check with the same name replaces the first.
   */
  register(name: string, ask: Ask, otherwise?: (reason: string) => Check): void
  run(): Promise<CheckResults>
}

export type Ask = () => Check | Promise<Check>

/** `answerMs`: how long each check may take. */
export function openChecks(answerMs: number = limits.checkMs): Checks {
  const asked = new Map<string, () => Promise<Check>>()
  return { register, run }

  function register(name: string, ask: Ask, otherwise = down): void {
    let asking: Promise<Check> | null = null
    asked.set(name, () => {
      asking ??= attempt(ask, otherwise).finally(() => {
        asking = null
      })
      return bounded(asking, answerMs, otherwise)
    })
  }

  async function run(): Promise<CheckResults> {
    const entries = [...asked].map(async ([name, ask]) => [name, await ask()] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
}

export const isReady = (results: CheckResults): boolean =>
  Object.values(results).every((check) => check.state !== 'down')

/** Several checks as one: the worst state, and the reasons of all that are not ok. */
export function worstOf(results: CheckResults): Check {
  const wrong = Object.entries(results).filter(([, check]) => check.state !== 'ok')
  if (wrong.length === 0) return fine
  const reason = wrong.map(([name, check]) => `${name}: ${check.reason}`).join(' ')
  return isReady(results) ? degraded(reason) : down(reason)
}

async function attempt(ask: Ask, otherwise: (reason: string) => Check): Promise<Check> {
  try {
    return await ask()
  } catch (error) {
    return otherwise(error instanceof Error ? error.message : 'It failed.')
  }
}

async function bounded(
  asking: Promise<Check>,
  answerMs: number,
  otherwise: (reason: string) => Check,
): Promise<Check> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Check>((done) => {
    timer = setTimeout(() => done(otherwise('It does not answer.')), answerMs)
  })
  try {
    return await Promise.race([asking, late])
  } finally {
    clearTimeout(timer)
  }
}
