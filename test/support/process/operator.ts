import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { builtProgram } from './child.ts'
import type { Environment } from './server.ts'
import { free, sluice } from './server.ts'

/** A command that somebody asks the operator of the run for. */
export interface OperatorCall {
  readonly words: readonly string[]
  readonly settings: Environment
}

/** What it has said, and its exit status. */
export interface OperatorSaid {
  readonly status: number | null
  readonly out: string
  readonly error: string
}

/** Where the operator of the run listens; undefined: there is none. */
const socketName = 'TEST_OPERATOR'

/** Starts the process that runs the operator's commands in this run. Answers what ends it. */
export async function startOperator(directory: string): Promise<() => Promise<void>> {
  const socket = join(directory, 'operator')
  const child = fork(builtProgram('process/operator-child'), [socket])
  await once(child, 'message')
  process.env[socketName] = socket
  return async () => {
    const ended = once(child, 'close')
    child.kill()
    await ended
  }
}

/**
 * Runs one of the operator's commands on the store that `settings` name, in the operator's process
 * if the run has one. What a process of its own does beside that, `test/cli` tries.
 */
export async function operate(settings: Environment, words: readonly string[]) {
  const socket = process.env[socketName]
  const call = { words: [...words, '--json'], settings: { ...free, ...settings } }
  const { status, out, error } = await (socket === undefined
    ? sluice(call.words, settings)
    : ask(socket, call))
  assert.equal(status, 0, error)
  return JSON.parse(out) as Readonly<Record<string, unknown>>
}

function ask(socketPath: string, call: OperatorCall): Promise<OperatorSaid> {
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
