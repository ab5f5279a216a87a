import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again until the answer is true. Throws after two minutes, and names what it waited for. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Two minutes have passed without ${what}.`)
    await sleep(50)
  }
}
