import type { UwsResponse } from './uws-surface.ts'

/** A body of a known length that is read while it is sent, in place of one that is at hand. */
export interface Content {
  readonly bytes: number
  /** Not called for HEAD. Null: it is gone. */
  readonly open: () => Promise<AsyncIterable<Uint8Array> | null>
}

interface Sending {
  /** Whether the client is gone. */
  isOver(): boolean
  /** Calls `over` when the client is gone. */
  onOver(over: () => void): void
  /** The client has taken more. */
  progressed(): void
  /** All of it is with the system. */
  written(): void
  /** The rest cannot be had: the client must see that something is missing. */
  failed(): void
}

/**
 * Sends a body piece by piece, each when the client has taken the one before, so that a slow client
 * costs one piece of memory. The head is written already.
 */
export async function sendContent(
  res: UwsResponse,
  { bytes, open }: Content,
  sending: Sending,
): Promise<void> {
  let wake: (offset: number) => void = () => undefined
  let sent = 0
  res.onWritable((offset) => {
    wake(offset)
    return true
  })
  sending.onOver(() => wake(sent))
  try {
    if (bytes === 0) {
      res.cork(() => res.end(''))
      sending.written()
      return
    }
    for await (const piece of (await open()) ?? []) {
      sending.progressed()
      if (!(await give(piece))) return
    }
    if (!sending.isOver()) sending.failed()
  } catch {
    if (!sending.isOver()) sending.failed()
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
