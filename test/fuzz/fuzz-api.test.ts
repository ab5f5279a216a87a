import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { describeIf } from '../support/servers/describe-with.ts'
import { fuzz, fuzzApi } from './fuzz-api.ts'

const program = process.env['TEST_SCHEMATHESIS'] ?? ''
const missing =
  program === '' || program === 'none'
    ? 'TEST_SCHEMATHESIS, a program that test/fuzz/schemathesis.sh installs and prints'
    : null
// It comes from a registry that not every network reaches.
const required = process.env['TEST_REQUIRE_ALL'] === '1' && program !== 'none'

/** Other operations with each commit; TEST_FUZZ_TURN says which ones again. */
function turn(): number {
  const given = process.env['TEST_FUZZ_TURN']
  if (given !== undefined) return Number(given)
  try {
    return Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD']).toString().slice(0, 8), 16)
  } catch {
    return 0
  }
}

// All of them, and longer: npm run fuzz:api
describeIf(missing, 'the description, as Schemathesis reads it', { required, suite })

function suite(): void {
  it('is what the server keeps to, in a tenth of the operations', {
    timeout: 600_000,
  }, async () => {
    let said = ''
    const some = { operations: 16, turn: turn() }
    const say = (text: string) => {
      said += text
    }
    const status = await fuzzApi({ program, seconds: null, seed: 1, examples: 3, some, say })
    expect(status, `TEST_FUZZ_TURN=${some.turn}\n${said}`).toBe(0)
    expect(said).toMatch(/Tested: 16\n/)
  })

  it.each([
    [200, 0],
    [500, 1],
    [503, 1],
    [404, 1],
  ])(
    'is not kept to by a server that answers %i where 200 is promised: %i',
    async (answer, ends) => {
      const server = createServer((request, response) => {
        const isDescription = request.url === '/openapi.json'
        // Another method than the described one is refused as it should be.
        const promised = request.method === 'GET' ? answer : 405
        response.writeHead(isDescription ? 200 : promised, {
          'content-type': 'application/json',
          ...(promised === 405 ? { allow: 'GET' } : {}),
        })
        response.end(JSON.stringify(isDescription ? promising : {}))
      })
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      onTestFinished(() => new Promise((done) => server.close(() => done())))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      let said = ''
      const say = (text: string) => {
        said += text
      }
      const options = { program, seconds: null, seed: 1, examples: 1, some: null, say }
      expect(await fuzz({ url, key: 'sk_test_of_nobody' }, options), said).toBe(ends)
    },
    120_000,
  )
}

const promising = {
  openapi: '3.1.0',
  info: { title: 'A server that promises too much', version: '1' },
  paths: {
    '/meters': {
      get: { operationId: 'listMeters', responses: { 200: { description: 'Meters.' } } },
    },
  },
}
