import type { Environment, Launched } from './server.ts'
import { launch } from './server.ts'

export interface Sidecar extends Launched {
  /** Its base URL, or the path of its socket. */
  readonly listens: string
  readonly ops_url: string
}

/** Starts one, and answers when it takes events. The caller ends it. */
export async function startSidecar(settings: Environment): Promise<Sidecar> {
  const process = launch(['sidecar', '--json'], settings)
  const line = await new Promise<string>((done, failed) => {
    process.child.stdout?.once('data', (chunk: Buffer) => done(chunk.toString()))
    void process.ended.then(({ error }) => failed(new Error(error)))
  })
  return { ...process, ...(JSON.parse(line) as Pick<Sidecar, 'listens' | 'ops_url'>) }
}
