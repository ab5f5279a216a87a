import { expect, it } from 'vitest'
import type { EntryOfAccount } from '../../../src/rules/explain/account-records.ts'
import { explainTelling } from '../../../src/rules/explain/telling.ts'
import { instantOf } from '../../../src/std/instant.ts'

const entry = {
  entryId: 'cle_1',
  transactionType: 'credit_deducted',
  isCredit: false,
  inputs: null,
  referenceType: null,
  referenceId: null,
} as EntryOfAccount

const attempted = (status: number | null, error: string | null, durationMs: number) => {
  const attempts = [{ number: 1, at: instantOf(0), durationMs, status, error }]
  const told = { messageId: 'msg_1', type: 'credit.deducted', webhookId: 'whk_1', nextAt: null }
  return explainTelling(entry, { waiting: [], deliveries: [{ ...told, outcome: null, attempts }] })
}

it('tells a closed port, one where nobody speaks HTTP and a silent one all alike', () => {
  const closed = attempted(null, 'refused', 0)
  expect(attempted(null, 'protocol', 40)).toEqual(closed)
  expect(attempted(null, 'tls', 3)).toEqual(closed)
  expect(attempted(null, 'timeout', 15_000)).toEqual(closed)
  expect(attempted(null, 'forbidden_address', 1)).toEqual(closed)
  expect(closed.sentence).toContain('pending after 1 attempt, the last not reached.')
  expect(closed.deliveries[0]?.attempts).toEqual([
    { number: 1, at: instantOf(0), status: null, error: 'not_reached', durationMs: null },
  ])
})

it('tells an answer as it came', () => {
  const refused = attempted(503, 'status', 12)
  expect(refused.sentence).toContain('the last answered 503.')
  expect(refused.deliveries[0]?.attempts[0]).toMatchObject({ error: 'status', durationMs: 12 })
})
