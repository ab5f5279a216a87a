import assert from 'node:assert/strict'
import type { Environment } from './server.ts'
import { sluice } from './server.ts'

/** A key of each access, made by an operator while the server runs. */
export interface Keys {
  readonly write: string
  readonly read: string
  readonly live: string
}

/** A business with a key of each access. */
export interface Furnished {
  readonly businessId: string
  readonly keys: Keys
}

/** Makes a business and its keys by the operator's commands. */
export async function furnish(settings: Environment): Promise<Furnished> {
  const { business_id: businessId } = await operate(settings, [
    ...['business', 'create', '--name', 'Outside', '--rate-tier', 'unlimited'],
  ])
  const key = async (mode: string, ...more: string[]) => {
    const words = ['keys', 'create', '--business', String(businessId), '--mode', mode, ...more]
    return String((await operate(settings, words))['api_key'])
  }
  const [write, read, live] = await Promise.all([
    key('test', '--name', 'writer'),
    key('test', '--read-only'),
    key('live'),
  ])
  return { businessId: String(businessId), keys: { write, read, live } }
}

/** Runs one of the operator's commands, and answers what it prints with `--json`. */
export async function operate(settings: Environment, words: readonly string[]) {
  const { status, out, error } = await sluice([...words, '--json'], settings)
  assert.equal(status, 0, error)
  return JSON.parse(out) as Readonly<Record<string, unknown>>
}
