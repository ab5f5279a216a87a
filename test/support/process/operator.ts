import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { runDirectory } from '../run/run-directory.ts'
import { builtProgram } from './child.ts'
import type { Environment, Outcome } from './server.ts'
import { free } from './server.ts'

/** A command that somebody asks the operator of the run for. */
export interface OperatorCall {
  readonly words: readonly string[]
  readonly settings: Environment
}

/** What it has said, and its exit status. */
export type OperatorSaid = Omit<Outcome, 'signal'>

const socketIn = (directory: string): string => join(directory, 'operator')

/**
 * Starts the process that runs the operator's commands of the run with this directory. Answers what
 * ends it.
 */
export async function startOperator(directory: string): Promise<() => Promise<void>> {
  const child = fork(builtProgram('process/operator-child'), [socketIn(directory)])
  await once(child, 'message')
  return async () => {
    const ended = once(child, 'close')
    child.kill()
    await ended
  }
}

/** Runs one of the operator's commands, which must end well, and answers what `--json` prints. */
export async function operate(settings: Environment, words: readonly string[]) {
  const { status, out, error } = await operated(settings, [...words, '--json'])
  assert.equal(status, 0, error)
  return JSON.parse(out) as Readonly<Record<string, unknown>>
}

/**
 * Runs one of the operator's commands on the store that `settings` name, in the operator's process
 * of the run. What a process of its own does beside that, `test/cli` tries.
 */
export function operated(settings: Environment, words: readonly string[]): Promise<OperatorSaid> {
  return ask({ words, settings: { ...free, ...settings } })
}

function ask(call: OperatorCall): Promise<OperatorSaid> {
  const socketPath = socketIn(runDirectory())
  return new Promise((done, failed) => {
    const asking = request({ socketPath, method: 'POST', agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => done(JSON.parse(text)))
    })
    asking.once('error', failed).end(JSON.stringify(call))
  })
}
