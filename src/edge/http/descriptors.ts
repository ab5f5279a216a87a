import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { limits } from '../../limits.ts'

/**
 * Whether so many more files and connections can be opened. Asked by opening them: the number that
 * the system allows is not all that it goes by.
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
  /** False while it does not listen. */
  readonly isOpen: boolean
  close(): void
}

/**
 * Stops listening while descriptors are short. A connection that cannot be accepted stays in line
 * and wakes the engine again at once, for ever; one that nobody listens for is refused, and whoever
 * wanted it goes elsewhere. What is connected is served on, and the log and the store keep what
 * they need to open. Half as many again must be free before it listens anew.
 */
export function descriptorGate(
  listening: { pause(): void; resume(): Promise<boolean> },
  { everyMs = limits.descriptorsMs, spare = limits.descriptorsSpare } = {},
): Gate {
  const self = { isOpen: true, close: () => clearInterval(timer) }
  let resuming = false
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return self

  async function look(): Promise<void> {
    if (resuming) return
    if (self.isOpen) {
      if (canOpen(spare)) return
      self.isOpen = false
      listening.pause()
    } else if (canOpen(spare * 2)) {
      resuming = true
      self.isOpen = await listening.resume()
      resuming = false
    }
  }
}
