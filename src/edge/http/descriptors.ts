import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { limits } from '../../limits.ts'
import type { Logger } from '../../runtime/logger.ts'
import { loop } from '../../runtime/loop.ts'

/**
 * Whether so many more files and connections can be opened. Found out by opening them, because the
 * limit that the system names is not the only one.
 */
export function canOpen(count: number): boolean {
  const opened: number[] = []
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'))
    return true
  } catch {
    return false
  } finally {
    for (const one of opened) closeSync(one)
  }
}

export interface Gate {
  /** False while the server does not listen. */
  readonly isOpen: boolean
  close(): void
}

/**
 * Stops listening while file descriptors are short. A connection that cannot be accepted stays in
 * the queue and wakes the HTTP engine at once, again and again; without a listener it is refused,
 * and its client goes elsewhere. Existing connections are served on, and log and store keep the
 * descriptors that they need. Listens again when half as many more are free.
 */
export function descriptorGate(
  listening: { pause(): void; resume(): Promise<boolean> },
  logger: Logger,
  { everyMs = limits.descriptorsMs, spare = limits.descriptorsSpare } = {},
): Gate {
  const self = { isOpen: true, close: () => void looking.stop() }
  const name = 'descriptors'
  const looking = loop({ name, work: look, idleMs: everyMs, restsFirst: true, logger })
  looking.start()
  return self

  async function look(): Promise<boolean> {
    if (self.isOpen) {
      if (canOpen(spare)) return false
      self.isOpen = false
      listening.pause()
    } else if (canOpen(spare * 2)) self.isOpen = await listening.resume()
    return false
  }
}
