import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  credits,
  formatCredits,
  noCredits,
  parseCredits,
} from '../../src/rules/accounts/credits.ts'
import { place } from '../../src/rules/accounts/place.ts'
import { rolledPart } from '../../src/rules/accounts/rollover.ts'
import { worthOf } from '../../src/rules/accounts/worth.ts'
import type { Currency } from '../../src/rules/commerce/currency.ts'
import { prorationModes } from '../../src/rules/commerce/proration-mode.ts'
import { chargeOf } from '../../src/rules/commerce/subscriptions/plan-change.ts'
import { plainText, readQuantity, scaledQuantity } from '../../src/rules/meter/quantity.ts'
import { staticCheckout } from '../../src/wire/static-checkout.ts'
import { refundedInTurn } from '../rules/commerce/refunds/refunding.ts'
import { anchorsIn } from '../support/pages/anchors.ts'
import { examplesOf, kindsOfExamples, pages } from './manual.ts'

/** What follows from the text before the arrow, in the words of the text behind it. */
const kinds: Readonly<Record<string, (given: string) => string>> = {
  quantity(given) {
    const read = readQuantity(JSON.parse(given))
    if (read === null) return 'nothing'
    return typeof read === 'number' ? plainText(read) : formatCredits(credits(read), 18)
  },

  worth(given) {
    const [, used, free, per, precision] = read(
      given,
      /^usage (\d+), free (\d+), (\d+) units? a credit, precision (\d+)$/,
    )
    const link = {
      unitsPerCredit: scaledQuantity(Number(per)),
      freeThreshold: scaledQuantity(Number(free)),
    }
    const worth = worthOf(scaledQuantity(Number(used)), link, Number(precision))
    return formatCredits(worth, Number(precision))
  },

  place(given) {
    const [, grants = '', demand = '', overage, limit] = read(
      given,
      /^grants ([\d ]+), demand (\d+)(, overage(?: up to (\d+))?)?$/,
    )
    const holdings = grants.split(' ').map((each) => ({ remaining: whole(each), drawn: noCredits }))
    const placed = place(
      { holdings, overage: noCredits, dropped: noCredits, unreturned: noCredits },
      whole(demand),
      {
        enabled: overage !== undefined,
        limit: limit === undefined ? null : whole(limit),
        behavior: 'forgive_at_reset',
      },
    )
    return [
      `grants ${placed.holdings.map(({ remaining }) => remaining).join(' ')}`,
      ...(placed.overage > 0n ? [`overage ${placed.overage}`] : []),
      ...(placed.dropped > 0n ? [`dropped ${placed.dropped}`] : []),
    ].join(', ')
  },

  rollover(given) {
    const [, left = '', percentage, scale] = read(
      given,
      /^unused ([\d.]+), (\d+) %, precision (\d+)$/,
    )
    const precision = Number(scale)
    const unused = parseCredits(left, precision) ?? noCredits
    const moved = rolledPart(unused, {
      enabled: true,
      percentage: Number(percentage),
      timeframe: null,
      countMax: null,
    })
    const rest = formatCredits(credits(unused - moved), precision)
    return `${formatCredits(moved, precision)} move, ${rest} expire`
  },

  purchase(given) {
    const [, each = '', quantity = ''] = read(given, /^credits_amount (\d+), quantity (\d+)$/)
    return String(whole(each) * BigInt(quantity))
  },

  static(given) {
    const [, name = '', value = '', currency = 'USD'] = read(
      given,
      /^(\w+)=([\d.]+)(?:, (\w{3}))?$/,
    )
    const product = { productId: 'pdt_1', currency: currency as Currency, least: 1 }
    const request = staticCheckout(product, new Map([[name, value]]))
    if ('problem' in request) return request.problem
    if (name === 'paymentAmount') return String(request.products[0]?.buyersAmount?.said?.amount)
    return JSON.stringify(request.metadata).replace(':', ': ')
  },

  refund(given) {
    const [, amount, tax, parts = ''] = read(given, /^amount (\d+), tax (\d+): (.+)$/)
    return refundedInTurn(
      { amount: Number(amount), tax: Number(tax) },
      parts.split(', ').map((part) => {
        const [, number, how] = read(part, /^(?:(\d+) (with tax|without)|the rest)$/)
        return {
          amount: number === undefined ? null : Number(number),
          taxInclusive: how !== 'without',
        }
      }),
    )
      .map((line) => `${line.amount} (${line.tax} tax)`)
      .join(', ')
  },

  charge(given) {
    const [, from, to, name] = read(given, /^from (\d+) to (\d+), half of the cycle left, (\w+)$/)
    const mode = prorationModes.find((each) => each === name)
    if (mode === undefined) throw new Error(`No such mode: ${name}`)
    const prices = { from: Number(from), to: Number(to) }
    return String(chargeOf(mode, prices, { left: 1n, of: 2n }))
  },
}

function read(given: string, form: RegExp): RegExpExecArray {
  const match = form.exec(given)
  if (match === null) throw new Error(`The example cannot be read: ${given}`)
  return match
}

const whole = (text: string) => parseCredits(text, 0) ?? noCredits

describe('the manual', () => {
  it('has no kind of example that is not run', () => {
    expect(kindsOfExamples()).toEqual(new Set(Object.keys(kinds)))
  })

  for (const [kind, run] of Object.entries(kinds)) {
    it.each(examplesOf(kind))(`${kind}: %s → %s`, (given, follows) => {
      expect(run(given)).toBe(follows)
    })
  }

  it('leads only to places that are there', () => {
    for (const { name, text } of pages) {
      for (const [, file = '', anchor] of text.matchAll(/\]\(([\w./-]*)(?:#([\w-]+))?\)/g)) {
        const target = file === '' ? name : file
        const page = pages.find((each) => each.name === target)
        const url = new URL(`../../src/pages/docs/${target}`, import.meta.url)
        expect(existsSync(url), `${name} → ${target}`).toBe(true)
        if (anchor === undefined || page === undefined) continue
        expect([...anchorsIn(page.text)], `${name} → ${target}#${anchor}`).toContain(anchor)
      }
    }
  })

  it('names only tests that are there', () => {
    const named = pages.flatMap(({ text }) => [
      ...text.matchAll(/`(test\/[\w/.-]+\.test\.ts)`(?:: ([^|\n]+?) *\|)?/g),
    ])
    expect(named.length).toBeGreaterThan(10)
    for (const [, file = '', title = ''] of named) {
      const url = new URL(`../../${file}`, import.meta.url)
      expect(existsSync(url), file).toBe(true)
      expect(readFileSync(url, 'utf8'), file).toContain(title)
    }
  })
})
