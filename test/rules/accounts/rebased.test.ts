import { expect, it } from 'vitest'
import type { Account } from '../../../src/rules/accounts/account.ts'
import { grant } from '../../../src/rules/accounts/commands.ts'
import { cutShort } from '../../../src/rules/accounts/cut-short.ts'
import {
  endLast,
  endRolled,
  expireGrant,
  resetCycle,
} from '../../../src/rules/accounts/cycle-end.ts'
import { moveCycle } from '../../../src/rules/accounts/cycle-move.ts'
import {
  accountOf,
  at,
  behaviors,
  command,
  end,
  ending,
  following,
  next,
  rolling,
} from './cycles.ts'

/** Settled since its base, with a rolled grant and one that is due. */
const settled = (): Account => {
  const rolled = ending(accountOf([{ id: 'a' }]), { rollover: rolling() }).account
  const due = grant(rolled, command({ id: 'due', type: 'api', expiresAt: at(40) }), end).account
  const state = { ...due.state, overage: accountOf([], 7n).state.overage }
  return { ...due, state, charges: accountOf([], 7n).charges }
}
const rolledTo = { subscriptionId: 'sub_1', nextEnd: null, newGrantId: () => 'roll_2' }
const cut = { subscriptionId: 'sub_1', at: end, next: end, ends: { open: end, next: following } }

it.each<[string, (account: Account) => { readonly account: Account }]>([
  ['the end of a cycle', (of) => ending(of, { next })],
  ['the end of a month', (of) => resetCycle(of, { behavior: behaviors.carry }, end)],
  ['the end of a grant', (of) => expireGrant(of, 'due', at(40))],
  ['the last end of a grant', (of) => endLast(of, 'due', at(40))],
  [
    'the end of a rolled grant',
    (of) => endRolled(of, 'roll_1', { ...rolledTo, rollover: rolling(), at: following }),
  ],
  ['what cuts a cycle short', (of) => cutShort(of, { ...cut, overage: null })],
  [
    'what cuts it short and closes overage',
    (of) => cutShort(of, { ...cut, overage: { behavior: behaviors.carry } }),
  ],
  [
    'another date of a cycle',
    (of) => moveCycle(of, { subscriptionId: 'sub_1', next: { from: end, to: following } }),
  ],
])('%s makes what is settled the base: it is never charged again [machines#settling]', (_, act) => {
  const before = settled()
  expect([before.base.overage, before.charges[0]?.base]).toEqual([0n, 0n])
  const { account } = act(before)
  expect(account.base).toEqual(account.state)
  expect(account.charges.map(({ base }) => base)).toEqual([7n])
})
