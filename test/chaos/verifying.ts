import { spawn } from 'node:child_process'
import { commandOf } from './life.ts'

export interface Verified {
  /** Null: the command is not there. */
  readonly verify: 'passed' | 'failed' | null
  /** The beginning of what it printed. */
  readonly said: string
}

/** `sluice verify` on the books that `environment` names. */
export async function runVerify(environment: Readonly<Record<string, string>>): Promise<Verified> {
  const child = spawn(process.execPath, commandOf(['verify', '--json']), {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 600_000,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(0, 2_000)
    })
  }
  const status = await new Promise((done) => child.once('close', done))
  return { verify: status === 0 ? 'passed' : status === 2 ? null : 'failed', said }
}
