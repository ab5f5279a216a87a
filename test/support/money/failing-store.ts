import type { ScratchStore } from '../store/scratch-store.ts'

/** How the store fails at a call, and whether all after it do, as in a process that ends. */
export interface Cut {
  readonly at: number
  /** Whether the call has been carried out, and only its answer is lost. */
  readonly after: boolean
  readonly dies: boolean
}

/** A store whose calls are counted, and one of which fails. */
export interface FailingStore {
  readonly store: ScratchStore
  /** From here on until the answer is called; null: calls are only listed. */
  arm(cut: Cut | null): () => void
  /** The calls since it was armed, such as `changes.commit`. */
  called(): readonly string[]
}

export function failingStore(real: ScratchStore): FailingStore {
  let cut: Cut | null = null
  let isArmed = false
  let called: string[] = []
  const ports = Object.entries(real).map(([name, port]) => [name, wrapped(name, port)] as const)
  return {
    store: { ...real, ...Object.fromEntries(ports) },
    called: () => called,
    arm: (next) => {
      cut = next
      isArmed = true
      called = []
      return () => {
        isArmed = false
      }
    },
  }

  function wrapped(name: string, port: unknown): unknown {
    if (!isPort(name, port)) return port
    const methods = Object.entries(port).map(([method, run]) => [
      method,
      typeof run === 'function'
        ? (...args: readonly unknown[]) => pass(`${name}.${method}`, () => run(...args))
        : run,
    ])
    return Object.fromEntries(methods)
  }

  async function pass(call: string, run: () => unknown): Promise<unknown> {
    if (!isArmed) return run()
    called.push(call)
    const number = called.length - 1
    if (cut === null || number < cut.at || (number > cut.at && !cut.dies)) return run()
    if (number === cut.at && cut.after) await run()
    throw new Error(`${call} fails.`)
  }
}

/** The database behind the ports, the clock and the processors are no ports of the store. */
const isPort = (name: string, port: unknown): port is object =>
  port !== null && typeof port === 'object' && !['clock', 'db', 'processors'].includes(name)
