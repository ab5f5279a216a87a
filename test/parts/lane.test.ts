import { describe, expect, it } from 'vitest'
import { laneOf } from '../../src/parts/lane.ts'

interface Flight {
  readonly questions: readonly number[]
  readonly land: (answers: readonly string[]) => void
  readonly fail: () => void
}

function lane(budgetMs = 60_000, gatherMs = 0) {
  const flights: Flight[] = []
  const { ask } = laneOf<number, string>({
    gatherMs,
    budgetMs: () => budgetMs,
    give: (question) => `no ${question}`,
    ask: (questions) =>
      new Promise((land, failed) => {
        flights.push({ questions, land, fail: () => failed(new Error('away')) })
      }),
  })
  return { ask, flights }
}

const turn = () => new Promise((done) => setImmediate(done))

describe('a lane', () => {
  it('takes what is asked in one turn along, and what is asked meanwhile the next time', async () => {
    const { ask, flights } = lane()
    const first = [ask(1), ask(2)]
    await turn()
    const second = [ask(3), ask(4)]
    await turn()
    expect(flights.map(({ questions }) => questions)).toEqual([[1, 2]])
    flights[0]?.land(['one', 'two'])
    expect(await Promise.all(first)).toEqual(['one', 'two'])
    await turn()
    expect(flights.map(({ questions }) => questions)).toEqual([
      [1, 2],
      [3, 4],
    ])
    flights[1]?.land(['three', 'four'])
    expect(await Promise.all(second)).toEqual(['three', 'four'])
  })

  it('gathers a little longer where calls are many', async () => {
    const { ask, flights } = lane(60_000, 600_000)
    const alone = async (question: number) => {
      const asked = ask(question)
      await turn()
      flights.at(-1)?.land([`${question}`])
      return asked
    }
    for (let few = 0; few < 20; few += 1) expect(await alone(few)).toBe(`${few}`)
    // Whatever comes back meanwhile is used up; then they wait for each other.
    for (;;) {
      const before = flights.length
      void ask(-2)
      await turn()
      if (flights.length === before) break
      flights.at(-1)?.land(['soon'])
      await turn()
    }
    const before = flights.length
    void ask(21)
    void ask(22)
    await turn()
    expect(flights).toHaveLength(before)
  })

  it('gives what there is when the call fails, and calls again', async () => {
    const { ask, flights } = lane()
    const asked = ask(1)
    await turn()
    flights[0]?.fail()
    expect(await asked).toBe('no 1')
    await turn()
    const again = ask(2)
    await turn()
    flights[1]?.land(['two'])
    expect(await again).toBe('two')
  })

  it('is late past its budget: everybody is answered at once until the call ends', async () => {
    const { ask, flights } = lane(1)
    const asked = ask(1)
    await turn()
    const waiting = ask(2)
    expect(await Promise.all([asked, waiting])).toEqual(['no 1', 'no 2'])
    expect(await ask(3)).toBe('no 3')
    expect(flights).toHaveLength(1)
    flights[0]?.land(['one'])
    await turn()
    const next = ask(4)
    await turn()
    flights[1]?.land(['four'])
    expect(await next).toBe('four')
  })
})
