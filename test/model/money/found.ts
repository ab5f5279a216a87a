import type { Fate } from './fates.ts'
import type { Program } from './program.ts'

const world: Program['world'] = {
  prices: { tool: 100, plan: 100, trial: 100, brief: 100 },
  code: { percent: 25, limit: 1 },
  taxed: false,
  fees: true,
  refundsAtOnce: true,
  rapid: false,
}

const asking: Fate = { truth: 'paid', after: 0, answer: 'lost', asks: true, news: [] }
const paying: Fate = { ...asking, answer: 'heard', asks: false }

/**
 * The answer that a card asks its holder is heard only by asking again, and nobody confirms: then
 * the attempt ends with its session, and frees its code for another buyer.
 */
const askedUnheard: Program = {
  world,
  fates: [asking, paying],
  steps: [
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
    { kind: 'later', seconds: 950_400 },
    { kind: 'confirm', session: 0, passed: true },
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
  ],
}

/** The same, of a process that ends before it has written that the card asks. */
const diedAsking: Program = { ...askedUnheard, fates: [{ ...asking, answer: 'dies' }, paying] }

/** A charge of which nobody ever says anything ends, and frees its code for another buyer. */
const neverSaid: Program = {
  world,
  fates: [{ ...paying, truth: 'never' }, paying],
  steps: [
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
    { kind: 'later', seconds: 13 * 86_400 },
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
    { kind: 'later', seconds: 86_400 },
    { kind: 'buy', product: 'tool', quantity: 1, code: true, card: 0 },
  ],
}

/** Programs that failed once: every run begins with them. */
export const foundMoney: readonly Program[] = [askedUnheard, diedAsking, neverSaid]
