import { change, unschedule } from './changing.ts'
import type { Fate } from './fates.ts'
import { markPaidOut, moveDispute, openDispute, payOut, refund, settle } from './giving-back.ts'
import {
  cancel,
  changeMethod,
  charge,
  endAtCycle,
  endCycle,
  endOf,
  forget,
  pause,
  resume,
  retry,
} from './living.ts'
import { hearNews } from './paying.ts'
import type { Call, Charging, Quiet } from './program.ts'
import { endGrant } from './rolling.ts'
import { buy, confirm, open, pay } from './selling.ts'
import type { ModelLicense, MoneyState } from './state.ts'
import { at } from './state.ts'

/** Brings the world to this moment, one thing that is due after the other. */
export function advance(state: MoneyState, to: number, fates: readonly Fate[]): void {
  for (;;) {
    const [next] = dueIn(state, fates)
      .filter(({ due }) => due <= to)
      .sort((a, b) => a.due - b.due)
    if (next === undefined) break
    state.now = next.due
    next.apply()
  }
  state.now = to
}

interface Due {
  readonly due: number
  readonly apply: () => void
}

function dueIn(state: MoneyState, fates: readonly Fate[]): Due[] {
  const live = state.subscriptions.filter(
    ({ status }) => status === 'active' || status === 'on_hold',
  )
  return [
    ...live.map((each) => ({ due: endOf(each), apply: () => endCycle(state, each, fates) })),
    ...live.flatMap((each) => {
      const due = each.status === 'on_hold' ? (each.dues?.retryAt ?? null) : null
      if (due === null) return []
      return { due, apply: () => void retry(state, each, { byItself: true, fates }) }
    }),
    ...state.news.map((news) => ({
      due: news.due,
      apply: () => {
        state.news = state.news.filter((each) => each !== news)
        hearNews(state, news)
      },
    })),
    ...state.disputes.flatMap(({ answerBy, status }, number) => {
      if (status !== 'dispute_opened') return []
      return { due: answerBy, apply: () => void moveDispute(state, number, 'expired') }
    }),
    ...state.grants.flatMap((grant) => {
      const { ends: due } = grant
      if (due === null) return []
      return { due, apply: () => endGrant(state, grant) }
    }),
  ]
}

/** Does a call, and answers what comes of it; `nothing` where there is nothing that it names. */
export function call(state: MoneyState, step: Call, fates: readonly Fate[]): string {
  switch (step.kind) {
    case 'buy':
      return buy(state, step, fates)
    case 'open':
      return open(state, step, fates)
    case 'pay':
    case 'method':
    case 'charge':
    case 'change':
      return chargeAgain(state, step, fates)
    default:
      return quietly(state, step)
  }
}

function chargeAgain(
  state: MoneyState,
  step: Extract<Charging, { kind: 'pay' | 'method' | 'charge' | 'change' }>,
  fates: readonly Fate[],
): string {
  if (step.kind === 'pay') {
    return which(state.sessions, step.session, (session) => pay(state, { ...step, session }, fates))
  }
  if (step.kind === 'charge') {
    const { cents } = step
    return which(state.subscriptions, step.subscription, (number) =>
      charge(state, { number, cents, fates }),
    )
  }
  if (step.kind === 'change') {
    return which(state.subscriptions, step.subscription, (number) =>
      change(state, { number, step, fates }),
    )
  }
  const { method } = step
  return which(state.subscriptions, step.subscription, (subscription) =>
    changeMethod(state, { subscription, method, fates }),
  )
}

/**
 * The call with what it names as it stood when it was made: in a race, what another call has made
 * meanwhile is named by none.
 */
export function namedBefore<C extends Call>(state: MoneyState, step: C): C {
  const named = { ...step }
  for (const [field, list] of lists) {
    const number: unknown = Reflect.get(named, field)
    const { length } = state[list]
    if (typeof number === 'number' && length > 0) Reflect.set(named, field, number % length)
  }
  return named
}

const lists = [
  ['dispute', 'disputes'],
  ['license', 'licenses'],
  ['payment', 'payments'],
  ['payout', 'payouts'],
  ['refund', 'refunds'],
  ['session', 'sessions'],
  ['subscription', 'subscriptions'],
] as const

const which = (
  all: readonly unknown[],
  number: number,
  then: (number: number) => string,
): string => (all.length === 0 ? 'nothing' : then(number % all.length))

function quietly(state: MoneyState, step: Quiet): string {
  switch (step.kind) {
    case 'confirm':
      return which(state.sessions, step.session, (session) => confirm(state, { ...step, session }))
    case 'refund':
      return which(state.payments, step.payment, (number) => refund(state, number, step.part))
    case 'settle':
      return which(state.refunds, step.refund, (number) => settle(state, number, step.succeeded))
    case 'dispute':
      return which(state.payments, step.payment, (payment) =>
        openDispute(state, { payment, amount: step.amount }),
      )
    case 'move':
      return which(state.disputes, step.dispute, (number) => moveDispute(state, number, step.to))
    case 'payout':
      return payOut(state)
    case 'mark':
      return which(state.payouts, step.payout, (number) => markPaidOut(state, number, step.to))
    case 'activate':
    case 'deactivate':
      return which(state.licenses, step.license, (number) =>
        use(state, at(state.licenses, number), step.kind),
      )
    case 'unschedule':
      return which(state.subscriptions, step.subscription, (number) => unschedule(state, number))
    case 'forget':
      return forget(state, step.method)
    case 'spend':
      return spend(state, step)
    case 'fill':
      state.wallet += step.cents
      return 'done'
    case 'reprice':
      state.prices[step.product] = step.price
      return 'done'
    default:
      return which(state.subscriptions, step.subscription, (number) => {
        const subscription = at(state.subscriptions, number)
        if (step.kind === 'atEnd') return endAtCycle(subscription, step.ends)
        return { pause, resume, cancel }[step.kind](state, subscription)
      })
  }
}

/** [licenses#license-keys] */
export function licenseStatus(
  { subscriptions }: MoneyState,
  { disabled, subscription }: ModelLicense,
): 'active' | 'disabled' | 'expired' {
  if (disabled) return 'disabled'
  if (subscription === null) return 'active'
  const { status } = at(subscriptions, subscription)
  return status === 'active' || status === 'expired' ? status : 'disabled'
}

/** [licenses#activation] */
function use(state: MoneyState, license: ModelLicense, kind: 'activate' | 'deactivate'): string {
  if (kind === 'deactivate') {
    if (license.places === 0) return 'nothing'
    license.places -= 1
    return 'done'
  }
  if (licenseStatus(state, license) !== 'active') return 'INACTIVE_LICENSE_KEY'
  if (license.places >= 2) return 'LICENSE_KEY_LIMIT_REACHED'
  license.places += 1
  return 'done'
}

/** The oldest credits go first. [credits#who-pays-first] */
function spend(state: MoneyState, { credits, of }: Extract<Quiet, { kind: 'spend' }>): string {
  const grants = state.grants.filter(({ kind }) => kind === of)
  if (grants.reduce((all, { remaining }) => all + remaining, 0) < credits) return 'refused'
  let left = credits
  for (const grant of grants) {
    const taken = Math.min(left, grant.remaining)
    grant.remaining -= taken
    left -= taken
  }
  return 'done'
}
