import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again until the answer is yes. Throws after two minutes, with what was awaited. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Two minutes have passed without ${what}.`)
    await sleep(50)
  }
}
