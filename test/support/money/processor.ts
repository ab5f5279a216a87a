import type { ChargeAnswer, ChargeRequest, Processor } from '../../../src/parts/processors/port.ts'
import type { Changes } from '../../../src/parts/store/changes.ts'
import type { ChargeOutcome } from '../../../src/rules/commerce/payments/payment.ts'
import { second } from '../../../src/std/instant.ts'
import type { Charge, Fate, Said } from '../../model/money/fates.ts'
import { newsOf, saidOf } from '../../model/money/fates.ts'

/** That the process has ended here. */
export class Died extends Error {}

/**
 * A processor to which the charges of a program come, and the process that may die of hearing it.
 */
export interface FatedProcessor {
  readonly processor: Pick<Processor, 'charge' | 'confirm'>
  /** In which nothing more is written once the process has died, until it is there again. */
  mortal<T extends Pick<Changes, 'commit'>>(changes: T): T
  revive(): void
  /** How often a holder's answer has come to it. */
  confirmed: number
  /** In seconds of the program. */
  now: number
}

export function fatedProcessor(fates: readonly Fate[]): FatedProcessor {
  const charges = new Map<string, Charge>()
  let asked = 0
  let isDead = false
  const fated: FatedProcessor = {
    now: 0,
    confirmed: 0,
    processor: { charge, confirm },
    revive: () => {
      isDead = false
    },
    mortal: (changes) => ({
      ...changes,
      commit: async (change: Parameters<Changes['commit']>[0]) => {
        if (isDead) throw new Died('The process ended.')
        return changes.commit(change)
      },
    }),
  }
  return fated

  async function charge({ key, isLater = false }: ChargeRequest): Promise<ChargeAnswer> {
    const known = charges.get(key)
    if (known !== undefined) return answer(known)
    const fate = fates[asked % fates.length]
    if (fate === undefined) throw new Error('A program without fates.')
    asked += 1
    const made: Charge = { fate, hasHolder: !isLater, from: fated.now, passed: null }
    charges.set(key, made)
    return firstAnswer(made)
  }

  async function confirm({ key }: ChargeRequest, passed: boolean): Promise<ChargeAnswer> {
    const known = charges.get(key)
    if (known === undefined) throw new Error('Nobody was asked for this.')
    fated.confirmed += 1
    Object.assign(known, { passed, from: fated.now })
    return firstAnswer(known)
  }

  function firstAnswer(made: Charge): ChargeAnswer {
    if (made.fate.answer === 'lost') throw new Error('The connection was lost.')
    if (made.fate.answer === 'dies') isDead = true
    return answer(made)
  }

  function answer(of: Charge): ChargeAnswer {
    return {
      outcome: outcomes[saidOf(of, fated.now)],
      news: newsOf(of).map(({ after, said }) => ({
        after: after * second,
        outcome: outcomes[said],
      })),
    }
  }
}

const outcomes: Readonly<Record<Said, ChargeOutcome>> = {
  paid: { status: 'succeeded' },
  declined: { status: 'failed', code: 'CARD_DECLINED', message: 'No.' },
  waits: { status: 'processing' },
  asks: { status: 'requires_customer_action' },
}
