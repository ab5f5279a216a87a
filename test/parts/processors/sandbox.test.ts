import { describe, expect, it } from 'vitest'
import { sandbox } from '../../../src/parts/processors/sandbox/sandbox.ts'

const entered = (number: string) => {
  const method = sandbox.enter?.({ number, expiry: '12/39', cvc: '123', holder: 'Ada' })
  if (method === undefined || 'field' in method) throw new Error('a card that is wrong')
  return method
}

const asked = { key: 'pay_1', amount: 999, currency: 'EUR' } as const

describe('the sandbox', () => {
  it('says the same of a charge whenever it is asked, and its token tells no card', async () => {
    for (const number of ['4242 4242 4242 4242', '4000-0000-0000-7049', '4111 1111 1111 1111']) {
      const { token, card } = entered(number)
      const charge = { ...asked, token }
      expect(await sandbox.charge(charge)).toEqual(await sandbox.charge(charge))
      expect(token).not.toMatch(/\d{4}/)
      expect(card.lastFour).toBe(number.slice(-4))
    }
  })

  it('takes a card that somebody forces to be confirmed as one that asks', async () => {
    const { token } = entered('4242424242424242')
    const answered = await sandbox.charge({ ...asked, token, forcesConfirmation: true })
    expect(answered.outcome?.status).toBe('requires_customer_action')
    const declined = entered('4000000000000002')
    const answer = await sandbox.charge({ ...asked, ...declined, forcesConfirmation: true })
    expect(answer.outcome?.status).toBe('failed')
  })

  it('knows no behaviour by the names of a prototype', async () => {
    const charged = await sandbox.charge({ ...asked, token: 'sandbox:constructor' })
    expect(charged.outcome).toMatchObject({ status: 'failed', code: 'INVALID_CARD_NUMBER' })
  })
})
