import { setFlagsFromString } from 'node:v8'

/**
 * For a process that takes bodies in: before what is old is collected, twice as much may come as
 * lives. V8 counts to it what lies outside the heap, as bodies do, so that a small heap has little
 * room by itself. Under load it was fully collected ten times a second, for the sake of bodies that
 * were long answered, and that a collection of what is young finds: half of what the edge did.
 */
export function giveHeapRoom(): void {
  setFlagsFromString('--heap-growing-percent=200')
}
