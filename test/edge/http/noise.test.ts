import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestText } from '../../support/edge/talk.ts'
import { runs } from '../../support/run/runs.ts'
import { engines, suite, write } from './setup.ts'

describe.each(engines)('noise on $kind', (engine) => {
  const on = suite(engine)

  it('does no harm, wherever it strikes a request, and however the caller leaves', async () => {
    const whole = [
      requestText('POST', '/things', { headers: write, body: '{"a":[1,2,3]}' }),
      requestText('GET', '/things/x%2Fy?q=1', { headers: write }),
      `${requestText('POST', '/things', { headers: { ...write, 'Transfer-Encoding': 'chunked' } })}3\r\n[1]\r\n0\r\n\r\n`,
    ]
    const strike = fc.record({
      at: fc.nat({ max: 200 }),
      cut: fc.nat({ max: 20 }),
      noise: fc.uint8Array({ maxLength: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...whole),
        fc.array(strike, { maxLength: 3 }),
        fc.nat({ max: 300 }),
        async (text, strikes, split) => {
          let bytes = Buffer.from(text)
          for (const { at, cut, noise } of strikes) {
            bytes = Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at + cut)])
          }
          const one = on.raw()
          one.send(bytes.subarray(0, split))
          await new Promise((resolve) => setImmediate(resolve))
          one.send(bytes.subarray(split))
          const served = await on.get('/open')
          one.destroy()
          expect(served.status).toBe(200)
        },
      ),
      runs(150),
    )
    while (on.at.server.open > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(on.at.options.budget.used).toBe(0)
  })
})
