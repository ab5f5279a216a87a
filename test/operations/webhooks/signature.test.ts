import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { sign } from '../../../src/operations/webhooks/signature.ts'
import { toWebhookSecret } from '../../../src/wire/webhook-endpoint.ts'

describe('signatures', () => {
  it('are those of the public library, whatever the body', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 24, max: 64 }),
        (body, length) => {
          const secret = randomBytes(length)
          const timestamp = 1_769_860_800
          const theirs = new Webhook(toWebhookSecret(secret))
          expect(sign(secret, { id: 'msg_1', timestamp, body })).toBe(
            theirs.sign('msg_1', new Date(timestamp * 1_000), body),
          )
        },
      ),
    )
  })

  it('holds to a published example', () => {
    const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    }
    expect(sign(secret, message)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })
})
