import type { Program } from '../../model/money/program.ts'

/**
 * Somebody buys a tool and a plan, gets a part back, disputes the other, and is paid out for: each
 * kind of row about money once.
 */
export const firstProgram: Program = {
  world: {
    prices: { tool: 9000, plan: 4000, trial: 100, brief: 100, demand: 100 },
    code: { percent: 10, limit: null },
    taxed: true,
    fees: true,
    refundsAtOnce: true,
    rapid: false,
    rollover: { days: null, terms: { plan: null, trial: null, brief: null, demand: null } },
  },
  fates: [{ truth: 'paid', after: 0, answer: 'heard', asks: false, news: [] }],
  steps: [
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
    { kind: 'activate', license: 0 },
    { kind: 'refund', payment: 0, part: { amount: 500, inclusive: true } },
    { kind: 'payout' },
    { kind: 'mark', payout: 0, to: 'success' },
    { kind: 'buy', product: 'plan', quantity: 1, code: false, card: 0 },
    { kind: 'dispute', payment: 1, amount: 100 },
  ],
}
