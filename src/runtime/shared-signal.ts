/**
 * A count in shared memory: one thread raises it, others wait for that. The main thread makes it
 * and hands it over. Only the first word counts, so it may be the beginning of more.
 */
export type SharedSignal = Int32Array<SharedArrayBuffer>

export const sharedSignal = (): SharedSignal => new Int32Array(new SharedArrayBuffer(4))

/** Ends every wait. */
export function raise(signal: SharedSignal): void {
  Atomics.add(signal, 0, 1)
  Atomics.notify(signal, 0)
}

export const raisesSeen = (signal: SharedSignal): number => Atomics.load(signal, 0)

/** Waits until it is raised after the time that was `seen`, or for `waitMs`. */
export async function raised(signal: SharedSignal, seen: number, waitMs: number): Promise<void> {
  const wait = waitAsync(signal, 0, seen, waitMs)
  if (!wait.async) return
  // Keeps the thread alive: neither a pending wait nor its timeout does.
  const alive = setInterval(() => undefined, 60_000)
  await wait.value
  clearInterval(alive)
}

type Wait =
  | { readonly async: false; readonly value: string }
  | { readonly async: true; readonly value: Promise<string> }

/** In Node since 16; TypeScript's library es2023 does not know it yet. */
const waitAsync = Reflect.get(Atomics, 'waitAsync') as (
  words: Int32Array<SharedArrayBuffer>,
  index: number,
  seen: number,
  waitMs: number,
) => Wait
