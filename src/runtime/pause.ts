import { setTimeout as after } from 'node:timers/promises'

/** Waits; does not keep the process alive by itself. */
export const pauseFor = (ms: number): Promise<void> => after(ms, undefined, { ref: false })
