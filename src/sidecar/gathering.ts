/**
 * When the next group of frames is synced. A sync costs as much as the rest of some requests, so
 * where requests keep coming, they wait for each other.
 */
export interface Gathering {
  /** A frame came. */
  came(bytes: number): void
  /** Resolves when the group should be synced. Null: at once. */
  wait(): Promise<void> | null
  /** A group of so many frames is synced. */
  synced(frames: number): void
}

export interface GatheringBounds {
  /** The group is synced when nothing has come for so long, */
  readonly quietMs: number
  /** or the first has waited for so long, */
  readonly mostMs: number
  /** or so much waits. */
  readonly enoughBytes: number
}

/**
 * Alone: the last group was of one frame, which is what a caller sends that waits for each answer;
 * nobody waits. In company: it was of several; the next one waits for others. A group of several
 * begins company, one of one frame ends it.
 */
export function gathering({ quietMs, mostMs, enoughBytes }: GatheringBounds): Gathering {
  let inCompany = false
  let bytes = 0
  let since = 0
  let timer: NodeJS.Timeout | null = null
  let begin: () => void = () => undefined
  return { came, wait, synced }

  function came(more: number): void {
    if (bytes === 0) since = performance.now()
    bytes += more
    if (timer === null) return
    if (isEnough()) finish()
    else timer.refresh()
  }

  function wait(): Promise<void> | null {
    if (!inCompany || isEnough()) {
      bytes = 0
      return null
    }
    return new Promise((resolve) => {
      begin = resolve
      timer = setTimeout(finish, quietMs)
    })
  }

  function isEnough(): boolean {
    return bytes >= enoughBytes || performance.now() - since >= mostMs
  }

  function finish(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    bytes = 0
    begin()
  }

  function synced(frames: number): void {
    inCompany = frames > 1
  }
}
