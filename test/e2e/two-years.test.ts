import { expect } from 'vitest'
import { itAtLength } from '../support/run/at-length.ts'
import { at } from './here.ts'
import { onceMeasured } from './once-measured.ts'
import { booksOf } from './story/books.ts'
import type { Person } from './story/person.ts'
import { named, person } from './story/person.ts'
import { dollars, storyLines } from './story/script.ts'
import type { StoryShop } from './story/shop.ts'
import { openStoryShop } from './story/shop.ts'

const people = new Map<string, Person>()
let shop: StoryShop

/** What a line of the story can say, and what it does. Null: what it does is seen of the person. */
type Does = (one: Person, words: readonly string[]) => Promise<unknown>

const acts: readonly (readonly [RegExp, Does])[] = [
  [
    /^(?:subscribes to|buys) (\w+) with (\d{4})$/,
    ({ acts }, [it = '', card = '']) => acts.buys(it, card),
  ],
  [/^uses (\d+)$/, ({ acts }, [n = '']) => acts.uses(n)],
  [/^changes to (\w+)$/, ({ acts }, [it = '']) => acts.changes(it)],
  [/^pauses$/, ({ acts }) => acts.becomes('paused')],
  [/^resumes$/, ({ acts }) => acts.becomes('active')],
  [/^cancels$/, ({ acts }) => acts.becomes('cancelled')],
  [/^gets ([\d.]+) into the wallet$/, ({ acts }, [amount = '']) => acts.puts(amount)],
  [/^is refunded what is left$/, ({ acts }) => acts.refunds(null)],
  [/^is refunded ([\d.]+)$/, ({ acts }, [amount = '']) => acts.refunds(amount)],
  [/^disputes what is left$/, ({ acts }) => acts.disputes(null)],
  [/^disputes ([\d.]+)$/, ({ acts }, [amount = '']) => acts.disputes(amount)],
  [/^has a dispute (\w+)$/, ({ acts }, [to = '']) => acts.moves(to)],
  [/^(\d+) days? later$/, (_, [days = '']) => pass(Number(days))],
  [/^is there$/, async () => undefined],
]

/** By cycles of four weeks, so that no step is long. */
async function pass(days: number): Promise<void> {
  for (let left = days; left > 0; left -= 28) {
    const by = `P${Math.min(left, 28)}D`
    const answer = await onceMeasured(() => at.call('POST /clock/advance', { body: { by } }))
    expect(answer.status, answer.text).toBe(200)
  }
}

async function play(given: string): Promise<string> {
  if (given === 'the books') return booksOf(at, shop, [...people.values()])
  if (given === 'the seller is paid') return paidOut()
  const archived = /^the brand (\w+) is archived$/.exec(given)
  if (archived !== null) return archive(archived[1] ?? '')
  const [, name = '', what = ''] = /^(\w+),? (.+)$/.exec(given) ?? []
  const one = people.get(name) ?? (await person(at, shop, name))
  people.set(name, one)
  for (const [pattern, does] of acts) {
    const match = pattern.exec(what)
    if (match === null) continue
    await does(one, match.slice(1))
    return one.state()
  }
  throw new Error(`The story cannot be read: ${given}`)
}

async function paidOut(): Promise<string> {
  const of = ['--business', at.businessId, '--mode', 'test', '--currency', 'USD']
  const { amount, payout_id: id } = await at.sluice('payouts', 'create', ...of)
  await at.sluice('payouts', 'mark', String(id), 'success')
  return dollars(Number(amount))
}

async function archive(brand: string): Promise<string> {
  const target = { move_products_to: at.businessId }
  const moved = await at.client().brands.archive(named(shop.brands, brand), target)
  return `${moved.products_moved} product, ${moved.subscriptions_moved} subscriptions moved`
}

itAtLength(
  'two years of a business, as the manual tells them [payouts#ledger]',
  { timeout: 300_000 },
  async () => {
    shop = await openStoryShop(at)
    const lines = storyLines()
    expect(lines.length).toBeGreaterThan(40)
    let days = 0
    for (const { follows, given, line } of lines) {
      expect([line, await play(given)]).toEqual([line, follows])
      days += Number(/(\d+) days? later/.exec(given)?.[1] ?? 0)
    }
    expect(days).toBeGreaterThanOrEqual(728)
  },
)
