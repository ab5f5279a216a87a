import { expect, it } from 'vitest'
import { requestText, talk } from '../support/edge/talk.ts'
import { world } from './world.ts'

const at = world({ TEST_HOST: 'test.localhost', LIVE_HOST: 'live.localhost' })

it('one port serves both modes, and the host says which', async () => {
  const { port } = new URL(at.url())
  expect([at.url(), at.url('live')]).toEqual([
    ...[`http://test.localhost:${port}`, `http://live.localhost:${port}`],
  ])
  const ask = async (host: string, key: string) => {
    const bare = talk(Number(port))
    const headers = { Host: host, Authorization: `Bearer ${key}` }
    bare.send(requestText('GET', '/customers', { headers }))
    const { status } = await bare.answer()
    bare.destroy()
    return status
  }
  const { write, live } = at.keys
  for (const host of ['test.localhost', `TEST.localhost:${port}`]) {
    expect([await ask(host, write), await ask(host, live)]).toEqual([200, 401])
  }
  expect([await ask('live.localhost', write), await ask('live.localhost', live)]).toEqual([
    401, 200,
  ])
  for (const host of ['other.localhost', `127.0.0.1:${port}`, 'localhost']) {
    expect(await ask(host, write)).toBe(404)
  }
})
