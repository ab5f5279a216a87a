import { commandsInTurn } from '../../../rules/accounts/commands-in-turn.ts'
import type { Payment } from '../../../rules/commerce/payments/payment.ts'
import { groupBy } from '../../../std/group.ts'
import { bringAbandonment } from './abandonment.ts'
import type { Bringing, PaymentMoment, SubjectBrings } from './bringing.ts'
import { bringCharge } from './charge.ts'
import { bringDiscountUses } from './discount-uses.ts'
import { bringDispute } from './dispute.ts'
import { bringEarnings } from './earnings.ts'
import { bringGrants } from './grants.ts'
import { bringInvoice } from './invoice.ts'
import { bringLicenseKeys } from './license-keys.ts'
import { bringMethodUpdate } from './method-update.ts'
import { bringBackPaidTooLate } from './paid-too-late.ts'
import { bringPendingSubscription } from './pending-subscription.ts'
import { bringPlanChange } from './plan-change.ts'
import { bringPurchase } from './purchase.ts'
import { bringRenewal } from './renewal.ts'
import { bringSavedMethod } from './saved-method.ts'
import { bringWallet } from './wallet.ts'

/**
 * Every subject of which a payment can bring something. Each sees what those before it say of the
 * payment, and its facts are told after theirs: the cause stands first. [webhooks#kinds]
 */
const subjects: readonly Bringing[] = [
  bringEarnings,
  bringWallet,
  bringSavedMethod,
  bringPurchase,
  bringPendingSubscription,
  bringRenewal,
  bringPlanChange,
  bringCharge,
  bringMethodUpdate,
  bringDiscountUses,
  bringGrants,
  bringLicenseKeys,
  bringInvoice,
  bringDispute,
  bringBackPaidTooLate,
  bringAbandonment,
]

export interface AllBrought extends Required<Omit<SubjectBrings, 'facts'>> {
  readonly payment: Payment
}

/** What was loaded of all subjects, and their decisions as one. */
export interface AllDecision {
  readonly entitlementIds: readonly string[]
  readonly decide: (moment: PaymentMoment) => AllBrought
}

/** Loads all subjects that the news concerns. [payments#one-way-to-be-paid] */
export async function bringAll(...heard: Parameters<Bringing>): Promise<AllDecision> {
  const loaded = await Promise.all(subjects.map((each) => each(...heard)))
  const concerned = loaded.flatMap((each) => each ?? [])
  return {
    entitlementIds: [...new Set(concerned.flatMap(({ entitlementIds }) => entitlementIds))],
    decide: (moment) => {
      let { payment } = moment
      const all = concerned.map(({ decide }) => {
        const brought = decide({ ...moment, payment })
        payment = brought.payment ?? payment
        return brought
      })
      const commands = all.flatMap(({ commands }) => [...(commands ?? [])])
      const byEntitlement = groupBy(commands, ([id]) => id)
      return {
        payment,
        commands: new Map(
          [...byEntitlement].map(([id, of]) => [id, commandsInTurn(of.map(([, each]) => each))]),
        ),
        rows: all.flatMap(({ rows }) => rows ?? []),
        tell: (accounts) =>
          all.flatMap(({ facts = [], tell }) => [
            ...facts.map((fact) => ({ ...fact, messageId: moment.newId('msg'), at: moment.at })),
            ...(tell?.(accounts) ?? []),
          ]),
      }
    },
  }
}
