import type { UwsResponse } from './uws-surface.ts'

/** The body of an answer that has begun and goes on, until one side ends it. */
export interface Outlet {
  /** It takes nothing more. */
  readonly over: boolean
  /**
   * False: the client takes no more for now. What was written is kept, and nothing else may be
   * written until it has `drained`.
   */
  write(text: string): boolean
  /** Resolves when the client takes more, or it is over. */
  drained(): Promise<void>
  end(): void
  /** Ends the connection without the body's end, so that the client sees that this is not all. */
  breakOff(): void
}

/** What an answer holds in place of a whole body. */
export interface Flowing {
  /** Sent together with the head. */
  readonly beginning: string
  /** Says nothing to the client: written to see whether it takes more. */
  readonly filler: string
  /** Called once the head is on its way. */
  readonly opened: (outlet: Outlet) => void
}

/** An outlet as the exchange holds it. */
export interface OpenOutlet extends Outlet {
  /** For how long the client has taken nothing of what waits for it; 0: nothing does. */
  stalledMs(): number
  /** The connection is gone, or the last of it is written. */
  closed(): void
}

/** The outlet of a response whose head is written; `ended` is called when it is ended from here. */
export function openOutlet(
  res: UwsResponse,
  { filler, fits, ended }: Pick<Flowing, 'filler'> & { fits: boolean; ended: () => void },
): OpenOutlet {
  let over = false
  let stalledAt = fits ? null : performance.now()
  const waiting: (() => void)[] = []
  // What the engine keeps for a slow client goes out with the next write, and only that shows
  // whether all of it did: so there has to be one.
  res.onWritable(() => over || written(filler))
  return {
    get over() {
      return over
    },
    write: (text) => !over && written(text),
    drained: () =>
      over || stalledAt === null
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push(resolve)),
    stalledMs: () => (stalledAt === null ? 0 : performance.now() - stalledAt),
    end,
    // This calls the handler for aborts, which closes the outlet.
    breakOff: () => void (over || res.close()),
    closed,
  }

  /** What a write leaves behind is noticed by the next one: two of them are kept at most. */
  function written(text: string): boolean {
    let took = false
    res.cork(() => {
      took = res.write(text)
    })
    if (took) {
      stalledAt = null
      wake()
    } else stalledAt ??= performance.now()
    return took
  }

  function end(): void {
    if (over) return
    closed()
    // Nothing that comes behind this request is read. To end it with a header, as other answers
    // that close do, would put that header into the body.
    res.pause()
    res.cork(() => res.end())
    ended()
  }

  function closed(): void {
    over = true
    wake()
  }

  function wake(): void {
    for (const resolve of waiting.splice(0)) resolve()
  }
}
