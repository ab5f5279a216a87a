import { setFlagsFromString } from 'node:v8'

/**
 * For a process that takes bodies in: before what is old is collected, as much again may come as
 * lives, and as much once more. V8 counts to it what lies outside the heap, as bodies do, so that a
 * small heap has little room by itself (a fifth of what lives, after each collection): under load it
 * was collected ten times a second, each time because of bodies that were long answered, which a
 * collection of what is young would have found, and takes a third of all that the process did.
 */
export function giveHeapRoom(): void {
  setFlagsFromString('--heap-growing-percent=200')
}
