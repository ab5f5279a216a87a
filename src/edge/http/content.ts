import type { UwsResponse } from './uws-surface.ts'

/** A body of a known length that is read while it is sent, in place of one that is at hand. */
export interface Content {
  readonly bytes: number
  /** Not called for HEAD. Null: it is gone. What it throws is answered like a handler's fault. */
  readonly open: () => Promise<AsyncIterable<Uint8Array> | null>
}

interface Sending {
  /** Whether the client is gone. */
  isOver(): boolean
  /** Calls `over` when the client is gone. */
  onOver(over: () => void): void
  /** The client has taken more. */
  progressed(): void
  /** Writes the head; the first piece follows in the same turn. */
  begin(): void
  /** All of it is with the system. */
  written(): void
  /** Nothing of it can be had, and nothing is written yet. */
  unread(error: unknown): void
  /** The rest cannot be had: the client must see that something is missing. */
  failed(): void
}

/**
 * Sends a body piece by piece, each when the client has taken the one before, so that a slow client
 * costs one piece of memory. The head goes with the first piece: what cannot be read at all is not
 * promised.
 */
export async function sendContent(
  res: UwsResponse,
  { bytes, open }: Content,
  sending: Sending,
): Promise<void> {
  let wake: (offset: number) => void = () => undefined
  let sent = 0
  let begun = false
  res.onWritable((offset) => {
    wake(offset)
    return true
  })
  sending.onOver(() => wake(sent))
  try {
    if (bytes === 0) {
      res.cork(() => {
        sending.begin()
        res.end('')
      })
      sending.written()
      return
    }
    for await (const piece of (await open()) ?? []) {
      sending.progressed()
      if (!(await give(piece))) return
    }
    missing(new Error('An answer is shorter than its content, or its content is gone.'))
  } catch (error) {
    missing(error)
  }

  function missing(error: unknown): void {
    if (sending.isOver()) return
    if (begun) sending.failed()
    else sending.unread(error)
  }

  /** False: there is nothing more to send, or nobody to send it to. */
  async function give(piece: Uint8Array): Promise<boolean> {
    let rest = piece
    while (rest.length > 0) {
      if (sending.isOver()) return false
      let [fitted, whole] = [false, false]
      const writable = new Promise<number>((resolve) => {
        wake = resolve
      })
      res.cork(() => {
        if (!begun) sending.begin()
        begun = true
        ;[fitted, whole] = res.tryEnd(rest, bytes)
      })
      if (whole) {
        sending.written()
        return false
      }
      const offset = fitted ? sent + rest.length : await writable
      rest = rest.subarray(offset - sent)
      sent = offset
      sending.progressed()
    }
    return !sending.isOver()
  }
}
