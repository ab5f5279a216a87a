import { expect, it, vi } from 'vitest'
import { openForgottenPayments } from '../../../src/engine/sweeps/forgotten-payments.ts'
import { instantOf } from '../../../src/std/instant.ts'
import { rememberingLogger } from '../../support/runtime/logger.ts'

it('has forgotten payments asked about by the believed clock, and says how many', async () => {
  const logger = rememberingLogger()
  const wake = vi.fn(async () => 2)
  const [believed, bent] = [instantOf(1_000), instantOf(9_000)]
  const sweep = openForgottenPayments({
    clock: { now: () => bent, believed: () => believed },
    processorNews: { wake },
    alone: (_, work) => work,
    logger,
  })
  sweep.start()
  await expect.poll(() => wake.mock.calls).toEqual([[believed]])
  await sweep.stop()
  expect(logger.told).toEqual([
    {
      level: 'warn',
      fields: { woken: 2 },
      message: 'payments that nobody asked about are asked about again',
    },
  ])
})
