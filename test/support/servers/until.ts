import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again and again until the answer is yes. Throws after a minute, with what was awaited. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`A minute has passed without ${what}.`)
    await sleep(50)
  }
}
