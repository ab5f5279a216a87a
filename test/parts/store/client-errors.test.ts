import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDb, stateOf } from '../../../src/parts/store/postgres/connection/client.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

let scratch: ScratchDatabase
beforeAll(async () => {
  scratch = await scratchDatabase()
})
afterAll(() => scratch.drop())

const failure = (text: string): Promise<unknown> =>
  scratch.db.query({ text, values: [] }).then(
    () => null,
    (error: unknown) => error,
  )
const raising = (state: string) =>
  `do $$ begin raise exception 'failed' using errcode = '${state}'; end $$`

describe('a failed query', () => {
  it.each(['08006', '40001', '40P01', '53100', '55P03', '57014', '57P01'])(
    'may be tried again after %s',
    async (state) => {
      expect(await failure(raising(state))).toMatchObject({ code: 'UNAVAILABLE', status: 503 })
    },
  )

  it('is a bug where the statement is wrong, and names its state', async () => {
    expect(stateOf(await failure('select 1/0'))).toBe('22012')
    expect(stateOf(await failure(raising('23505')))).toBe('23505')
  })

  it.each(['EPIPE', 'EPERM', 'ECONNRESET'])('has no state when the system says %s', (code) => {
    expect(stateOf(Object.assign(new Error('write'), { code }))).toBeNull()
  })

  it('may be tried again when the server hangs up, whenever it does', async () => {
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : null
    const url = `postgres://nobody@127.0.0.1:${port}/x`
    const db = openDb({ url, connectionsMax: 1, name: 'test' })
    const query = db.query({ text: 'select 1', values: [] })
    await expect(query).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await db.close()
    server.close()
  })
})
