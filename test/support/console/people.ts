import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { operate } from '../process/operator.ts'
import type { Server } from '../process/server.ts'
import { scratchDirectory, startServer } from '../process/server.ts'
import { Person } from './person.ts'

export const password = 'correct horse battery staple'

export interface Invited {
  readonly email: string
  readonly userId: string
  readonly setupUrl: string
}

/** A server of a suite, with two businesses and as many people as it asks for. */
export function people() {
  const scratch = scratchDirectory()
  // Clients may say where they come from, because one address alone would soon reach its limit.
  const settings = { DATA_DIR: join(scratch.path, 'data'), TRUSTED_PROXIES: '127.0.0.1' }
  let server: Server
  let [here, elsewhere] = ['', '']
  let made = 0

  beforeAll(async () => {
    server = await startServer(settings)
    here = String(server.ready['business_id'])
    const other = await operate(settings, ['business', 'create', '--name', 'B'])
    elsewhere = String(other['business_id'])
  })
  afterAll(async () => {
    await server.stop()
    scratch.remove()
  })

  const base = () => String(server.ready['test_url'])
  return {
    settings,
    server: () => server,
    base,
    here: () => here,
    elsewhere: () => elsewhere,
    invited,
    person,
    nobody: () => new Person(base()),
  }

  async function invited(businessId = here, role = 'owner'): Promise<Invited> {
    made += 1
    const email = `somebody-${made}@example.com`
    const words = ['users', 'create', '--business', businessId, '--email', email, '--role', role]
    const answer = await operate(settings, words)
    return { email, userId: String(answer['user_id']), setupUrl: String(answer['setup_url']) }
  }

  /** Somebody who has chosen a password, and is logged in. */
  async function person(businessId = here, role = 'owner'): Promise<Person & Invited> {
    const who = await invited(businessId, role)
    const one = new Person(base())
    expect((await one.setUp(who.setupUrl, password)).status).toBe(204)
    return Object.assign(one, who)
  }
}
