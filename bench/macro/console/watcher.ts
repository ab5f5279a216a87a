import type { Person } from '../../../test/support/console/person.ts'

/** Somebody who looks at an overview, and what they saw. */
export interface Watcher {
  /** Closes the page. */
  close(): Promise<Watched>
}

export interface Watched {
  /** Between one pulse and the next. */
  readonly gapsMs: readonly number[]
  /** The most events a second that a pulse has told of. */
  readonly acceptedMost: number
}

/** As the page asks: its stream, and the charts anew every ten seconds. */
const chartsMs = 10_000

/** Opens an overview of test mode, as a browser does. */
export function openWatcher(visitor: Person): Watcher {
  const ending = new AbortController()
  const gapsMs: number[] = []
  let [last, acceptedMost] = [0, 0]
  const headers = { 'Sluice-Console': '1', Cookie: visitor.cookie ?? '' }
  const base = `${visitor.base}/console/api/test/overview`
  const whole = follow().catch(unlessEnded)
  void ask('?span=hour')
  void ask('/totals')
  const charts = setInterval(() => void ask('?span=hour'), chartsMs)
  return { close }

  async function close(): Promise<Watched> {
    clearInterval(charts)
    ending.abort()
    await whole
    return { gapsMs, acceptedMost }
  }

  async function ask(path: string): Promise<void> {
    const answer = await fetch(`${base}${path}`, { headers, signal: ending.signal }).catch(
      unlessEnded,
    )
    await answer?.arrayBuffer().catch(unlessEnded)
  }

  async function follow(): Promise<void> {
    const answer = await fetch(`${base}/stream`, { headers, signal: ending.signal })
    if (answer.body === null || !answer.ok) throw new Error(`The stream: ${answer.status}`)
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of answer.body) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) if (block.includes('event: pulse')) pulse(block)
    }
  }

  function pulse(block: string): void {
    const now = performance.now()
    if (last !== 0) gapsMs.push(now - last)
    last = now
    const accepted = /"accepted_per_second":([\d.]+)/.exec(block)?.[1]
    acceptedMost = Math.max(acceptedMost, Number(accepted ?? 0))
  }

  function unlessEnded(error: unknown): undefined {
    if (!ending.signal.aborted) throw error
  }
}
