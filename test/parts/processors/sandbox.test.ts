import { describe, expect, it } from 'vitest'
import { sandbox } from '../../../src/parts/processors/sandbox/sandbox.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { instantOf, millisecond } from '../../../src/std/instant.ts'

const at = (year: number, month: number, day: number, hours = 0): Instant =>
  instantOf(Date.UTC(year, month - 1, day, hours) * millisecond)

const entered = (number: string) => {
  const card = { number, expiry: '12/39', cvc: '123', holder: 'Ada' }
  const method = sandbox.enter?.(card, at(2026, 1, 1))
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

  it('takes a card until the month that it names is over everywhere', () => {
    const enter = (expiry: string, now: Instant) => {
      const card = { number: '4242424242424242', expiry, cvc: '123', holder: null }
      const method = sandbox.enter?.(card, now) ?? { field: 'none' }
      return 'field' in method ? method.field : method.card?.expiryYear
    }
    expect(enter('02/26', at(2026, 3, 1, 11))).toBe('2026')
    expect(enter('02/26', at(2026, 3, 1, 12))).toBe('card_expiry')
    expect(enter('12 / 2026', at(2027, 1, 1, 0))).toBe('2026')
    expect(enter('01/20', at(2026, 1, 1))).toBe('card_expiry')
    expect(enter('12/99', at(2098, 1, 1))).toBe('2099')
  })

  it('knows no behaviour by the names of a prototype', async () => {
    const charged = await sandbox.charge({ ...asked, token: 'sandbox:constructor' })
    expect(charged.outcome).toMatchObject({ status: 'failed', code: 'INVALID_CARD_NUMBER' })
  })
})
