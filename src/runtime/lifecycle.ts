import type { Logger } from './logger.ts'

/**
 * Ends a part. `withinMs` is the time that is left for it; after that it is no longer waited for.
 */
export type Stop = (withinMs: number) => Promise<void>

/** What has been started, in order, to be stopped in the reverse order. */
export interface Lifecycle {
  /** From now on `stop` ends this part, too. */
  own(name: string, stop: Stop): void

  /**
   * Stops everything, the last part first, each within at most half of the time that is left, so
   * that one part that hangs cannot use up the others' time. Answers the names of those that failed
   * or were late. A second call does nothing more.
   */
  stop(withinMs: number): Promise<readonly string[]>
}

export function lifecycle(logger: Logger): Lifecycle {
  const owned: { name: string; stop: Stop }[] = []
  let stopping: Promise<readonly string[]> | null = null
  return { own, stop }

  function own(name: string, end: Stop): void {
    owned.push({ name, stop: end })
  }

  function stop(withinMs: number): Promise<readonly string[]> {
    stopping ??= stopAll(performance.now() + withinMs)
    return stopping
  }

  async function stopAll(deadline: number): Promise<readonly string[]> {
    const unclean: string[] = []
    for (let part = owned.pop(); part !== undefined; part = owned.pop()) {
      const left = Math.max(0, deadline - performance.now())
      const share = owned.length === 0 ? left : left / 2
      if (!(await stopOne(part.name, part.stop, share))) unclean.push(part.name)
    }
    return unclean
  }

  async function stopOne(name: string, end: Stop, withinMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((done) => {
      timer = setTimeout(done, withinMs, 'late')
    })
    try {
      const outcome = await Promise.race([end(withinMs).then(() => 'stopped' as const), late])
      if (outcome === 'late') logger.warn({ name, withinMs }, 'A part did not stop in time.')
      return outcome === 'stopped'
    } catch (error) {
      logger.warn({ name, error }, 'A part failed to stop.')
      return false
    } finally {
      clearTimeout(timer)
    }
  }
}
