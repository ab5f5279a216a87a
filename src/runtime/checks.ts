/** How one thing that the process stands on is doing. Only `down` makes the process not ready. */
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
  /** `ask` has a second to answer; no answer, or an error, is `down`. A name again replaces it. */
  register(name: string, ask: () => Check | Promise<Check>): void
  run(): Promise<CheckResults>
}

const answerMsMax = 1_000

export function openChecks(): Checks {
  const asked = new Map<string, () => Check | Promise<Check>>()
  return { register: (name, ask) => void asked.set(name, ask), run }

  async function run(): Promise<CheckResults> {
    const entries = [...asked].map(async ([name, ask]) => [name, await bounded(ask)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
}

export const isReady = (results: CheckResults): boolean =>
  Object.values(results).every((check) => check.state !== 'down')

/** Several checks as one: the worst state, and what each one that is not ok says. */
export function worstOf(results: CheckResults): Check {
  const wrong = Object.entries(results).filter(([, check]) => check.state !== 'ok')
  if (wrong.length === 0) return fine
  const reason = wrong.map(([name, check]) => `${name}: ${check.reason}`).join(' ')
  return isReady(results) ? degraded(reason) : down(reason)
}

async function bounded(ask: () => Check | Promise<Check>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Check>((done) => {
    timer = setTimeout(() => done(down('It did not answer within a second.')), answerMsMax)
  })
  try {
    return await Promise.race([Promise.resolve().then(ask), late])
  } catch (error) {
    return down(error instanceof Error ? error.message : 'It failed.')
  } finally {
    clearTimeout(timer)
  }
}
