/** One of several calls at once, held back before its first commit. */
export interface Racer {
  /** Resolves when it is about to commit, or has ended without a commit. */
  readonly ready: Promise<unknown>
  readonly done: Promise<boolean>
  hasEnded(): boolean
  /** Lets it commit, and waits for its end. */
  release(): Promise<void>
}

export function startRacer(run: (hold: () => Promise<void>) => Promise<boolean>): Racer {
  const [decided, released] = [gate(), gate()]
  let ended = false
  const done = run(() => {
    decided.open()
    return released.opened
  }).finally(() => {
    ended = true
  })
  return {
    ready: Promise.race([decided.opened, done]),
    done,
    hasEnded: () => ended,
    async release() {
      released.open()
      await done
    },
  }
}

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
